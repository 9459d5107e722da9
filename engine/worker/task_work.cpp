#include "engine/worker/task_work.h"

#include <sys/syscall.h>
#include <unistd.h>

#if defined(__clang__)
#define SWITCHSCOPE_PHASE __attribute__((noinline, aligned(64)))
#else
#define SWITCHSCOPE_PHASE __attribute__((noipa, aligned(64)))
#endif

namespace switchscope {

bool put_byte(int write_end) {
  const char byte = 1;
  return syscall(SYS_write, write_end, &byte, 1) == 1;
}

bool take_byte(int read_end) {
  char byte = 0;
  return syscall(SYS_read, read_end, &byte, 1) == 1;
}

SWITCHSCOPE_PHASE bool exchange(Work& work, int out, int in, std::int64_t trips) {
  const Traversal traverse = work.traverse;
  const Array array = work.array;
  double traversals = work.traversals, sum = 0;
  bool alive = true;
  for (std::int64_t trip = 0; trip < trips && alive; ++trip) {
    traversals += 1;
    sum += traverse(array, traversals);
    alive = put_byte(out) && take_byte(in);
  }
  work.traversals = traversals;
  work.sum += sum;
  return alive;
}

SWITCHSCOPE_PHASE bool answer(Work& work, int in, int out, std::int64_t trips) {
  const Traversal traverse = work.traverse;
  const Array array = work.array;
  double traversals = work.traversals, sum = 0;
  bool alive = true;
  for (std::int64_t trip = 0; trip < trips && alive; ++trip) {
    alive = take_byte(in);
    if (!alive) break;
    traversals += 1;
    sum += traverse(array, traversals);
    alive = put_byte(out);
  }
  work.traversals = traversals;
  work.sum += sum;
  return alive;
}

namespace {

const std::uintptr_t page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));

// From here down to the middle of a page.
[[gnu::always_inline]] inline std::size_t bytes_to_mid_page() {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return (here - page_bytes / 2) & (page_bytes - 1);
}

// Makes the compiler keep the space.
[[gnu::always_inline]] inline void keep(void* space) {
  asm volatile("" : : "r"(space) : "memory");
}

} // namespace

SWITCHSCOPE_PHASE bool exchange_mid_page(Work& work, int out, int in, std::int64_t trips) {
  keep(__builtin_alloca(bytes_to_mid_page()));
  return exchange(work, out, in, trips);
}

SWITCHSCOPE_PHASE bool answer_mid_page(Work& work, int in, int out, std::int64_t trips) {
  keep(__builtin_alloca(bytes_to_mid_page()));
  return answer(work, in, out, trips);
}

} // namespace switchscope
