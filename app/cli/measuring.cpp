#include "app/cli/measuring.h"

#include "app/cli/columns.h"
#include "app/cli/database.h"
#include "app/cli/loaded_text.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/terminal.h"
#include "app/cli/wording.h"
#include "engine/machine/machine.h"
#include "engine/model/quantity.h"
#include "engine/model/visit_time.h"
#include "engine/protocol/json.h"
#include "engine/run/schedule.h"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <unistd.h>

namespace switchscope {

namespace {

constexpr std::int64_t larger_than_caches_bytes = std::int64_t{8} << 20;
constexpr double quiet_share_of_planned = 0.25; // planned_ns is for a slow machine

std::int64_t planned_visit_ns(const Point& point) {
  if (point.method == Method::paper) return static_cast<std::int64_t>(usual_round_s(point) * 4e9); // a slow machine
  VisitRequest request;
  request.point = point;
  request.duration_ns = quick_visit_ns;
  return planned_ns(request);
}

std::string points_text(const Run& run) {
  std::string text = fmt::format("{} {}", run.points.size(), run.points.size() == 1 ? "point" : "points");
  if (const std::string left_out = left_out_words(run); !left_out.empty())
    text += fmt::format(" ({} left out: stride above size)", left_out);
  if (run.plan.max_added_points > 0) text += fmt::format(" and at most {} added", run.plan.max_added_points);
  return text;
}

// Of the visits the first pass of the session still lacks. Short ones take what the schedule plans for them; over
// arrays that no cache holds, the fewest pairs of a visit take longer than that.
double first_pass_s(const RunTask& task, const Session& session) {
  Plan no_budget;
  no_budget.budget_s = 0;
  const double quick_s = seconds_left(no_budget, {PointProgress{}}, 0, 0);
  std::vector<bool> has_data(task.run.points.size());
  for (const Visit& visit : task.earlier)
    if (visit.session == session.number && visit.data() != nullptr)
      has_data.at(static_cast<std::size_t>(visit.point_index)) = true;
  double sum_s = 0;
  for (std::size_t i = 0; i < task.run.points.size(); ++i) {
    if (has_data[i]) continue;
    const Point& point = task.run.points[i];
    if (point.method == Method::paper) continue; // rounds_s has them
    const double large_s = point.array_bytes > larger_than_caches_bytes
                               ? static_cast<double>(planned_visit_ns(point)) * 1e-9 * quiet_share_of_planned
                               : 0;
    sum_s += std::max(quick_s, large_s);
  }
  return sum_s;
}

// Of the rounds of the paper's method that the session still has to make.
double rounds_s(const RunTask& task, const Session& session) {
  std::vector<int> made(task.run.points.size());
  for (const Visit& visit : task.earlier)
    if (visit.session == session.number && visit.data() != nullptr)
      ++made.at(static_cast<std::size_t>(visit.point_index));
  double sum_s = 0;
  for (std::size_t i = 0; i < made.size(); ++i)
    if (task.run.points[i].method == Method::paper)
      sum_s += usual_round_s(task.run.points[i]) * std::max(0, paper_rounds - made[i]);
  return sum_s;
}

std::string paired_duration_text(const RunTask& task, const Session& session) {
  const Run& run = task.run;
  const double left_s = std::max(0.0, time_limit_s(run.plan) - session.measuring_s);
  const std::string time = seconds_text(left_s);
  if (const double first_s = first_pass_s(task, session); first_s > left_s)
    return fmt::format("about {} (the first pass is always finished; {} is less)", seconds_text(first_s),
                       session.measuring_s > 0 ? fmt::format("what is left of the budget, {},", time)
                       : run.plan.budget_s     ? "the budget of " + time
                                               : "the limit of " + time);
  return run.plan.precision_ratio
             ? fmt::format("until {:g} % precise, at most about {}", *run.plan.precision_ratio * 100, time)
             : "about " + time;
}

std::string session_duration_text(const RunTask& task, const Session& session) {
  const double paper_s = rounds_s(task, session);
  if (is_paper_only(task.run.plan)) return fmt::format("three rounds of each, about {}", seconds_text(paper_s));
  if (paper_s <= 0) return paired_duration_text(task, session);
  return fmt::format("{}, and about {} for the rounds of the paper's method", paired_duration_text(task, session),
                     seconds_text(paper_s));
}

// "about 60 s", "5 sessions, one every 10 min, each about 60 s", "session 3 of 5, about 40 s".
std::string duration_text(const RunTask& task) {
  const Session session = first_session_of(task);
  const Plan& plan = task.run.plan;
  std::string text = session_duration_text(task, session);
  if (plan.sessions == 1) return text;
  if (session.number + 1 >= plan.sessions)
    return fmt::format("session {} of {}, {}", session.number + 1, plan.sessions, text);
  const std::string every =
      plan.session_interval_s > 0 ? "one every " + seconds_text(plan.session_interval_s) : "one after the other";
  if (session.number == 0) return fmt::format("{} sessions, {}, each {}", plan.sessions, every, text);
  return fmt::format("sessions {} to {}, {}, the first {}", session.number + 1, plan.sessions, every, text);
}

// "CPU 1, free CPUs", and why where the choice was ours.
std::string placements_text(const Run& run, const Plan& asked, const Environment& environment) {
  std::string text;
  for (const Placement& placement : run.plan.placements) {
    text += text.empty() ? "" : ", ";
    text += placement.kind == Placement::Kind::free ? "free CPUs" : "CPU " + text_of(placement);
  }
  const bool chosen = std::any_of(asked.placements.begin(), asked.placements.end(), [](const Placement& placement) {
    return placement.kind == Placement::Kind::automatic;
  });
  return chosen ? fmt::format("{}. {}", text, choose_cpu(environment).reason) : text + '.';
}

ProgressStyle style_of(const CommonOptions& common) {
  if (common.progress == "none") return ProgressStyle::none;
  return common.progress == "auto" && is_terminal(STDERR_FILENO) ? ProgressStyle::live : ProgressStyle::plain;
}

ProgressSettings progress_settings(const CommonOptions& common) {
  ProgressSettings settings;
  settings.style = style_of(common);
  settings.utf8 = locale_is_utf8();
  settings.columns = [] { return terminal_columns(STDERR_FILENO); };
  return settings;
}

std::string go_on_line(const std::string& id, const ReportOptions& options) {
  return how_to_go_on(options.common, id, options.worker);
}

void print_result(const LoadedRun& loaded, const ReportOptions& options) {
  if (options.events) return;
  write_data(options.common.json ? document_text(loaded) : table_text(loaded));
}

ExitCode verdict(const LoadedRun& loaded, const ReportOptions& options) {
  const auto& points = loaded.estimates.points;
  const auto without = std::count_if(points.begin(), points.end(),
                                     [](const PointEstimate& point) { return point.state == EstimateState::failed; });
  const std::string go_on = "To go on: " + go_on_line(loaded.run.id, options);
  if (without > 0) {
    say(fmt::format("{} of {} points have no estimate. {}", without, points.size(), go_on));
    return ExitCode::incomplete;
  }
  if (loaded.run.state != RunState::completed) say(go_on);
  const auto unmet = unmet_requirements(loaded);
  for (const auto& sentence : unmet) say(sentence);
  return unmet.empty() ? ExitCode::done : ExitCode::cannot;
}

// Measures, and shows each event; what is stored stays resumable whatever goes wrong.
RunEnded measure_and_show(const RunTask& task, OpenedWorker& worker, Store& store, StopSignals& signals,
                          const ReportOptions& options) {
  Run run = task.run;                            // its points grow
  std::vector<Visit> visits;                     // of the session under way
  std::map<std::string, ContentionSplit> splits; // as known at the end of the last pass
  bool begun = false;
  bool reader_gone = false;
  Progress progress(std::cerr, progress_settings(options.common),
                    [&](int point_index) { return estimate_point(run, visits, point_index, splits); });
  const auto show = [&](const RunEvent& event) {
    begun = true;
    if (const auto* started = std::get_if<SessionStarted>(&event)) {
      visits.clear();
      splits.clear();
      std::copy_if(task.earlier.begin(), task.earlier.end(), std::back_inserter(visits),
                   [&](const Visit& visit) { return visit.session == started->session.number; });
      signals.measuring(true);
    }
    if (std::holds_alternative<SessionEnded>(event)) signals.measuring(false); // until then no visit is to be finished
    if (const auto* started = std::get_if<VisitStarted>(&event))
      signals.visit_may_take(planned_visit_ns(run.points.at(static_cast<std::size_t>(started->point_index))));
    if (const auto* ended = std::get_if<VisitEnded>(&event)) visits.push_back(ended->visit);
    if (const auto* added = std::get_if<PointsAdded>(&event))
      run.points.insert(run.points.end(), added->points.begin(), added->points.end());
    if (std::holds_alternative<PassEnded>(event) && style_of(options.common) == ProgressStyle::live)
      splits = estimate_run(run, visits).splits;
    progress.show(event);
    if (!options.events || reader_gone) return;
    reader_gone = write_data(encode(event) + '\n') == Written::reader_gone;
    if (reader_gone) signals.stop_after_visit();
  };
  try {
    signals.measuring(true);
    const RunEnded ended = measure(task, worker.link(), worker.hello(), store, show, signals.flag());
    signals.only_printing();
    return ended;
  } catch (const WorkerProblem& problem) {
    signals.only_printing();
    if (!begun) throw;
    throw Refusal(ExitCode::incomplete,
                  fmt::format("{}\nTo go on: {}", problem.what(), go_on_line(task.run.id, options)));
  } catch (const StoreProblem& problem) {
    signals.only_printing();
    if (!begun) throw;
    throw StoreProblem(fmt::format("{}\nTo go on: {}", problem.what(), go_on_line(task.run.id, options)));
  }
}

// A session that spans a boot is two: said, because only the user can choose.
void say_when_booted_anew(const RunTask& task, const Environment& now) {
  const Session session = first_session_of(task);
  const std::string& then = session.before.boot_id;
  if (session.started_at.empty() || then.empty() || now.boot_id.empty() || then == now.boot_id) return;
  say(fmt::format("The machine was booted anew since session {} began. Give --new-session to keep what follows apart.",
                  session.number + 1));
}

} // namespace

void announce(const RunTask& task, const Plan& asked, const Environment& environment, const CommonOptions& common) {
  if (common.progress == "none") return;
  const Run& run = task.run;
  const std::string text = fmt::format("{}, {}, seed {}, {}", points_text(run), duration_text(task), run.plan.seed,
                                       placements_text(run, asked, environment));
  for (const auto& line : wrapped(text, std::min(terminal_columns(STDERR_FILENO), 100), 2)) say(line);
  say_when_booted_anew(task, environment);
}

ExitCode measure_and_report(const RunTask& task, OpenedWorker& worker, Store& store, StopSignals& signals,
                            const ReportOptions& options) {
  const RunEnded ended = measure_and_show(task, worker, store, signals, options);
  const LoadedRun loaded = load(task.run.id, store);
  print_result(loaded, options);
  // The progress has said why; without it, this is the place.
  const bool not_by_user = ended.state == RunState::incomplete || ended.state == RunState::failed;
  if (not_by_user && style_of(options.common) == ProgressStyle::none) say(as_sentences(ended.reason));
  say(fmt::format("Stored as {} in {}", loaded.run.id, database_path(options.common).string()));
  return verdict(loaded, options);
}

ExitCode report_complete(const LoadedRun& loaded, const ReportOptions& options) {
  say(fmt::format("Run {} is complete: nothing is left to measure. To add a session: {} --new-session", loaded.run.id,
                  go_on_line(loaded.run.id, options)));
  print_result(loaded, options);
  return verdict(loaded, options);
}

} // namespace switchscope
