// The run: what was asked, on which machine, in which sessions.
#include "engine/export/document_parts.h"
#include "engine/protocol/json.h"

#include <algorithm>

namespace switchscope::document {

namespace {

// A run that still measures has the state of one that was cut short: the document tells what is there now.
RunState state_shown(RunState state) {
  return state == RunState::running || state == RunState::not_ended ? RunState::incomplete : state;
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

} // namespace

json run_part(const Run& run, const RunEstimates& estimates, const std::vector<ResumedOn>& resumptions) {
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

} // namespace switchscope::document
