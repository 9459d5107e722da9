#include "engine/analysis/curve.h"

#include <algorithm>

namespace switchscope {
namespace {

Curve curve_through(const Point& point) {
  Curve curve;
  curve.stride_bytes = point.stride_bytes;
  curve.access = point.access;
  curve.pattern = point.pattern;
  curve.mechanism = point.mechanism;
  curve.tasks = point.tasks;
  curve.kernel = point.kernel;
  curve.placement = point.placement;
  curve.policy = point.policy;
  curve.pages = point.pages;
  curve.method = point.method;
  return curve;
}

} // namespace

int direct_index_of(const std::vector<Point>& points, const Point& point) {
  const auto direct = std::find(points.begin(), points.end(), direct_point_of(point));
  return direct == points.end() ? -1 : static_cast<int>(direct - points.begin());
}

std::vector<Curve> curves_of(const std::vector<Point>& points) {
  std::vector<Curve> shapes; // without points, to compare with
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].is_direct()) continue;
    const Curve shape = curve_through(points[i]);
    const auto known = std::find(shapes.begin(), shapes.end(), shape);
    const auto at = static_cast<std::size_t>(known - shapes.begin());
    if (known == shapes.end()) {
      shapes.push_back(shape);
      curves.push_back(shape);
      curves.back().direct_index = direct_index_of(points, points[i]);
    }
    curves[at].point_indices.push_back(static_cast<int>(i));
  }
  for (Curve& curve : curves)
    std::stable_sort(curve.point_indices.begin(), curve.point_indices.end(), [&](int a, int b) {
      return points[static_cast<std::size_t>(a)].array_bytes < points[static_cast<std::size_t>(b)].array_bytes;
    });
  return curves;
}

} // namespace switchscope
