#include "engine/worker/scheduling.h"

#include "engine/worker/facts_calls.h"
#include "engine/worker/failure.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

namespace switchscope {
namespace {

bool has_capability(int capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  if (syscall(SYS_capget, &header, data) != 0) return false;
  return (data[capability / 32].effective & (1u << (capability % 32))) != 0;
}

int kernel_policy(Policy policy) {
  switch (policy) {
  case Policy::automatic:
  case Policy::fifo:
    return SCHED_FIFO;
  case Policy::round_robin:
    return SCHED_RR;
  case Policy::other:
    return SCHED_OTHER;
  }
  return SCHED_OTHER;
}

constexpr std::int64_t ns_per_us = 1000, us_per_s = 1'000'000;

} // namespace

void pin_to_cpu(int cpu) {
  const std::string allowed = allowed_cpus();
  if (cpu < 0) throw VisitProblem("cpu", "cannot pin to CPU " + std::to_string(cpu) + ": there is no such CPU");
  cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(cpu) + 1);
  const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(cpu) + 1);
  CPU_ZERO_S(bytes, set);
  CPU_SET_S(static_cast<std::size_t>(cpu), bytes, set);
  const int result = sched_setaffinity(0, bytes, set);
  const int error = errno;
  CPU_FREE(set);
  if (result == 0) return;
  throw VisitProblem("cpu", "cannot pin to CPU " + std::to_string(cpu) + ": " +
                                (error == EINVAL ? "it is absent, offline or outside the cpuset" : error_text(error)) +
                                "; this process may use CPUs " + (allowed.empty() ? "unknown" : allowed));
}

bool set_policy(Policy policy, int priority) {
  // A container's filter may refuse the call even where it would change nothing.
  if (policy == Policy::other && sched_getscheduler(0) == kernel_policy(policy)) return true;
  sched_param parameters{};
  parameters.sched_priority = priority;
  return sched_setscheduler(0, kernel_policy(policy), &parameters) == 0;
}

int allowed_priority(int max_priority, bool may_set_any, std::uint64_t rtprio_limit) {
  const int wanted = std::clamp(max_priority, sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_FIFO));
  if (may_set_any || rtprio_limit >= static_cast<std::uint64_t>(wanted)) return wanted;
  return static_cast<int>(rtprio_limit);
}

Scheduling become(Policy asked, int max_priority) {
  if (asked == Policy::other) return {};
  rlimit limit{};
  getrlimit(RLIMIT_RTPRIO, &limit);
  const bool may_set_any = has_capability(CAP_SYS_NICE);
  const int priority = allowed_priority(max_priority, may_set_any, limit.rlim_cur);
  const std::string lack =
      may_set_any ? "" : ": no CAP_SYS_NICE, and RLIMIT_RTPRIO is " + std::to_string(limit.rlim_cur);
  std::string refusals;
  for (const Policy policy : {Policy::fifo, Policy::round_robin}) {
    if (asked == Policy::round_robin && policy == Policy::fifo) continue;
    const std::string name = policy == Policy::fifo ? "SCHED_FIFO" : "SCHED_RR";
    if (priority > 0 && set_policy(policy, priority)) return {policy, priority, refusals};
    refusals += (refusals.empty() ? "" : "; ") + name + " was refused (" +
                (priority > 0 ? error_text(errno) : error_text(EPERM)) + ")";
  }
  return {Policy::other, 0, refusals + lack};
}

void set_deadline(std::int64_t deadline_ns) {
  itimerval timer{};
  const std::int64_t deadline_us = deadline_ns / ns_per_us;
  timer.it_value.tv_sec = deadline_us / us_per_s;
  timer.it_value.tv_usec = deadline_us % us_per_s;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void limit_real_time(std::int64_t unblocked_ns) {
  const auto wanted = static_cast<rlim_t>(std::max<std::int64_t>(1, unblocked_ns / ns_per_us)); // in microseconds
  rlimit limit{};
  getrlimit(RLIMIT_RTTIME, &limit);
  limit.rlim_max = std::min<rlim_t>(limit.rlim_max, 2 * wanted); // RLIM_INFINITY is the largest
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, std::min<rlim_t>(limit.rlim_max, wanted));
  setrlimit(RLIMIT_RTTIME, &limit);
}

void die_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1); // it died before the line above
}

void guard_process(pid_t parent, std::int64_t deadline_ns, std::int64_t unblocked_ns) {
  // A parent that uses these signals itself must not hand its choices on: they have to end this process.
  sigset_t none;
  sigemptyset(&none);
  for (const int ending : {SIGALRM, SIGXCPU, SIGTERM, SIGINT}) std::signal(ending, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, nullptr);

  die_with(parent);

  limit_real_time(unblocked_ns);
  set_deadline(deadline_ns);
}

void drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct nothing[2] = {};
  syscall(SYS_capset, &header, nothing);
}

} // namespace switchscope
