// The stopping rule; see docs/measurement.md.
#include "engine/analysis/estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace switchscope {
namespace {

constexpr double fine_enough_ns = 100;
constexpr double share_of_switching = 0.01;

double allowed_half_width_ns(const PointEstimate& estimate, const Point& point, double precision_ratio) {
  const double relative = precision_ratio * std::abs(estimate.total.estimate);
  if (point.is_direct()) return relative;
  return std::max({relative, fine_enough_ns, share_of_switching * estimate.switching_per_switch_ns});
}

} // namespace

bool is_precise(const PointEstimate& estimate, const Point& point, double precision_ratio) {
  return imprecision(estimate, point, precision_ratio) <= 1;
}

double imprecision(const PointEstimate& estimate, const Point& point, double precision_ratio) {
  if (estimate.state == EstimateState::failed || !estimate.total.has_interval)
    return std::numeric_limits<double>::infinity();
  const double half_width = estimate.total.half_width();
  const double allowed = allowed_half_width_ns(estimate, point, precision_ratio);
  const double ratio = half_width <= 0 ? 0 : half_width / allowed; // allowed may be 0: then infinite
  if (estimate.visits >= least_visits) return ratio;
  return std::max(ratio, static_cast<double>(least_visits) / estimate.visits);
}

} // namespace switchscope
