// The order of the visits, seen by the memory protection: one page is open at a time, so each step onto another page
// faults and tells its exact address.
#include "engine/worker/line_order.h"
#include "engine/worker/traversal.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <sys/mman.h>
#include <vector>

namespace switchscope {
namespace {

constexpr std::size_t page_bytes = 4096, page_elements = page_bytes / 8;

struct Trace {
  double* first = nullptr;
  char* open_page = nullptr;
  std::array<std::size_t, 100'000> steps{};
  std::size_t count = 0;
};
Trace trace; // a signal handler has no other way to reach it

void on_fault(int, siginfo_t* info, void*) {
  char* const address = static_cast<char*>(info->si_addr);
  char* const page = address - reinterpret_cast<std::uintptr_t>(address) % page_bytes;
  if (trace.open_page != nullptr) mprotect(trace.open_page, page_bytes, PROT_NONE);
  trace.open_page = page;
  mprotect(page, page_bytes, PROT_READ | PROT_WRITE);
  if (trace.count < trace.steps.size())
    trace.steps[trace.count++] = static_cast<std::size_t>(static_cast<double*>(info->si_addr) - trace.first);
}

std::vector<std::size_t> steps_of(const Loop& loop, std::size_t elements, std::size_t stride) {
  const std::size_t bytes = (elements * 8 + page_bytes - 1) / page_bytes * page_bytes;
  void* const memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  trace.first = static_cast<double*>(memory);
  trace.open_page = nullptr;
  trace.count = 0;
  struct sigaction handler {
  }, previous{};
  handler.sa_sigaction = on_fault;
  handler.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &handler, &previous);
  (void)loop.traverse(array_over(trace.first, elements, stride), 1.0);
  sigaction(SIGSEGV, &previous, nullptr);
  munmap(memory, bytes);
  return {trace.steps.begin(), trace.steps.begin() + static_cast<std::ptrdiff_t>(trace.count)};
}

// Of a full order of elements, those that step onto another page than the one before.
std::vector<std::size_t> page_steps(const std::vector<std::size_t>& order) {
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i == 0 || order[i] / page_elements != order[i - 1] / page_elements) steps.push_back(order[i]);
  return steps;
}

std::vector<std::size_t> expected_order(Pattern pattern, std::size_t elements, std::size_t stride) {
  std::vector<std::size_t> order;
  switch (pattern) {
  case Pattern::strided:
    for (std::size_t pass = 0; pass < stride; ++pass)
      for (std::size_t i = pass; i < elements; i += stride) order.push_back(i);
    break;
  case Pattern::sparse:
    for (std::size_t i = 0; i < elements; i += stride) order.push_back(i);
    break;
  case Pattern::random: {
    const std::size_t lines = elements / 8;
    const unsigned bits = order_bits_for(lines);
    for (std::size_t counter = 0; counter < std::size_t{1} << bits; ++counter)
      if (const std::size_t line = shuffled_line(counter, bits); line < lines)
        for (std::size_t i = 0; i < 8; ++i) order.push_back(8 * line + i);
    for (std::size_t i = 8 * lines; i < elements; ++i) order.push_back(i);
    break;
  }
  }
  return order;
}

TEST(TraversalOrder, EachLoopVisitsInThePatternsOrder) {
  for (const auto& [access, access_word] : Names<Access>::table)
    for (const auto& [pattern, pattern_word] : Names<Pattern>::table)
      for (const auto& [kernel, kernel_word] : Names<Kernel>::table)
        for (const bool with_avx : {false, true}) {
          if (with_avx && !cpu_has_avx()) continue;
          for (const std::size_t elements : {7 * page_elements, 5 * page_elements + 3, 8 * page_elements})
            for (const std::size_t stride : {std::size_t{1}, std::size_t{16}, page_elements, page_elements + 1}) {
              if (pattern == Pattern::random && stride > 1) continue;
              SCOPED_TRACE(testing::Message() << access_word << ' ' << pattern_word << ' ' << kernel_word << " avx "
                                              << with_avx << ", " << elements << " elements, stride " << stride);
              EXPECT_EQ(steps_of(choose_loop(access, pattern, kernel, stride, with_avx), elements, stride),
                        page_steps(expected_order(pattern, elements, stride)));
            }
        }
}

} // namespace
} // namespace switchscope
