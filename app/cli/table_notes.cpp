#include "app/cli/table_notes.h"

#include "app/cli/columns.h"
#include "app/cli/counter_table.h"
#include "app/cli/failure_notes.h"
#include "app/cli/machine_notes.h"
#include "app/cli/session_notes.h"
#include "app/cli/wording.h"
#include "engine/machine/readiness.h"
#include "engine/model/quantity.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace switchscope {

namespace {

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "0 %";
}

bool has_paper_points(const Run& run) {
  return std::any_of(run.points.begin(), run.points.end(),
                     [](const Point& point) { return point.method == Method::paper; });
}

// "clock-moved 12 (4.0 %), stolen 3 (1.0 %)", of so many blocks.
std::string reasons_text(const std::map<SetAside, std::int64_t>& reasons, std::int64_t blocks) {
  std::vector<std::string> parts;
  for (const auto& [reason, count] : reasons)
    if (count > 0)
      parts.push_back(fmt::format("{} {} ({})", name_of(reason), count,
                                  percent(static_cast<double>(count), static_cast<double>(blocks))));
  return joined(parts, ", ");
}

void add_contended(std::vector<std::string>& notes, const RunEstimates& estimates) {
  std::map<SetAside, std::int64_t> despite;
  std::int64_t blocks = 0;
  std::int64_t points = 0;
  bool policies_differ = false;
  for (const auto& estimate : estimates.points) {
    if (estimate.state != EstimateState::contended) continue;
    ++points;
    blocks += estimate.blocks;
    for (const auto& [reason, count] : estimate.used_despite) despite[reason] += count;
    policies_differ = policies_differ || estimate.set_aside.count(SetAside::other_policy) > 0;
  }
  if (points == 0) return;
  // Only the probes can tell a neighbour; pairs may also be lost to a clock that moves.
  notes.push_back(fmt::format(
      "{}: {} of {} points. They have too few clean pairs, so all pairs {}are used{}.",
      despite.contains(SetAside::contended) ? "Measured while another tenant was busy"
                                            : "Measured while the machine was not steady",
      points, estimates.points.size(), policies_differ ? "but those of another policy " : "",
      despite.empty() ? "" : fmt::format(", of {} blocks also: {}", blocks, reasons_text(despite, blocks))));
}

// Not where a visit was too slow for a real-time policy: no right would have changed that.
bool real_time_was_refused(const std::vector<Visit>& visits) {
  bool refused = false;
  for (const auto& visit : visits) {
    const auto* data = visit.data();
    if (data == nullptr) continue;
    if (data->report.fifo_too_long) return false;
    refused = refused || (data->report.policy == Policy::other && !data->report.policy_reason.empty());
  }
  return refused;
}

std::string flag_words(Flag flag, const Run& run, const std::vector<Visit>& visits) {
  if (flag == Flag::policy_fallback && run.plan.policy == Policy::automatic && real_time_was_refused(visits))
    return "a real-time policy was not allowed, so ordinary scheduling was used. " + how_to_get_real_time(run.before);
  return explanation(flag) + '.';
}

// A pause in a round of the paper's method has its own note: there it sets nothing aside.
bool is_told_elsewhere(Flag flag, const Run& run, const RunEstimates& estimates) {
  if (flag != Flag::stalled && flag != Flag::throttled) return false;
  return std::all_of(estimates.points.begin(), estimates.points.end(), [&](const PointEstimate& estimate) {
    return std::find(estimate.flags.begin(), estimate.flags.end(), flag) == estimate.flags.end() ||
           run.points.at(static_cast<std::size_t>(estimate.point_index)).method == Method::paper;
  });
}

void add_signs(std::vector<std::string>& notes, const Run& run, const std::vector<Visit>& visits,
               const RunEstimates& estimates, const TableSigns& signs) {
  if (signs.not_distinguishable_from_0)
    notes.push_back(fmt::format("{} not distinguishable from 0: the interval holds 0.", zero_sign));
  if (signs.depends_on_set_aside)
    notes.push_back(fmt::format("{} the answer depends on what was set aside: the intervals with and without those "
                                "blocks do not overlap.",
                                depends_sign));
  if (signs.range_seen)
    notes.emplace_back(is_paper_only(run.plan)
                           ? "seen: the smallest and the largest round. The paper's method has no interval."
                       : has_paper_points(run)
                           ? "seen: the smallest and the largest visit or round. It is a range, not an interval; the "
                             "paper's method has none."
                           : "seen: the smallest and the largest visit. It is a range, not an interval.");
  for (const auto flag : signs.everywhere)
    if (!is_told_elsewhere(flag, run, estimates))
      notes.push_back(fmt::format("{} (every point): {}", short_word(flag), flag_words(flag, run, visits)));
  for (const auto flag : signs.in_rows)
    if (!is_told_elsewhere(flag, run, estimates))
      notes.push_back(fmt::format("{}: {}", short_word(flag), flag_words(flag, run, visits)));
}

