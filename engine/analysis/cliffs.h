// The cliffs of a run's curves: where the cost of a switch rises from one level to a higher one within a few sizes, how
// high, and which cache or translation cache it belongs to. The method is in rises.h and docs/measurement.md.
#pragma once

#include "engine/analysis/curve.h"
#include "engine/analysis/estimate.h"
#include "engine/model/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace switchscope {

struct Cliff {
  // Sizes that were measured, per task. The curve leaves its lower level between `from` and the next size, and has
  // reached the upper one at `to`. The intervals are 95 %, and reach to the next size measured: the truth may lie
  // between.
  std::int64_t from_bytes = 0, from_low_bytes = 0, from_high_bytes = 0;
  std::int64_t to_bytes = 0, to_low_bytes = 0;
  std::optional<std::int64_t> to_high_bytes;             // absent: the cost still rises at the largest size
  double step_ns = 0, step_low_ns = 0, step_high_ns = 0; // > 0, and its 95 % interval
  std::optional<std::string> level;                      // "L2", "L1 dTLB", ...; absent: none is near
  std::optional<std::int64_t> cache_bytes;               // of that level: its size or its reach
  std::vector<std::string> reasons;                      // likely ones, sentences, where there is no level
  friend bool operator==(const Cliff&, const Cliff&) = default;
};

struct CurveCliffs {
  Curve curve;
  std::string not_judged;    // a sentence: why no cliff could be seen; empty when the curve was judged
  std::vector<Cliff> cliffs; // by size; empty and judged: no cliff seen
  friend bool operator==(const CurveCliffs&, const CurveCliffs&) = default;
};

// A smaller rise is no cliff, however certain it is.
inline constexpr double least_step_ratio = 0.1; // of the lower level
inline constexpr double least_step_ns = 100;

// Points without an interval (fewer than 4 visits, the paper's method) do not count. `with_common_error` gives them all
// one error instead, from how they scatter about their neighbours: good enough to choose where to measure next, yet its
// rate of false alarms is not kept where some sizes are noisier than others.
enum class PointsWithoutInterval { left_out, with_common_error };

// In the order of curves_of(run.points). Of each curve those points count that share state and policy with most of it:
// an estimate of a contended point beside a clean one would be a cliff of its own.
[[nodiscard]] std::vector<CurveCliffs> cliffs_of(const Run&, const RunEstimates&,
                                                 PointsWithoutInterval = PointsWithoutInterval::left_out);

} // namespace switchscope
