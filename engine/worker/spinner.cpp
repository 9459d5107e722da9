#include "engine/worker/spinner.h"

#include "engine/worker/clock.h"
#include "engine/worker/failure.h"
#include "engine/worker/probe.h"
#include "engine/worker/scheduling.h"

#include <cerrno>
#include <csignal>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace switchscope {
namespace {

std::int64_t own_cpu_time_ns() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

} // namespace

Spinner::Spinner(int cpu, std::int64_t deadline_ns) {
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw VisitProblem("memory", "cannot share a page with a task: " + error_text(errno));
  shared_ = new (memory) Shared;
  int ends[2] = {-1, -1};
  const pid_t parent = getpid();
  if (pipe(ends) != 0 || (pid_ = fork()) < 0) {
    const int error = errno;
    for (const int end : ends)
      if (end >= 0) close(end);
    munmap(memory, sizeof(Shared));
    throw VisitProblem("fork", "cannot start a task on another CPU: " + error_text(error));
  }
  if (pid_ == 0) {
    guard_process(parent, deadline_ns);
    close(ends[1]);
    obey(*shared_, cpu, ends[0]);
  }
  close(ends[0]);
  orders_ = ends[1];
}

Spinner::~Spinner() {
  stop();
  close(orders_);
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  munmap(shared_, sizeof(Shared));
}

void Spinner::start(std::int64_t longest_ns) {
  shared_->longest_ns.store(longest_ns);
  stop();
  shared_->order.fetch_add(1);
  const char go = 1;
  (void)!write(orders_, &go, 1); // one that has ended shows by its rounds
}

void Spinner::stop() {
  if (shared_->order.load() % 2 == 1) shared_->order.fetch_add(1);
}

void Spinner::obey(Shared& shared, int cpu, int orders) {
  try {
    pin_to_cpu(cpu);
  } catch (const VisitProblem&) {
    _exit(1);
  }
  for (char go = 0; read(orders, &go, 1) == 1;) {
    const std::uint32_t order = shared.order.load();
    if (order % 2 == 0) continue; // stopped before it was seen
    const std::int64_t end_ns = monotonic_raw_ns() + shared.longest_ns.load();
    while (shared.order.load(std::memory_order_relaxed) == order && monotonic_raw_ns() < end_ns) {
      keep_busy();
      shared.spun_ns.store(own_cpu_time_ns(), std::memory_order_relaxed);
    }
  }
  _exit(0);
}

} // namespace switchscope
