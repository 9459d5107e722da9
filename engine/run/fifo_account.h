// Keeps real-time visits clear of the kernel's throttle: at most 90 % of sched_rt_runtime_us (or of the lower limit of
// the worker's control group) in any sched_rt_period_us, per CPU, summed over consecutive visits. A throttled CPU
// stands still for the rest of the period (50 ms by default).
#pragma once

#include "engine/model/environment.h"
#include "engine/model/visit.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

namespace switchscope {

// The real time that a visit is going to spend. `last_ns`: what the last visit of its point spent (0: it got no
// real-time policy; absent: none yet). Until one has shown it, the least number of pairs counts, each as long as it
// usually is; and always the duration, with a fifth for the rest of the last pair.
[[nodiscard]] std::int64_t expected_fifo_ns(const VisitRequest&, std::optional<std::int64_t> last_ns);

class FifoAccount {
public:
  // The kernel's defaults (950 ms in 1 s) where the machine does not tell; runtime -1: no limit, and nothing waits.
  explicit FifoAccount(const Environment&);

  // A visit that ended at `ended_ns` (any monotonic clock) spent `fifo_ns` under a real-time policy. Where in the visit
  // is not known; it is taken to be its end, the worst case. Tasks on two CPUs, or on any, are charged to each of them.
  void spent(const Placement&, std::int64_t ended_ns, std::int64_t fifo_ns);

  // How long to wait at `now_ns` before a visit that will spend `fifo_ns`. One that alone exceeds the limit waits until
  // the CPU has rested for the remainder of a period; its own pace is the worker's affair.
  [[nodiscard]] std::int64_t wait_ns(const Placement&, std::int64_t now_ns, std::int64_t fifo_ns) const;

private:
  struct Stretch {
    std::int64_t from_ns = 0;
    std::int64_t to_ns = 0;
  };
  [[nodiscard]] std::int64_t start_ns(const std::deque<Stretch>&, std::int64_t now_ns, std::int64_t fifo_ns) const;

  std::int64_t period_ns_ = 0;
  std::optional<std::int64_t> limit_ns_;      // absent: no limit
  std::map<int, std::deque<Stretch>> by_cpu_; // -1: tasks free to run anywhere
};

} // namespace switchscope
