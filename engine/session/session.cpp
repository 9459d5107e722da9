#include "engine/session/session.h"

#include "engine/analysis/points_to_add.h"
#include "engine/machine/machine.h"
#include "engine/machine/readiness.h"
#include "engine/model/run_id.h"
#include "engine/model/utc.h"
#include "engine/protocol/json.h"
#include "engine/session/session_machines.h"

#include <algorithm>
#include <map>
#include <set>

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

std::map<std::string, StoredLevel> levels_known(const Plan& plan, const std::string& machine, const Store& store) {
  std::map<std::string, StoredLevel> levels;
  for (const auto& placement : plan.placements) {
    if (placement.kind != Placement::Kind::same_cpu) continue;
    if (const auto level = store.cpu_level(machine, placement.cpu_a))
      levels[text_of(placement)] = {level->split_adds_per_cycle, level->clean_self_pipe_ns};
  }
  return levels;
}

// What the run taught about its CPUs, for later runs that happen to show no contention of their own.
void remember_levels(const Run& run, const RunEstimates& estimates, Store& store) {
  for (const auto& session : estimates.sessions) // the last one that knows counts
    for (const auto& placement : run.plan.placements) {
      if (placement.kind != Placement::Kind::same_cpu) continue;
      const ContentionSplit split = split_of(estimates, session.session, placement);
      if (split.source != ContentionSplit::Source::this_run) continue;
      store.remember_cpu_level(
          machine_key(run.before), placement.cpu_a,
          CpuLevel{split.split_adds_per_cycle, split.clean_adds_per_cycle, split.clean_self_pipe_ns, utc_now_text()});
    }
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
    } catch (const JsonProblem& problem) {
      throw StoreProblem("The selftest of " + stored->taken_at + " cannot be read: " + problem.what() +
                         " Run switchscope-cli selftest again.");
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

Resumption resumed_run(const std::string& run_id, const Environment& now, const Store& store, bool anyway,
                       bool new_session) {
  Resumption resumption;
  resumption.task.run = store.load_run(run_id);
  resumption.task.earlier = store.load_visits(run_id);
  Run& run = resumption.task.run;
  if (run.state == RunState::completed && !new_session) {
    resumption.already_complete = true;
    return resumption;
  }
  if (const auto different = differences(run.before, now); !different.empty() && !anyway)
    throw SessionRefusal(
        SessionRefusal::Kind::machine,
        "This is not the machine the run was begun on:\n" + joined(different) +
            "\nA curve must not mix machines. Start a new run, or give --anyway to mix them knowingly.");
  if (new_session) run.plan.sessions = std::max(run.plan.sessions, static_cast<int>(run.sessions.size()) + 1);
  refuse_what_does_not_fit(now, run.plan);
  run.state = RunState::running;
  run.finished_at.reset();
  resumption.task.resumed_on = now;
  resumption.task.new_session = new_session;
  resumption.task.any_machine = anyway;
  return resumption;
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
      remember_levels(run, estimates, store);
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

void store_instrument_check(const InstrumentCheck& check, const Environment& environment, Store& store) {
  store.remember_check({selftest_kind, machine_key(environment), check.cpu, check.taken_at, text_of(check)});
}

std::vector<std::string> unmet_requirements(const LoadedRun& loaded) {
  const Requirements& require = loaded.run.plan.require;
  const auto& points = loaded.estimates.points;
  const auto flagged = [&points](Flag flag) {
    return std::count_if(points.begin(), points.end(), [flag](const PointEstimate& point) {
      return std::find(point.flags.begin(), point.flags.end(), flag) != point.flags.end();
    });
  };
  const std::string of = " of " + std::to_string(points.size()) + " points ";
  std::vector<std::string> unmet;
  if (require.precision) {
    const auto precise = static_cast<std::size_t>(loaded.estimates.points_precise);
    const auto paired = static_cast<std::size_t>(loaded.estimates.points_paired);
    if (precise < paired)
      unmet.push_back("Precision: " + std::to_string(paired - precise) + of +
                      "are not as precise as asked. Give a longer --budget, or a quieter machine.");
  }
  if (require.fifo)
    if (const auto count = flagged(Flag::policy_fallback); count > 0)
      unmet.push_back("Real-time policy: " + std::to_string(count) + of + "ran without SCHED_FIFO. " +
                      how_to_get_real_time(loaded.run.before));
  if (require.pages)
    if (const auto count = flagged(Flag::pages_fallback); count > 0)
      unmet.push_back("Pages: " + std::to_string(count) + of + "did not get the page size asked for.");
  if (require.clean) {
    const auto count = std::count_if(points.begin(), points.end(), [&loaded](const PointEstimate& point) {
      const auto index = static_cast<std::size_t>(point.point_index);
      if (loaded.run.points.at(index).method == Method::paper) return false; // cannot be asked of it
      return point.state != EstimateState::clean ||
             std::find(point.flags.begin(), point.flags.end(), Flag::contention_unknown) != point.flags.end();
    });
    if (count > 0)
      unmet.push_back("Clean: " + std::to_string(count) + of +
                      "were not measured free of contention. Measure again when the machine is quieter.");
  }
  return unmet;
}

} // namespace switchscope
