#include "engine/analysis/cliffs.h"

#include "engine/analysis/cliff_levels.h"
#include "engine/analysis/intervals.h"
#include "engine/analysis/rises.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace switchscope {
namespace {

constexpr std::size_t least_points = 4;
// No machine repeats a level better than this from one size to the next: pages, sets and loops differ.
constexpr double level_wander_ratio = 0.01;

// The points of a curve that may be compared, by size.
struct Comparable {
  std::vector<std::int64_t> sizes;
  std::vector<CurveValue> values;
  std::vector<PageMode> pages; // obtained
};

// corrected estimates the clean cost; both may stand side by side.
bool is_contended(const PointEstimate& estimate) {
  return estimate.state == EstimateState::contended;
}

std::vector<int> points_that_compare(const Curve& curve, const RunEstimates& estimates, PointsWithoutInterval without) {
  std::map<std::pair<bool, std::optional<Policy>>, std::vector<int>> groups;
  for (const int index : curve.point_indices) {
    const PointEstimate& estimate = estimates.points.at(static_cast<std::size_t>(index));
    if (estimate.state == EstimateState::failed || !std::isfinite(estimate.total.estimate)) continue;
    if (!estimate.total.has_interval && without == PointsWithoutInterval::left_out) continue;
    groups[{is_contended(estimate), estimate.policy}].push_back(index);
  }
  std::vector<int> most;
  for (auto& [key, indices] : groups)
    if (indices.size() > most.size()) most = std::move(indices);
  return most;
}

// Of points without an interval: how far each lies from the line between its
// neighbours, times sqrt(2/3), by the median; rises spoil few of these.
double error_from_neighbours(const std::vector<double>& values) {
  std::vector<double> distances;
  for (std::size_t i = 1; i + 1 < values.size(); ++i)
    distances.push_back(std::abs(values[i] - (values[i - 1] + values[i + 1]) / 2) * std::sqrt(2.0 / 3));
  return distances.empty() ? 0 : median_of(distances) / 0.6745; // of a normal distribution
}

CurveValue curve_value(std::int64_t bytes, const PointEstimate& estimate, double fallback_error, std::size_t points) {
  CurveValue value;
  value.log2_bytes = std::log2(static_cast<double>(bytes));
  value.value = estimate.total.estimate;
  value.standard_error = fallback_error;
  value.degrees_of_freedom = std::max(1.0, static_cast<double>(points) / 3);
  if (estimate.total.has_interval) {
    const int kept = estimate.sessions > 1 ? estimate.sessions : estimate.visits - 2 * (estimate.visits / 5);
    value.degrees_of_freedom = std::max(1, kept - 1);
    const boost::math::students_t t(value.degrees_of_freedom);
    value.standard_error = estimate.total.half_width() / boost::math::quantile(t, 0.975);
  }
  value.standard_error = std::hypot(value.standard_error, level_wander_ratio * value.value);
  return value;
}

Comparable comparable(const Run& run, const Curve& curve, const RunEstimates& estimates,
                      PointsWithoutInterval without) {
  const std::vector<int> indices = points_that_compare(curve, estimates, without);
  const auto estimate_of = [&](int index) -> const PointEstimate& {
    return estimates.points.at(static_cast<std::size_t>(index));
  };
  std::vector<double> totals;
  for (const int index : indices) totals.push_back(estimate_of(index).total.estimate);
  const double fallback_error = error_from_neighbours(totals);
  Comparable points;
  for (const int index : indices) {
    const std::int64_t bytes = run.points[static_cast<std::size_t>(index)].array_bytes;
    points.sizes.push_back(bytes);
    points.values.push_back(curve_value(bytes, estimate_of(index), fallback_error, indices.size()));
    points.pages.push_back(estimate_of(index).pages.value_or(curve.pages));
  }
  return points;
}

// The gap that holds the rise's middle: no finer is it known where that lies.
double grid_step_at(const Comparable& points, double middle_log2_bytes) {
  std::size_t above = 1;
  while (above + 1 < points.values.size() && points.values[above].log2_bytes < middle_log2_bytes) ++above;
  return points.values[above].log2_bytes - points.values[above - 1].log2_bytes;
}

Cliff cliff_of(const Rise& rise, const Comparable& points, const Curve& curve, const Environment& environment) {
  const std::vector<std::int64_t>& sizes = points.sizes;
  Cliff cliff;
  cliff.from_bytes = sizes[rise.last_low];
  cliff.from_low_bytes = sizes[rise.last_low_least];
  cliff.from_high_bytes = sizes[std::min(rise.last_low_most + 1, sizes.size() - 1)];
  cliff.to_bytes = sizes[rise.first_high];
  cliff.to_low_bytes = sizes[rise.first_high_least > 0 ? rise.first_high_least - 1 : 0];
  if (rise.first_high + 1 < sizes.size()) cliff.to_high_bytes = sizes[rise.first_high_most];
  cliff.step_ns = rise.step.value;
  cliff.step_low_ns = rise.step.low;
  cliff.step_high_ns = rise.step.high;
  const PageMode pages = points.pages[rise.first_high];
  const std::vector<CacheLevel> levels = levels_for(curve.placement, pages, environment);
  if (const auto level = level_near(levels, rise.middle_log2_bytes, grid_step_at(points, rise.middle_log2_bytes))) {
    cliff.level = level->name;
    cliff.cache_bytes = level->bytes;
  } else {
    cliff.reasons = reasons_without_level(pages, environment, levels, rise.middle_log2_bytes);
  }
  return cliff;
}

} // namespace

std::vector<CurveCliffs> cliffs_of(const Run& run, const RunEstimates& estimates, PointsWithoutInterval without) {
  std::vector<CurveCliffs> found;
  for (Curve& curve : curves_of(run.points)) {
    CurveCliffs& of_curve = found.emplace_back();
    const Comparable points = comparable(run, curve, estimates, without);
    if (curve.method == Method::paper)
      of_curve.not_judged = "The paper's method has no interval, so no cliff is looked for.";
    else if (points.sizes.size() < least_points)
      of_curve.not_judged =
          "No cliff could be looked for: at least 4 sizes with an interval, measured alike, are needed.";
    else
      for (const Rise& rise : rises_in(points.values, run.plan.seed + found.size()))
        if (rise.step.value >= std::max(least_step_ns, least_step_ratio * rise.lower_value))
          of_curve.cliffs.push_back(cliff_of(rise, points, curve, run.before));
    of_curve.curve = std::move(curve);
  }
  return found;
}

} // namespace switchscope
