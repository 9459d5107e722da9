#include "engine/session/session.h"

#include "engine/analysis/points_to_add.h"
#include "engine/machine/machine.h"
#include "engine/model/run_id.h"
#include "engine/model/utc.h"
#include "engine/protocol/json.h"
#include "engine/session/cpu_levels.h"
#include "engine/session/session_machines.h"

#include <algorithm>

namespace switchscope {

namespace {

// Where only a budget was asked, the run still has to know which intervals are wide.
double precision_of(const Plan& plan) {
  return plan.precision_ratio.value_or(default_precision_ratio);
}

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const auto& sentence : sentences) text += (text.empty() ? "" : "\n") + sentence;
  return text;
}

// A CPU that does not exist is a mistake in the plan; one that is switched off, and memory that is not there, are the
// machine's limits.
void refuse_what_does_not_fit(const Environment& environment, const Plan& plan) {
  std::vector<std::string> mistakes;
  std::vector<std::string> limits;
  for (const auto& problem : problems_of(plan)) mistakes.push_back(problem.message);
  for (const auto& problem : problems_on(environment, plan))
    (problem.field == "cpu" ? mistakes : limits).push_back(problem.message);
  if (!mistakes.empty()) throw SessionRefusal(SessionRefusal::Kind::bad_plan, joined(mistakes));
  if (!limits.empty()) throw SessionRefusal(SessionRefusal::Kind::machine, joined(limits));
}

void store_reasons(const Run& run, const std::vector<Visit>& visits, const RunEstimates& estimates, Store& store) {
  for (const auto& visit : visits) {
    const VisitData* data = visit.data();
    if (data == nullptr || visit.request.counters) continue; // counting visits have no part in any cost
    const Point& point = run.points.at(static_cast<std::size_t>(visit.point_index));
    store.store_set_aside(run.id, visit.sequence,
                          set_aside_of(visit, run.thresholds, split_of(estimates, visit.session, point.placement),
                                       run.before,
                                       estimates.points.at(static_cast<std::size_t>(visit.point_index)).policy));
  }
}

constexpr const char* selftest_kind = "selftest";

std::optional<InstrumentCheck> instrument_check_of(const Run& run, const Store& store) {
  for (const auto& placement : run.plan.placements) {
    if (placement.kind != Placement::Kind::same_cpu) continue;
    const auto stored = store.last_check(selftest_kind, machine_key(run.before), placement.cpu_a, run.started_at);
    if (!stored) return std::nullopt;
    try {
      return instrument_check_from_text(stored->document);
    } catch (const JsonProblem&) { // of another version, or damaged: the run stands without it
      return std::nullopt;
    }
  }
  return std::nullopt;
}

} // namespace

Environment describe_machine(WorkerLink& link, const Hello& hello) {
  return environment_from(link.describe(), hello);
}

RunTask new_run(const Plan& asked, const Environment& environment, const Store& store) {
  RunTask task;
  Run& run = task.run;
  run.plan = with_cpus_chosen(asked, environment);
  refuse_what_does_not_fit(environment, run.plan);
  Expansion expansion = expand(run.plan);
  run.points = std::move(expansion.points);
  run.left_out = expansion.left_out;
  run.id = new_run_id();
  run.name = run.plan.name;
  run.started_at = utc_now_text();
  run.before = environment;
  run.thresholds.stored_levels = levels_known(run.plan, machine_key(environment), store);
  return task;
}

RunTask resumed_run(const std::string& run_id, const Environment& now, const Store& store, bool anyway,
                    bool new_session) {
  RunTask task;
  task.run = store.load_run(run_id);
  task.earlier = store.load_visits(run_id);
  Run& run = task.run;
  if (const auto different = differences(run.before, now); !different.empty() && !anyway)
    throw SessionRefusal(
        SessionRefusal::Kind::machine,
        "This is not the machine the run was begun on:\n" + joined(different) +
            "\nA curve must not mix machines. Start a new run, or give --anyway to mix them knowingly.");
  if (new_session) run.plan.sessions = std::max(run.plan.sessions, static_cast<int>(run.sessions.size()) + 1);
  refuse_what_does_not_fit(now, run.plan);
  if (run.state == RunState::completed && !new_session && !run.sessions.empty())
    run.sessions.back().finished_at.reset(); // its failed points are tried again
  run.state = RunState::running;
  run.finished_at.reset();
  task.resumed_on = now;
  task.new_session = new_session;
  task.any_machine = anyway;
  return task;
}

RunEnded measure(const RunTask& task, WorkerLink& link, const Hello& hello, Store& store, const EventSink& show,
                 const StopFlag& stop) {
  Run run = task.run; // its points grow
  std::vector<Visit> visits = task.earlier;

  const auto to_add = [&run](const std::vector<Visit>& so_far) -> std::vector<Point> {
    if (run.plan.max_added_points == 0) return {};
    return points_to_add(run, estimate_run(run, so_far));
  };

  const auto imprecision_of = [&run](const std::vector<Visit>& so_far) {
    const RunEstimates estimates = estimate_run(run, so_far);
    std::vector<double> imprecise;
    imprecise.reserve(run.points.size());
    for (std::size_t i = 0; i < run.points.size(); ++i)
      imprecise.push_back(imprecision(estimates.points[i], run.points[i], precision_of(run.plan)));
    return imprecise;
  };

  SessionMachines machines(task, link, hello, stop);
  const auto commit_then_show = [&](const RunEvent& told) {
    RunEvent event = told;
    if (auto* started = std::get_if<SessionStarted>(&event)) machines.begin(*started);
    if (auto* ended = std::get_if<SessionEnded>(&event)) machines.end(*ended);
    if (const auto* ended = std::get_if<VisitEnded>(&event)) visits.push_back(ended->visit);
    if (const auto* added = std::get_if<PointsAdded>(&event))
      run.points.insert(run.points.end(), added->points.begin(), added->points.end());
    if (auto* ended = std::get_if<RunEnded>(&event)) {
      ended->after = machines.after();
      const RunEstimates estimates = estimate_run(run, visits);
      store_reasons(run, visits, estimates, store);
      remember_levels(task, estimates, store);
    }
    store.append(event);
    show(event);
  };

  RunEnded ended = run_sweep(task, link, imprecision_of, commit_then_show, stop, to_add);
  if (!machines.refusal().empty()) throw SessionRefusal(SessionRefusal::Kind::machine, machines.refusal());
  return ended;
}

LoadedRun load(const std::string& run_id, const Store& store) {
  LoadedRun loaded{store.load_run(run_id), store.load_visits(run_id), {}, {}};
  loaded.estimates = estimate_run(loaded.run, loaded.visits);
  for (const auto& resumption : store.load_resumptions(run_id))
    loaded.resumptions.push_back({resumption.started_at, differences(loaded.run.before, resumption.environment)});
  loaded.instrument_check = instrument_check_of(loaded.run, store);
  return loaded;
}

bool has_nothing_left(const LoadedRun& loaded) {
  const auto& points = loaded.estimates.points;
  return loaded.run.state == RunState::completed &&
         std::none_of(points.begin(), points.end(),
                      [](const PointEstimate& point) { return point.state == EstimateState::failed; });
}

void store_instrument_check(const InstrumentCheck& check, const Environment& environment, Store& store) {
  store.remember_check({selftest_kind, machine_key(environment), check.cpu, check.taken_at, text_of(check)});
}

} // namespace switchscope
