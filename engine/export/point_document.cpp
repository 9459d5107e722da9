// The points: what was asked and obtained, and what it cost.
#include "engine/export/document_parts.h"

namespace switchscope::document {

namespace {

bool is_measured(const PointEstimate& estimate) {
  return estimate.state != EstimateState::failed;
}

// Whether the ends are a 95 % interval or only the range seen.
json json_of(const Interval& interval) {
  return {{"estimate", number(interval.estimate)},
          {"low", number(interval.low)},
          {"high", number(interval.high)},
          {"ends", interval.has_interval ? "interval" : "range"}};
}

// What a failed point holds is no measurement: null, where 0 would read as a cost of nothing.
json measured(const PointEstimate& estimate, const Interval& interval) {
  if (is_measured(estimate)) return json_of(interval);
  return {{"estimate", nullptr}, {"low", nullptr}, {"high", nullptr}, {"ends", nullptr}};
}
json measured(const PointEstimate& estimate, const std::optional<Interval>& interval) {
  return interval && is_measured(estimate) ? json_of(*interval) : json(nullptr);
}

json sentence_or_null(const std::string& sentence) {
  return sentence.empty() ? json(nullptr) : json(sentence);
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
    sessions.push_back({{"session", session.session},
                        {"state", name_of(estimate.state)},
                        {"total_ns", measured(estimate, estimate.total)},
                        {"indirect_ns", measured(estimate, estimate.indirect)},
                        {"visits", estimate.visits}});
  }
  return sessions;
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

} // namespace

json placement_part(const Point& point, const Obtained& obtained) {
  return {{"cpus", text_of(point.placement)},
          {"policy", {{"asked", name_of(point.policy)}, {"obtained", text_or_null(obtained.policy)}}},
          {"pages", {{"asked", name_of(point.pages)}, {"obtained", text_or_null(obtained.pages)}}}};
}

json point_part(const Run& run, const RunEstimates& estimates, std::size_t index, const Obtained& obtained) {
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
          {"placement", placement_part(point, obtained)},
          {"switching_per_switch_ns", is_measured(estimate) ? number(estimate.switching_per_switch_ns) : json(nullptr)},
          {"baseline_per_trip_ns", is_measured(estimate) ? number(estimate.baseline_per_trip_ns) : json(nullptr)},
          {"total_ns", measured(estimate, estimate.total)},
          {"total_raw_ns", measured(estimate, estimate.total_raw)},
          {"total_cycles", measured(estimate, estimate.total_cycles)},
          {"total_all_blocks_ns", measured(estimate, estimate.total_all_blocks)},
          {"depends_on_set_aside", estimate.depends_on_set_aside},
          {"indirect_ns", measured(estimate, estimate.indirect)},
          {"indirect_absent_reason", sentence_or_null(estimate.indirect_absent_reason)},
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
          {"flags", flags_json(estimate)},
          {"failure", sentence_or_null(estimate.failure)}};
}

json direct_summary(const PointEstimate& estimate) {
  json summary = measured(estimate, estimate.total);
  summary["state"] = name_of(estimate.state);
  return summary;
}

json direct_part(const Point& point, const PointEstimate& estimate, const Obtained& obtained) {
  json direct = direct_summary(estimate);
  direct["mechanism"] = name_of(point.mechanism);
  direct["tasks"] = name_of(point.tasks);
  direct["kernel"] = name_of(point.kernel);
  direct["method"] = name_of(point.method);
  direct["placement"] = placement_part(point, obtained);
  direct["sessions"] = estimate.sessions;
  direct["visits"] = estimate.visits;
  return direct;
}

} // namespace switchscope::document
