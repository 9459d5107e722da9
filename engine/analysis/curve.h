// Points that belong on one curve: alike in everything but the array size.
#pragma once

#include "engine/model/point.h"

#include <vector>

namespace switchscope {

struct Curve {
  // What its points share. Policy is part of it because curves of different policies must not be joined.
  std::int64_t stride_bytes = 0;
  Access access = Access::read_modify_write;
  Pattern pattern = Pattern::strided;
  Mechanism mechanism = Mechanism::pipe;
  TaskKind tasks = TaskKind::process;
  Kernel kernel = Kernel::vector;
  Placement placement;
  Policy policy = Policy::automatic;
  PageMode pages = PageMode::base_4k;
  Method method = Method::paired;
  int direct_index = -1;          // the D = 0 point that belongs to the curve; -1 when there is none
  std::vector<int> point_indices; // into the points given, by ascending array size; never empty, no D = 0 point
  friend bool operator==(const Curve&, const Curve&) = default;
};

// Index of the D = 0 point that belongs to a point with data; -1 when there is none.
[[nodiscard]] int direct_index_of(const std::vector<Point>& points, const Point&);

// In the order in which each curve's first point stands in `points`. D = 0 points make no curve of their own.
[[nodiscard]] std::vector<Curve> curves_of(const std::vector<Point>& points);

} // namespace switchscope
