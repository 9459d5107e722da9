#include "engine/run/visit_time.h"

#include <algorithm>

namespace switchscope {

namespace {

constexpr double ns_per_element = 20;
// S1 traverses both arrays in each of 3 discarded and at least 4 timed round trips, S2A and S2B one each: 14 + 7 + 7.
constexpr double traversals_per_pair = 28;
constexpr double traversals_besides = 20;  // filling, touching pages, the pilot, checking
constexpr double ns_per_paper_trip = 60e3; // but for its traversals: three steps of 20 us
constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t allowance = 5;

double elements_visited(const Point& point) {
  const bool leaves_out = point.pattern == Pattern::sparse && point.stride_bytes > 0;
  return static_cast<double>(point.array_bytes) / static_cast<double>(leaves_out ? point.stride_bytes : element_bytes);
}

} // namespace

std::int64_t planned_ns(const VisitRequest& request) {
  const bool is_paper = request.point.method == Method::paper;
  const double traversal_ns = elements_visited(request.point) * ns_per_element;
  const double filling_ns = static_cast<double>(request.point.array_bytes) / element_bytes * ns_per_element;
  const double pairs_ns = traversal_ns * traversals_per_pair * std::max(request.min_pairs, 1);
  const double round_ns = static_cast<double>(paper_trips) * (3 * traversal_ns + ns_per_paper_trip);
  const std::int64_t measuring_ns = is_paper ? static_cast<std::int64_t>(round_ns)
                                             : std::max(request.duration_ns, static_cast<std::int64_t>(pairs_ns));
  return measuring_ns + static_cast<std::int64_t>(filling_ns * traversals_besides);
}

std::int64_t watchdog_ns(const VisitRequest& request) {
  return planned_ns(request) * allowance + 2 * second_ns;
}

} // namespace switchscope
