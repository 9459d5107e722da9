#include "engine/analysis/paper.h"

#include "engine/analysis/set_aside.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace switchscope {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

struct Smallest {
  double switching_per_switch_ns = none;
  double baseline_per_trip_ns = none;
  [[nodiscard]] double cost_ns() const { return switching_per_switch_ns - baseline_per_trip_ns; }
  [[nodiscard]] bool complete() const { return switching_per_switch_ns < none && baseline_per_trip_ns < none; }
};

Smallest smallest_of(std::span<const VisitData* const> rounds) {
  Smallest smallest;
  for (const VisitData* round : rounds)
    for (const Block& block : round->blocks) {
      if (block.trips <= 0 || !(block.elapsed_ns > 0)) continue;
      double& least =
          block.phase == Phase::switching ? smallest.switching_per_switch_ns : smallest.baseline_per_trip_ns;
      least = std::min(least, per_operation_ns(block));
    }
  return smallest;
}

// The smallest of all, and the range of the rounds' own differences.
Interval range_of(const std::vector<const VisitData*>& rounds) {
  const double cost_ns = smallest_of(rounds).cost_ns();
  Interval range{cost_ns, cost_ns, cost_ns, false};
  for (const VisitData* round : rounds)
    if (const Smallest own = smallest_of({&round, 1}); own.complete()) {
      range.low = std::min(range.low, own.cost_ns());
      range.high = std::max(range.high, own.cost_ns());
    }
  return range;
}

int blocks_of(const VisitData& round) {
  return static_cast<int>(
      std::count_if(round.blocks.begin(), round.blocks.end(), [](const Block& block) { return block.trips > 0; }));
}

} // namespace

PointEstimate paper_estimate(const std::vector<const VisitData*>& rounds, std::optional<Policy> policy,
                             const Thresholds& thresholds, const Environment& environment) {
  PointEstimate estimate;
  std::vector<const VisitData*> used;
  for (const VisitData* round : rounds) {
    const int blocks = blocks_of(*round);
    estimate.blocks += blocks;
    if (!policy || round->report.policy == *policy) {
      used.push_back(round);
      estimate.blocks_used += blocks;
    } else if (blocks > 0) {
      estimate.set_aside[SetAside::other_policy] += blocks;
    }
  }
  const Smallest smallest = smallest_of(used);
  if (!smallest.complete()) {
    estimate = {};
    estimate.failure = "The rounds hold no complete pair of S1 and S2; measure the point again.";
    return estimate;
  }
  estimate.state = EstimateState::paper;
  estimate.switching_per_switch_ns = smallest.switching_per_switch_ns;
  estimate.baseline_per_trip_ns = smallest.baseline_per_trip_ns;
  estimate.visits = static_cast<int>(used.size());
  estimate.total = range_of(used);
  estimate.total_all_blocks = range_of(rounds);

  // The worker has looked for them within the blocks, where they stand out; the numbers hold them.
  for (const VisitData* round : used)
    for (const double excess_ns : round->report.stalls_ns)
      if (const SetAside stall = stall_of(excess_ns, 0, round->report.policy, thresholds, environment);
          stall != SetAside::none)
        ++estimate.stalls[stall];
  if (estimate.stalls.count(SetAside::throttled) > 0) estimate.flags.push_back(Flag::throttled);
  if (estimate.stalls.count(SetAside::stalled) > 0) estimate.flags.push_back(Flag::stalled);
  return estimate;
}

} // namespace switchscope
