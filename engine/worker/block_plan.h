// How long the blocks of a visit are, and when it has to pause. Pure arithmetic.
#pragma once

#include "engine/model/visit.h"
#include "engine/model/visit_time.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace switchscope {

inline constexpr std::int64_t discarded_trips = 3; // before the clock is read, in every block
inline constexpr std::int64_t min_trips = 4;
inline constexpr std::int64_t ample_trips = 24; // so that the discarded ones take little of the time
inline constexpr double ample_block_ns = 10e6;  // but a block is not made longer than this for their sake
inline constexpr double max_block_ns = static_cast<double>(longest_real_time_pair_ns);

// Numbers from 0.8 to 1.2, the same for the same seed: a block's length must not beat with the timer tick.
class Jitter {
public:
  explicit Jitter(std::uint64_t seed) : state_(seed) {}
  [[nodiscard]] double next();

private:
  std::uint64_t state_;
};

// Round trips of the S1 block, and trips of the two S2 blocks of its pair: max(4, length x jitter / round_trip_ns), at
// most 400 ms, at least 1. The length is block_ns, or 24 round trips where those take up to 10 ms.
[[nodiscard]] std::int64_t trips_for(double round_trip_ns, std::int64_t block_ns, double jitter);
// A whole pair with its discarded trips, with the longest jitter.
[[nodiscard]] double longest_pair_ns(double round_trip_ns, double baseline_trip_ns, std::int64_t block_ns);

// The kernel takes the CPU from real-time tasks once they used `runtime` of a `period`. A visit longer than that must
// pause by itself, or it is stalled in the middle of a block.
class RealTimeBudget {
public:
  RealTimeBudget(std::int64_t period_us, std::int64_t runtime_us); // runtime -1: no limit
  // How long to sleep before spending `next_ns` more (0: go on). At most 90 % of the runtime in any period.
  [[nodiscard]] std::int64_t pause_before_ns(double next_ns) const;
  // The longest pair that may run at once: 400 ms, or all that is usable in a period where that is less.
  [[nodiscard]] double longest_pair_ns() const { return std::min(max_block_ns, usable_ns_); }
  void spend(double ns) { spent_ns_ += ns; }
  void paused() { spent_ns_ = 0; }

private:
  double usable_ns_ = std::numeric_limits<double>::infinity();
  double pause_ns_ = 0;
  double spent_ns_ = 0; // since the last pause
};

} // namespace switchscope
