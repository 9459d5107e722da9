// One point's cost from its paired visits: which state it has, which pairs are used, and the interval.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/analysis/set_aside.h"

#include <cstdint>
#include <vector>

namespace switchscope {

struct MeasuredVisit {
  std::vector<MeasuredPair> pairs; // at least one is complete
  Policy policy = Policy::other;   // obtained
  bool of_other_policy = false;    // than most visits of the point; then its pairs have that cause
};

struct PairedEstimate {
  PointEstimate estimate;
  std::vector<double> costs_ns;                   // one for each visit used: the values behind `total`
  std::vector<std::vector<double>> pair_costs_ns; // of the same visits, each pair's
};

// At least one visit. The states and their rules are in docs/measurement.md. Of the flags, those are raised that follow
// from the pairs.
[[nodiscard]] PairedEstimate paired_estimate(const std::vector<MeasuredVisit>&, const ContentionSplit&,
                                             std::uint32_t seed);

// Adds the flag unless it is there.
void add_flag(PointEstimate&, Flag, bool when = true);

} // namespace switchscope
