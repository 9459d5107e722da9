#include "engine/analysis/other_tools.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace switchscope {
namespace {

struct Measured {
  const Point* point = nullptr;
  const PointEstimate* estimate = nullptr;
};

std::optional<Placement> first_single_cpu(const Run& run) {
  for (const Point& point : run.points)
    if (point.placement.kind == Placement::Kind::same_cpu) return point.placement;
  return std::nullopt;
}

std::vector<Measured> measured_there(const Run& run, const RunEstimates& estimates, const Placement& placement) {
  std::vector<Measured> found;
  for (std::size_t i = 0; i < run.points.size(); ++i)
    if (run.points[i].placement == placement && run.points[i].mechanism == Mechanism::pipe &&
        estimates.points.at(i).state != EstimateState::failed)
      found.push_back({&run.points[i], &estimates.points[i]});
  return found;
}

// The points for which `wanted` holds, one for each (size, stride): the first by the preferred method.
template <class Wanted> std::vector<Measured> one_each(std::vector<Measured> points, Method preferred, Wanted wanted) {
  const auto shape = [](const Measured& each) { return std::tuple{each.point->array_bytes, each.point->stride_bytes}; };
  std::erase_if(points, [&](const Measured& each) { return !wanted(*each.point); });
  std::stable_sort(points.begin(), points.end(), [&](const Measured& a, const Measured& b) {
    return std::tuple{shape(a), a.point->method != preferred} < std::tuple{shape(b), b.point->method != preferred};
  });
  points.erase(std::unique(points.begin(), points.end(),
                           [&](const Measured& a, const Measured& b) { return shape(a) == shape(b); }),
               points.end());
  return points;
}

void add_perf(std::vector<OtherTool>& tools, const std::vector<Measured>& points) {
  for (const TaskKind tasks : {TaskKind::process, TaskKind::thread})
    for (const Measured& each : one_each(
             points, Method::paired, [tasks](const Point& point) { return point.is_direct() && point.tasks == tasks; }))
      tools.push_back({tasks == TaskKind::process ? "perf bench sched pipe" : "perf bench sched pipe -T", "usecs/op",
                       "2 x S1 without data", 2 * each.estimate->switching_per_switch_ns, each.estimate->state});
}

bool lat_ctx_walks(const Point& point) {
  constexpr std::int64_t kib = 1024; // the unit of its -s
  const bool reads_neighbours = point.access == Access::read && point.pattern != Pattern::random &&
                                point.stride_bytes == element_bytes && point.array_bytes % kib == 0;
  return point.tasks == TaskKind::process && (point.is_direct() || reads_neighbours);
}

void add_lat_ctx(std::vector<OtherTool>& tools, const std::vector<Measured>& points) {
  const std::string formula = "C2 = S1 - S2, read, stride 8 B";
  bool with_data = false, some_data = false;
  for (const Measured& each : points) some_data = some_data || !each.point->is_direct();
  for (const Measured& each : one_each(points, Method::paired, lat_ctx_walks)) {
    const double cost_ns = each.estimate->total.estimate;
    with_data = with_data || !each.point->is_direct();
    tools.push_back({"lat_ctx -s " + std::to_string(each.point->array_bytes / 1024) + " 2",
                     cost_ns > 0 ? "us a switch" : "nothing, for it is not above 0",
                     each.point->is_direct() ? "C1 = S1 - S2 without data" : formula, cost_ns, each.estimate->state});
  }
  if (some_data && !with_data)
    tools.push_back({"lat_ctx -s KIB 2", "us a switch", formula + ": measure --access read --stride 8B", std::nullopt,
                     std::nullopt});
}

void add_authors(std::vector<OtherTool>& tools, const std::vector<Measured>& points) {
  for (const Measured& each : one_each(points, Method::paper, [](const Point& point) {
         return point.tasks == TaskKind::process &&
                (point.is_direct() || (point.access == Access::read_modify_write && point.pattern == Pattern::strided));
       })) {
    const std::string data = each.point->is_direct()
                                 ? std::string(" without data")
                                 : std::string(" of rmw, strided ") + std::to_string(each.point->stride_bytes) + " B";
    const std::string rounds = each.point->method == Method::paper ? ", smallest of the rounds" : "";
    const std::string options =
        " -n " + std::to_string(each.point->array_bytes) + " -s " + std::to_string(each.point->stride_bytes);
    tools.push_back({"measureSingle" + options, "time1, us a trip", "S2" + data + rounds,
                     each.estimate->baseline_per_trip_ns, each.estimate->state});
    tools.push_back({"measureSwitch" + options, "time2, us a switch", "S1" + data + rounds,
                     each.estimate->switching_per_switch_ns, each.estimate->state});
  }
}

} // namespace

std::vector<OtherTool> other_tools(const Run& run, const RunEstimates& estimates) {
  std::vector<OtherTool> tools;
  const auto placement = first_single_cpu(run);
  if (!placement) return tools;
  const std::vector<Measured> points = measured_there(run, estimates, *placement);
  add_perf(tools, points);
  add_lat_ctx(tools, points);
  add_authors(tools, points);
  return tools;
}

} // namespace switchscope
