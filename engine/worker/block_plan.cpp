#include "engine/worker/block_plan.h"

#include <algorithm>
#include <cmath>

namespace switchscope {

double Jitter::next() { // SplitMix64 (Steele, Lea, Flood, OOPSLA 2014)
  state_ += 0x9E3779B97F4A7C15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return 0.8 + 0.4 * static_cast<double>(z >> 11) / 9007199254740992.0; // 2^53
}

std::int64_t trips_for(double round_trip_ns, std::int64_t block_ns, double jitter) {
  const double ample_ns = std::min(ample_trips * round_trip_ns, ample_block_ns);
  const double length_ns = std::max(static_cast<double>(block_ns), ample_ns);
  const auto wanted = static_cast<std::int64_t>(std::lround(length_ns * jitter / round_trip_ns));
  const auto most = static_cast<std::int64_t>(max_block_ns / round_trip_ns);
  return std::max<std::int64_t>(1, std::min(std::max(min_trips, wanted), most));
}

double longest_pair_ns(double round_trip_ns, double baseline_trip_ns, std::int64_t block_ns) {
  const auto trips = static_cast<double>(trips_for(round_trip_ns, block_ns, 1.2) + discarded_trips);
  return trips * (round_trip_ns + 2 * baseline_trip_ns);
}

RealTimeBudget::RealTimeBudget(std::int64_t period_us, std::int64_t runtime_us) {
  if (runtime_us < 0 || period_us <= 0) return;
  usable_ns_ = 0.9 * static_cast<double>(runtime_us) * 1e3;
  pause_ns_ = static_cast<double>(period_us) * 1e3 - usable_ns_;
}

std::int64_t RealTimeBudget::pause_before_ns(double next_ns) const {
  if (spent_ns_ <= 0 || spent_ns_ + next_ns <= usable_ns_) return 0;
  return static_cast<std::int64_t>(pause_ns_);
}

} // namespace switchscope
