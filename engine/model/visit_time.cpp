#include "engine/model/visit_time.h"

#include <algorithm>
#include <cmath>

namespace switchscope {

namespace {

constexpr double slow_ns_per_element = 20;
constexpr double usual_ns_per_element = 5;
// S1 traverses both arrays in each of 3 discarded and at least 4 timed round trips, S2A and S2B one each: 14 + 7 + 7.
constexpr double traversals_per_pair = 28;
constexpr double traversals_besides = 20;  // filling, touching pages, the pilot, checking
constexpr double ns_per_paper_trip = 60e3; // but for its traversals: three steps of 20 us
constexpr double most_ns = 30.0 * 24 * 3600 * 1e9;
constexpr double longest_jitter = 1.2;
constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t allowance = 5;

double elements_visited(const Point& point) {
  const bool leaves_out = point.pattern == Pattern::sparse && point.stride_bytes > 0;
  return static_cast<double>(point.array_bytes) / static_cast<double>(leaves_out ? point.stride_bytes : element_bytes);
}

double measuring_ns(const VisitRequest& request) {
  const double traversal_ns = elements_visited(request.point) * slow_ns_per_element;
  if (request.point.method == Method::paper)
    return static_cast<double>(paper_trips) * (3 * traversal_ns + ns_per_paper_trip);
  const double pairs_ns = traversal_ns * traversals_per_pair * std::max(request.min_pairs, 1);
  return std::max(static_cast<double>(request.duration_ns), pairs_ns);
}

} // namespace

std::int64_t planned_ns(const VisitRequest& request) {
  const double filling_ns = static_cast<double>(request.point.array_bytes) / element_bytes * slow_ns_per_element;
  return static_cast<std::int64_t>(std::min(measuring_ns(request) + filling_ns * traversals_besides, most_ns));
}

std::int64_t usual_pair_ns(const VisitRequest& request) {
  const double traversals_ns = elements_visited(request.point) * usual_ns_per_element * traversals_per_pair;
  const double blocks_ns = 3 * longest_jitter * static_cast<double>(request.block_ns);
  return std::llround(std::min(std::max(traversals_ns, blocks_ns), most_ns));
}

std::int64_t watchdog_ns(const VisitRequest& request) {
  return planned_ns(request) * allowance + 2 * second_ns;
}

std::int64_t last_deadline_ns(const VisitRequest& request) {
  return request.deadline_ns > 0 ? request.deadline_ns : watchdog_ns(request) - second_ns / 2;
}

} // namespace switchscope
