#include "app/cli/session_notes.h"

#include "app/cli/columns.h"
#include "app/cli/wording.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace switchscope {

namespace {

constexpr int few_sessions = 4; // Student's quantile is 3.2 with four sessions, 12.7 with two, 2 in the end

bool has_any_interval(const RunEstimates& estimates) {
  return std::any_of(estimates.points.begin(), estimates.points.end(), [](const PointEstimate& estimate) {
    return estimate.state != EstimateState::failed && estimate.total.has_interval;
  });
}

// "Sessions: 2 begun of 3 asked for, over 2 boots."
std::string sessions_note(const Run& run) {
  std::set<std::string> boots;
  for (const Session& session : run.sessions)
    if (!session.before.boot_id.empty()) boots.insert(session.before.boot_id);
  std::string note = fmt::format("Sessions: {} begun of {} asked for", run.sessions.size(), run.plan.sessions);
  if (!run.sessions.empty() && !run.sessions.back().finished_at) note += ", the last one not to its end";
  if (boots.size() > 1) note += fmt::format(", over {} boots", boots.size());
  return note + '.';
}

// Points may be estimated from fewer sessions than others: some failed, or had another state or policy.
std::string over_sessions_note(int fewest, int most) {
  std::string note = fmt::format("Intervals: 95 % over {}{} sessions.",
                                 fewest < most ? fmt::format("{} to ", fewest) : std::string(), most);
  if (fewest <= few_sessions) note += " With so few sessions they are wide; each further session narrows them.";
  return note;
}

// "At 2 of 8 points, sessions of another state are set aside (clean 1, contended 2): ..."; empty without any.
std::string other_states_note(const RunEstimates& estimates) {
  std::map<EstimateState, int> sessions_by_state;
  int points = 0;
  for (std::size_t i = 0; i < estimates.points.size(); ++i) {
    const PointEstimate& whole = estimates.points[i];
    if (whole.set_aside.count(SetAside::other_state) == 0) continue;
    ++points;
    for (const SessionEstimates& session : estimates.sessions) {
      const PointEstimate& own = session.points.at(i);
      if (own.state != EstimateState::failed && own.policy == whole.policy && own.state != whole.state)
        ++sessions_by_state[own.state];
    }
  }
  std::vector<std::string> counts;
  for (const auto& [state, sessions] : sessions_by_state)
    counts.push_back(fmt::format("{} {}", name_of(state), sessions));
  if (points == 0) return {};
  return fmt::format("At {} of {} points, sessions of another state than most are set aside ({}): a mean over states "
                     "would be the cost of none.",
                     points, estimates.points.size(), joined(counts, ", "));
}

// "1.80, 1.81, 1.79 µs, spread 0.02 µs": one value a session; empty without two of them.
std::string values_of_sessions(const RunEstimates& estimates, std::size_t point) {
  std::vector<double> values_ns;
  std::string values;
  for (const SessionEstimates& session : estimates.sessions) {
    const PointEstimate& estimate = session.points.at(point);
    if (estimate.state == EstimateState::failed) continue;
    values_ns.push_back(estimate.total.estimate);
    values += (values.empty() ? "" : ", ") + fmt::format("{:.2f}", estimate.total.estimate / 1000);
  }
  if (values_ns.size() < 2) return {};
  const auto [low, high] = std::minmax_element(values_ns.begin(), values_ns.end());
  return fmt::format("{} µs, spread {:.2f} µs", values, (*high - *low) / 1000);
}

// Both methods measured the same, session by session: which of them repeats itself?
void add_methods_side_by_side(std::vector<std::string>& notes, const Run& run, const RunEstimates& estimates) {
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    Point twin = run.points[i];
    if (twin.method != Method::paired) continue;
    twin.method = Method::paper;
    const auto found = std::find(run.points.begin(), run.points.end(), twin);
    if (found == run.points.end()) continue;
    const std::string paired = values_of_sessions(estimates, i);
    const std::string paper = values_of_sessions(estimates, static_cast<std::size_t>(found - run.points.begin()));
    if (paired.empty() || paper.empty()) continue;
    const Point& point = run.points[i];
    notes.push_back(fmt::format("Side by side, {}: paired {}; the paper's method {}.",
                                point.is_direct() ? "no data" : rounded_bytes_text(point.array_bytes), paired, paper));
  }
}

} // namespace

std::vector<std::string> session_notes(const Run& run, const RunEstimates& estimates) {
  std::vector<std::string> notes;
  if (run.plan.sessions > 1 || run.sessions.size() > 1) notes.push_back(sessions_note(run));
  add_methods_side_by_side(notes, run, estimates);
  if (is_paper_only(run.plan) || !has_any_interval(estimates)) return notes;
  if (std::string note = other_states_note(estimates); !note.empty()) notes.push_back(std::move(note));
  int most = 0;
  int fewest = std::numeric_limits<int>::max(); // of points with several
  int single = 0;
  for (const PointEstimate& estimate : estimates.points) {
    if (estimate.sessions == 1) ++single;
    if (estimate.sessions < 2 || estimate.state == EstimateState::paper) continue;
    most = std::max(most, estimate.sessions);
    fewest = std::min(fewest, estimate.sessions);
  }
  if (most < 2) {
    notes.push_back(fmt::format("Intervals: 95 % within one session, over its visits. Reboots and neighbours vary "
                                "more; `switchscope-cli resume {} --new-session` adds a session.",
                                run.id));
    return notes;
  }
  notes.push_back(over_sessions_note(fewest, most));
  if (single > 0)
    notes.push_back(fmt::format("Of {} point{} there is one session only: 95 % within one session, over its visits.",
                                single, single == 1 ? "" : "s"));
  return notes;
}

void add_contention_by_session(std::vector<std::string>& notes, const RunEstimates& estimates) {
  std::map<std::string, std::vector<ContentionSplit>> by_placement;
  for (const SessionEstimates& session : estimates.sessions)
    for (const auto& [placement, split] : session.splits) by_placement[placement].push_back(split);
  for (const auto& [placement, splits] : by_placement) {
    std::vector<double> shares; // of the probes that found the core busy, where that is known
    for (const ContentionSplit& split : splits)
      if (split.source != ContentionSplit::Source::unknown) shares.push_back(100 * split.contended_share);
    const auto where = placement == "free" ? std::string("free tasks") : "CPU " + placement;
    if (shares.empty()) {
      notes.push_back(fmt::format(
          "Contention on {}: in no session the probes show two levels, so none was set aside for it.", where));
      continue;
    }
    const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
    notes.push_back(fmt::format("Contention on {}: told in {} of {} sessions; {:.1f} to {:.1f} % of their probes found "
                                "the core busy.",
                                where, shares.size(), splits.size(), *least, *most));
  }
}

std::string variance_note(const Run& run, const RunEstimates& estimates) {
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const auto& variance = estimates.points.at(i).variance;
    if (!run.points[i].is_direct() || !variance) continue;
    std::vector<std::string> shares;
    const auto add = [&](const char* where, double component) {
      shares.push_back(fmt::format("{:.0f} % {}", 100 * variance->share_of(component), where));
    };
    add("within visits", variance->within_visits);
    add("between visits", variance->between_visits);
    if (variance->between_sessions) add("between sessions", *variance->between_sessions);
    return fmt::format("Where the direct cost varies: {}.", joined(shares, ", "));
  }
  return {};
}

} // namespace switchscope
