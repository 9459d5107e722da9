#include "engine/analysis/cliffs.h"
#include "engine/analysis/conditions.h"
#include "engine/analysis/other_tools.h"
#include "engine/export/export.h"
#include "engine/export/facts_of_point.h"
#include "engine/protocol/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace switchscope {

namespace {

using nlohmann::json;

constexpr int result_schema = 1;

json number(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}
json text_or_null(const std::optional<std::string>& text) {
  return text ? json(*text) : json(nullptr);
}

json json_of(const Interval& interval) {
  return {{"estimate", number(interval.estimate)}, {"low", number(interval.low)}, {"high", number(interval.high)}};
}
json no_interval() {
  return {{"estimate", nullptr}, {"low", nullptr}, {"high", nullptr}};
}

bool is_measured(const PointEstimate& estimate) {
  return estimate.state != EstimateState::failed;
}
// What a failed point holds is no measurement: null, where 0 would read as a cost of nothing.
json measured(const PointEstimate& estimate, const Interval& interval) {
  return is_measured(estimate) ? json_of(interval) : no_interval();
}

// A run that still measures has the state of one that was cut short: the document tells what is there now.
RunState state_shown(RunState state) {
  return state == RunState::running || state == RunState::not_ended ? RunState::incomplete : state;
}

json placement_json(const Point& point, const Obtained& obtained) {
  return {{"cpus", text_of(point.placement)},
          {"policy", {{"asked", name_of(point.policy)}, {"obtained", text_or_null(obtained.policy)}}},
          {"pages", {{"asked", name_of(point.pages)}, {"obtained", text_or_null(obtained.pages)}}}};
}

bool is_over_sessions(const RunEstimates& estimates) {
  return std::any_of(estimates.points.begin(), estimates.points.end(),
                     [](const PointEstimate& estimate) { return estimate.sessions > 1; });
}

json interval_json(const RunEstimates& estimates) {
  const bool over_sessions = is_over_sessions(estimates);
  return {{"level", 0.95},
          {"method", estimates.interval_method.empty() ? json(nullptr) : json(estimates.interval_method)},
          {"over", over_sessions ? "sessions" : "visits"}};
}

// Without hwloc's text: it is larger than all the rest, and what it tells of CPUs and caches is there.
json environment_json(const Environment& environment) {
  json fields = switchscope::json_of(environment);
  fields.erase("topology_xml");
  return fields;
}

std::string methods_text(const std::vector<Method>& methods) {
  std::string text;
  for (const Method method : methods) text += (text.empty() ? "" : ",") + std::string(name_of(method));
  return text;
}

json resumptions_json(const std::vector<ResumedOn>& resumptions) {
  json list = json::array();
  for (const auto& resumption : resumptions)
    list.push_back({{"started_at", resumption.started_at}, {"differences", resumption.differences}});
  return list;
}

json sessions_json(const Run& run) {
  json sessions = json::array();
  for (const Session& session : run.sessions)
    sessions.push_back({{"session", session.number},
                        {"started_at", session.started_at},
                        {"finished_at", text_or_null(session.finished_at)},
                        {"measuring_s", session.measuring_s},
                        {"throttle_wait_s", session.throttle_wait_s},
                        {"environment", environment_json(session.before)},
                        {"environment_after", session.after ? environment_json(*session.after) : json(nullptr)}});
  return sessions;
}

// Components as they came out, a negative one too; the shares are of the sum of the positive ones.
json variance_json(const std::optional<VarianceComponents>& variance) {
  if (!variance) return nullptr;
  const auto component = [&](std::optional<double> value) {
    return value ? json{{"ns2", number(*value)}, {"share", number(variance->share_of(*value))}} : json(nullptr);
  };
  return {{"within_visits", component(variance->within_visits)},
          {"between_visits", component(variance->between_visits)},
          {"between_sessions", component(variance->between_sessions)},
          {"pairs", variance->pairs},
          {"visits", variance->visits},
          {"sessions", variance->sessions}};
}

// What each session by itself says, with intervals over its visits.
json by_session_json(const RunEstimates& estimates, std::size_t point) {
  json sessions = json::array();
  if (estimates.sessions.size() < 2) return sessions; // a single one is the run
  for (const SessionEstimates& session : estimates.sessions) {
    const PointEstimate& estimate = session.points.at(point);
    sessions.push_back(
        {{"session", session.session},
         {"state", name_of(estimate.state)},
         {"total_ns", measured(estimate, estimate.total)},
         {"indirect_ns", estimate.indirect && is_measured(estimate) ? json_of(*estimate.indirect) : json(nullptr)},
         {"visits", estimate.visits}});
  }
  return sessions;
}

json run_json(const Run& run, const RunEstimates& estimates, const std::vector<ResumedOn>& resumptions) {
  return {{"id", run.id},
          {"name", run.name},
          {"kind", "switch-cost"},
          {"state", name_of(state_shown(run.state))},
          {"method", methods_text(run.plan.methods)},
          {"seed", run.plan.seed},
          {"started_at", run.started_at},
          {"finished_at", text_or_null(run.finished_at)},
          {"plan", switchscope::json_of(run.plan)},
          {"environment", environment_json(run.before)},
          {"resumptions", resumptions_json(resumptions)},
          {"sessions", sessions_json(run)},
          {"interval", interval_json(estimates)},
          {"precision_reached", {{"points", estimates.points_precise}, {"of", estimates.points_paired}}}};
}

json reasons_json(const std::map<SetAside, int>& blocks_by_reason) {
  json reasons = json::object();
  for (const auto& [reason, blocks] : blocks_by_reason)
    if (reason != SetAside::none && blocks > 0) reasons[std::string(name_of(reason))] = blocks;
  return reasons;
}

json flags_json(const PointEstimate& estimate) {
  json flags = json::array();
  for (const auto flag : estimate.flags) flags.push_back(name_of(flag));
  return flags;
}

json counters_json(const PointEstimate& estimate) {
  json counters = json::object();
  for (const CounterPerSwitch& counter : estimate.counters)
    counters[counter.name] = {{"per_switch", number(counter.per_switch)},
                              {"unit", counter.unit},
                              {"visits", counter.visits},
                              {"scheduled_share", number(counter.scheduled_share)}};
  return counters;
}

json point_json(const Run& run, const RunEstimates& estimates, std::size_t index, const Obtained& obtained) {
  const Point& point = run.points.at(index);
  const PointEstimate& estimate = estimates.points.at(index);
  const bool direct = point.is_direct();
  const bool ordered = !direct && point.pattern != Pattern::random;
  return {{"array_bytes", point.array_bytes},
          {"stride_bytes", ordered ? json(point.stride_bytes) : json(nullptr)},
          {"access", direct ? json(nullptr) : json(name_of(point.access))},
          {"pattern", direct ? json(nullptr) : json(name_of(point.pattern))},
          {"mechanism", name_of(point.mechanism)},
          {"tasks", name_of(point.tasks)},
          {"kernel", name_of(point.kernel)},
          {"method", name_of(point.method)},
          {"core_type", text_or_null(core_type_of(point.placement, run.before))},
          {"state", name_of(estimate.state)},
          {"placement", placement_json(point, obtained)},
          {"switching_per_switch_ns", is_measured(estimate) ? number(estimate.switching_per_switch_ns) : json(nullptr)},
          {"baseline_per_trip_ns", is_measured(estimate) ? number(estimate.baseline_per_trip_ns) : json(nullptr)},
          {"total_ns", measured(estimate, estimate.total)},
          {"total_raw_ns", estimate.total_raw && is_measured(estimate) ? json_of(*estimate.total_raw) : json(nullptr)},
          {"total_cycles",
           estimate.total_cycles && is_measured(estimate) ? json_of(*estimate.total_cycles) : json(nullptr)},
          {"total_all_blocks_ns", measured(estimate, estimate.total_all_blocks)},
          {"depends_on_set_aside", estimate.depends_on_set_aside},
          {"indirect_ns", estimate.indirect && is_measured(estimate) ? json_of(*estimate.indirect) : json(nullptr)},
          {"interval_over", text_or_null(interval_over(estimate))},
          {"sessions", estimate.sessions},
          {"by_session", by_session_json(estimates, index)},
          {"variance", variance_json(estimate.variance)},
          {"visits", estimate.visits},
          {"blocks", estimate.blocks},
          {"blocks_used", estimate.blocks_used},
          {"set_aside", reasons_json(estimate.set_aside)},
          {"used_despite", reasons_json(estimate.used_despite)},
          {"stalls", reasons_json(estimate.stalls)},
          {"switches", {{"expected", estimate.switches_expected}, {"observed", estimate.switches_observed}}},
          {"counters", counters_json(estimate)},
          {"flags", flags_json(estimate)}};
}

json direct_json(const Point& point, const PointEstimate& estimate, const Obtained& obtained) {
  json direct = measured(estimate, estimate.total);
  direct["mechanism"] = name_of(point.mechanism);
  direct["tasks"] = name_of(point.tasks);
  direct["kernel"] = name_of(point.kernel);
  direct["method"] = name_of(point.method);
  direct["placement"] = placement_json(point, obtained);
  direct["state"] = name_of(estimate.state);
  direct["sessions"] = estimate.sessions;
  direct["visits"] = estimate.visits;
  return direct;
}

json others_json(const Run& run, const RunEstimates& estimates) {
  json others = json::array();
  for (const OtherTool& tool : other_tools(run, estimates))
    others.push_back({{"tool", tool.tool},
                      {"prints", tool.prints},
                      {"formula", tool.formula},
                      {"value_ns", tool.value_ns ? number(*tool.value_ns) : json(nullptr)},
                      {"state", tool.state ? json(name_of(*tool.state)) : json(nullptr)}});
  return others;
}

json curve_json(const Run& run, const Curve& curve, const std::vector<Obtained>& obtained) {
  const auto first = static_cast<std::size_t>(curve.point_indices.front());
  return {{"stride_bytes", curve.pattern != Pattern::random ? json(curve.stride_bytes) : json(nullptr)},
          {"access", name_of(curve.access)},
          {"pattern", name_of(curve.pattern)},
          {"mechanism", name_of(curve.mechanism)},
          {"tasks", name_of(curve.tasks)},
          {"kernel", name_of(curve.kernel)},
          {"placement", placement_json(run.points[first], obtained[first])}};
}

json cliff_json(const Cliff& cliff) {
  return {{"level", text_or_null(cliff.level)},
          {"cache_bytes", cliff.cache_bytes ? json(*cliff.cache_bytes) : json(nullptr)},
          {"from_bytes", cliff.from_bytes},
          {"from_low_bytes", cliff.from_low_bytes},
          {"from_high_bytes", cliff.from_high_bytes},
          {"to_bytes", cliff.to_bytes},
          {"to_low_bytes", cliff.to_low_bytes},
          {"to_high_bytes", cliff.to_high_bytes ? json(*cliff.to_high_bytes) : json(nullptr)},
          {"step_ns", number(cliff.step_ns)},
          {"step_low_ns", number(cliff.step_low_ns)},
          {"step_high_ns", number(cliff.step_high_ns)},
          {"reasons", cliff.reasons}};
}

json cliffs_json(const Run& run, const RunEstimates& estimates, const std::vector<Obtained>& obtained) {
  json cliffs = json::array();
  for (const auto& found : cliffs_of(run, estimates))
    for (const auto& cliff : found.cliffs) {
      json fields = cliff_json(cliff);
      fields["curve"] = curve_json(run, found.curve, obtained);
      cliffs.push_back(std::move(fields));
    }
  return cliffs;
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
  json first_direct = no_interval();
  first_direct["state"] = name_of(EstimateState::failed);
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const auto& point = run.points[i];
    const auto& estimate = estimates.points.at(i);
    points.push_back(point_json(run, estimates, i, obtained[i]));
    if (!point.is_direct()) continue;
    if (direct.empty()) { // points come in the plan's order, so this is the plan's first placement
      first_direct = measured(estimate, estimate.total);
      first_direct["state"] = name_of(estimate.state);
    }
    direct.push_back(direct_json(point, estimate, obtained[i]));
  }
  return {{"schema", result_schema},
          {"run", run_json(run, estimates, resumptions)},
          {"direct_ns", std::move(first_direct)},
          {"direct", std::move(direct)},
          {"points", std::move(points)},
          {"cliffs", cliffs_json(run, estimates, obtained)},
          {"conditions", conditions_json(conditions_of(run, estimates, visits))},
          {"others", others_json(run, estimates)},
          {"instrument_check", instrument_check ? switchscope::json_of(*instrument_check) : json(nullptr)}};
}

} // namespace switchscope