void add_set_aside(std::vector<std::string>& notes, const RunEstimates& estimates) {
  std::map<SetAside, std::int64_t> reasons;
  std::int64_t blocks = 0;
  std::int64_t aside = 0;
  for (const auto& estimate : estimates.points) {
    blocks += estimate.blocks;
    for (const auto& [reason, count] : estimate.set_aside) {
      reasons[reason] += count;
      aside += count;
    }
  }
  if (aside == 0) {
    notes.push_back(fmt::format("Set aside: none of {} blocks.", blocks));
    return;
  }
  notes.push_back(fmt::format("Set aside: {} of {} blocks ({}): {}.", aside, blocks,
                              percent(static_cast<double>(aside), static_cast<double>(blocks)),
                              reasons_text(reasons, blocks)));
}

// By the paper's method, pauses are part of the number.
void add_stalls(std::vector<std::string>& notes, const Run& run, const RunEstimates& estimates) {
  std::map<SetAside, int> stalls;
  for (const auto& estimate : estimates.points)
    for (const auto& [cause, count] : estimate.stalls) stalls[cause] += count;
  for (const auto& [cause, count] : stalls)
    notes.push_back(fmt::format("{}: {} stall{} in the rounds of the paper's method, which sets nothing aside{}.",
                                name_of(cause), count, count == 1 ? "" : "s",
                                cause == SetAside::throttled
                                    ? ": there the kernel stopped the real-time tasks, whose limit these rounds exceed"
                                    : ""));
  if (stalls.empty() && has_paper_points(run))
    notes.emplace_back("throttled: no stalls in the rounds of the paper's method.");
}

void add_switches(std::vector<std::string>& notes, const RunEstimates& estimates) {
  std::int64_t expected = 0;
  std::int64_t observed = 0;
  for (const auto& estimate : estimates.points) {
    expected += estimate.switches_expected;
    observed += estimate.switches_observed;
  }
  if (expected == 0) return;
  const double off = 100 * static_cast<double>(observed - expected) / static_cast<double>(expected);
  notes.push_back(fmt::format("Switches: {} expected, {} counted by the kernel ({}{:.3f} %).", expected, observed,
                              off < 0 ? "−" : "+", off < 0 ? -off : off));
}

void add_cycles(std::vector<std::string>& notes, const Run& run, const RunEstimates& estimates) {
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const auto& cycles = estimates.points.at(i).total_cycles;
    if (!run.points[i].is_direct() || !cycles) continue;
    notes.push_back(
        fmt::format("Direct cost in core cycles: {:.0f} ({}{:.0f}{}{:.0f}). A clock that wanders between runs is "
                    "not in it.",
                    cycles->estimate, cycles->has_interval ? "" : "seen ", cycles->low,
                    cycles->has_interval ? " to " : "…", cycles->high));
    return; // the other direct costs are in the documents
  }
}

void add_precision(std::vector<std::string>& notes, const Run& run, const RunEstimates& estimates) {
  if (is_paper_only(run.plan)) return;
  notes.push_back(fmt::format("Precise: {} of {} points at {:.3g} %{}.", estimates.points_precise,
                              estimates.points_paired, 100 * run.plan.precision_ratio.value_or(default_precision_ratio),
                              estimates.sessions.size() > 1 ? " in each session" : ""));
  if (const std::string variance = variance_note(run, estimates); !variance.empty()) notes.push_back(variance);
}

} // namespace

std::string policies_obtained(const Run& run, const std::vector<Visit>& visits) {
  std::set<std::string> words;
  for (const auto& visit : visits)
    if (const auto* data = visit.data()) words.insert(policy_words(data->report.policy, data->report.priority));
  if (words.empty()) return "policy asked: " + std::string(name_of(run.plan.policy));
  return joined(std::vector<std::string>(words.begin(), words.end()), " or ");
}

std::vector<std::string> table_notes(const Run& run, const std::vector<Visit>& visits, const RunEstimates& estimates,
                                     const TableSigns& signs) {
  std::vector<std::string> notes;
  add_contended(notes, estimates);
  add_signs(notes, run, visits, estimates, signs);
  add_set_aside(notes, estimates);
  add_stalls(notes, run, estimates);
  add_switches(notes, estimates);
  add_cycles(notes, run, estimates);
  for (auto& note : session_notes(run, estimates)) notes.push_back(std::move(note));
  add_precision(notes, run, estimates);
  if (estimates.sessions.size() < 2)
    add_contention(notes, estimates.splits);
  else
    add_contention_by_session(notes, estimates);
  add_conditions(notes, visits);
  add_surroundings(notes, run, visits, estimates);
  for (auto& note : counter_notes(run, visits, estimates)) notes.push_back(std::move(note));
  add_absences(notes, run, visits, estimates);
  add_changes(notes, run);
  add_limit(notes, run);
  return notes;
}

} // namespace switchscope
