#include "engine/analysis/conditions.h"
#include "engine/analysis/other_tools.h"
#include "engine/export/document_parts.h"
#include "engine/export/export.h"
#include "engine/protocol/json.h"

namespace switchscope {

namespace {

using nlohmann::json;

constexpr int result_schema = 1;

json others_json(const Run& run, const RunEstimates& estimates) {
  json others = json::array();
  for (const OtherTool& tool : other_tools(run, estimates))
    others.push_back({{"tool", tool.tool},
                      {"prints", tool.prints},
                      {"formula", tool.formula},
                      {"value_ns", tool.value_ns ? document::number(*tool.value_ns) : json(nullptr)},
                      {"state", tool.state ? json(name_of(*tool.state)) : json(nullptr)}});
  return others;
}

json range_json(const std::optional<Range>& range) {
  if (!range) return nullptr;
  return {{"low", range->low}, {"median", range->median}, {"high", range->high}};
}

json conditions_json(const Conditions& conditions) {
  return {{"visits", conditions.visits},
          {"measured_ns", conditions.measured_ns},
          {"contended_share", conditions.contended_share ? json(*conditions.contended_share) : json(nullptr)},
          {"adds_per_cycle", range_json(conditions.adds_per_cycle)},
          {"clock_adds_per_ns", range_json(conditions.clock_adds_per_ns)},
          {"self_pipe_ns", range_json(conditions.self_pipe_ns)},
          {"clock_ghz", range_json(conditions.clock_ghz)},
          {"clock_drift_ppm", range_json(conditions.clock_drift_ppm)},
          {"memory_tag_ns", range_json(conditions.memory_tag_ns)},
          {"steal_ns", conditions.steal_ns},
          {"interrupts", conditions.interrupts},
          {"stalled_pairs", conditions.stalled_pairs},
          {"throttled_pairs", conditions.throttled_pairs}};
}

} // namespace

json result_document(const Run& run, const std::vector<Visit>& visits, const RunEstimates& estimates,
                     const std::vector<ResumedOn>& resumptions,
                     const std::optional<InstrumentCheck>& instrument_check) {
  const auto obtained = obtained_by_point(run.points.size(), visits);
  json points = json::array();
  json direct = json::array();
  json first_direct = document::direct_summary({}); // of no point
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const auto& point = run.points[i];
    const auto& estimate = estimates.points.at(i);
    points.push_back(document::point_part(run, estimates, i, obtained[i]));
    if (!point.is_direct()) continue;
    if (direct.empty()) first_direct = document::direct_summary(estimate); // points come in the plan's order
    direct.push_back(document::direct_part(point, estimate, obtained[i]));
  }
  document::CliffParts cliffs = document::cliff_parts(run, estimates, obtained);
  return {{"schema", result_schema},
          {"run", document::run_part(run, estimates, resumptions)},
          {"direct_ns", std::move(first_direct)},
          {"direct", std::move(direct)},
          {"points", std::move(points)},
          {"cliffs", std::move(cliffs.cliffs)},
          {"not_judged", std::move(cliffs.not_judged)},
          {"conditions", conditions_json(conditions_of(run, estimates, visits))},
          {"others", others_json(run, estimates)},
          {"instrument_check", instrument_check ? switchscope::json_of(*instrument_check) : json(nullptr)}};
}

} // namespace switchscope
