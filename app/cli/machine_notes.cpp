#include "app/cli/machine_notes.h"

#include "app/cli/columns.h"
#include "engine/analysis/conditions.h"
#include "engine/machine/machine.h"
#include "engine/machine/readiness.h"
#include "engine/model/quantity.h"

#include <fmt/core.h>

#include <set>

namespace switchscope {

void add_contention(std::vector<std::string>& notes, const std::map<std::string, ContentionSplit>& splits) {
  for (const auto& [placement, split] : splits) {
    const auto where = (placement == "free" ? std::string("free tasks") : "CPU " + placement);
    const auto busy = fmt::format("{:.1f} % of the probes found the core busy", 100 * split.contended_share);
    switch (split.source) {
    case ContentionSplit::Source::this_run:
      notes.push_back(fmt::format("Contention on {}: clean from {:.2f} adds a cycle, split in this run; {}.", where,
                                  split.split_adds_per_cycle, busy));
      break;
    case ContentionSplit::Source::stored:
      notes.push_back(fmt::format("Contention on {}: clean from {:.2f} adds a cycle, known from an earlier run; {}.",
                                  where, split.split_adds_per_cycle, busy));
      break;
    case ContentionSplit::Source::unknown:
      notes.push_back(
          fmt::format("Contention on {}: the probes show one level only, so none was set aside for it.", where));
      break;
    }
  }
}

void add_conditions(std::vector<std::string>& notes, const std::vector<Visit>& visits) {
  std::set<std::string> clocks;
  std::set<std::string> loops;
  std::set<std::string> loops_without_data; // named only when there is no other
  std::set<std::string> reasons;            // of fall-backs
  int measured = 0;
  int unlocked = 0;
  for (const auto& visit : visits) {
    const auto* data = visit.data();
    if (!data) continue;
    const auto& report = data->report;
    ++measured;
    clocks.insert(report.clock_source);
    if (visit.request.point.is_direct())
      loops_without_data.insert(report.kernel_code);
    else
      loops.insert(report.kernel_code);
    if (!report.policy_reason.empty()) reasons.insert("Policy: " + report.policy_reason);
    if (!report.pages_reason.empty()) reasons.insert("Pages: " + report.pages_reason);
    if (!report.locked) ++unlocked;
  }
  if (measured == 0) return;
  const auto listed = [](const std::set<std::string>& words) {
    return joined(std::vector<std::string>(words.begin(), words.end()), " and ");
  };
  auto line =
      fmt::format("Conditions: clock {}, loop {}", listed(clocks), listed(loops.empty() ? loops_without_data : loops));
  line +=
      unlocked == 0 ? ", memory locked." : fmt::format(", memory not locked in {} of {} visits.", unlocked, measured);
  notes.push_back(line);
  for (const auto& reason : reasons) notes.push_back(printable(reason));
}

void add_surroundings(std::vector<std::string>& notes, const Run& run, const std::vector<Visit>& visits,
                      const RunEstimates& estimates) {
  const Conditions seen = conditions_of(run, estimates, visits);
  if (seen.visits == 0) return;
  std::vector<std::string> parts;
  if (seen.contended_share)
    parts.push_back(fmt::format("core shared {:.1f} % of the time", 100 * *seen.contended_share));
  if (const auto& adds = seen.adds_per_cycle)
    parts.push_back(fmt::format("{:.2f} to {:.2f} adds a cycle (median {:.2f})", adds->low, adds->high, adds->median));
  if (const auto& clock = seen.clock_adds_per_ns)
    parts.push_back(fmt::format("clock {:.2f} to {:.2f} GHz", clock->low, clock->high));
  if (const auto& counter = seen.clock_ghz)
    parts.push_back(fmt::format("time counted at {:.4f} to {:.4f} GHz", counter->low, counter->high));
  if (const auto& tag = seen.memory_tag_ns)
    parts.push_back(fmt::format("half of L2 walked again in {} to {} (median {})", cost_text(tag->low),
                                cost_text(tag->high), cost_text(tag->median)));
  parts.push_back(fmt::format("stolen {}", cost_text(static_cast<double>(seen.steal_ns))));
  parts.push_back(fmt::format("{} interrupts on the measured CPUs", seen.interrupts));
  parts.push_back(fmt::format("{} pairs stalled, {} throttled", seen.stalled_pairs, seen.throttled_pairs));
  notes.push_back("Surroundings: " + joined(parts, ", ") + ".");
}

void add_changes(std::vector<std::string>& notes, const Run& run) {
  if (!run.after) return;
  const auto changes = changes_during(run.before, *run.after);
  if (!changes.empty())
    notes.push_back(printable("The machine changed during the run: " + joined(changes, "; ") + '.'));
}

void add_limit(std::vector<std::string>& notes, const Run& run) {
  const auto worst = worst_finding(findings_of(run));
  notes.push_back(worst ? fmt::format("What limits this run's precision: {}: {}.", worst->title, printable(worst->here))
                        : std::string("What limits this run's precision: nothing that is known of this machine."));
}

} // namespace switchscope
