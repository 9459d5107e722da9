#include "engine/analysis/contention.h"
#include "engine/analysis/intervals.h"
#include "engine/analysis/set_aside.h"
#include "engine/analysis/wide_interval.h"
#include "engine/session/selftest.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace switchscope {
namespace {

constexpr std::size_t pairs_needed = 3; // of a visit
constexpr double shown_level = 0.95;
constexpr double least_allowed_half_width_ns = 50;
constexpr double allowed_half_width_ratio = 0.1;
constexpr double least_tolerance_ns = 2;
constexpr double reading_tolerance_ratio = 0.005;

// The two kinds of visit that are compared, and the value of a visit: a cost, and what was spun for it.
struct Value {
  double cost_ns = 0;
  double spun_ns = 0;
};
struct RoundValues {
  std::optional<Value> baseline;
  std::map<std::int64_t, Value> by_addition; // 0 is what the others are compared with
};
using Rounds = std::map<int, RoundValues>;

const VisitData* data_of(const SelftestVisit& visit) {
  return std::get_if<VisitData>(&visit.outcome);
}

Policy policy_of_most(const SelftestMeasured& measured) {
  std::map<Policy, int> times;
  for (const auto& visit : measured.visits)
    if (const auto* data = data_of(visit)) ++times[data->report.policy];
  const auto most =
      std::max_element(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == times.end() ? Policy::other : most->first;
}

ContentionSplit split_of(const SelftestSetup& setup, const SelftestMeasured& measured) {
  std::vector<Probe> probes;
  for (const auto& visit : measured.visits)
    if (const auto* data = data_of(visit))
      for (const Block& block : data->blocks) probes.insert(probes.end(), {block.before, block.after});
  const auto level = setup.thresholds.stored_levels.find(std::to_string(setup.cpu));
  return contention_split(probes, setup.thresholds.contention_gap_ratio,
                          level == setup.thresholds.stored_levels.end() ? std::nullopt : std::optional(level->second));
}

template <class Uses>
Rounds values_by_round(const SelftestSetup& setup, const SelftestMeasured& measured, Policy policy, Uses uses) {
  Rounds rounds;
  for (const auto& visit : measured.visits) {
    const auto* data = data_of(visit);
    if (data == nullptr || visit.round < 0 || data->report.policy != policy) continue;
    std::vector<double> costs;
    for (const MeasuredPair& pair :
         measured_pairs(*data, visit.request.point.placement, setup.thresholds, setup.environment))
      if (pair.complete && uses(pair)) costs.push_back(pair.cost_ns());
    if (costs.size() < pairs_needed) continue;
    RoundValues& round = rounds[visit.round];
    const double cost_ns = median_of(std::move(costs));
    if (visit.request.kind == VisitKind::baseline_only)
      round.baseline = Value{cost_ns, 0};
    else if (data->report.spun_ns)
      round.by_addition[visit.request.added_ns] = Value{cost_ns, *data->report.spun_ns};
  }
  return rounds;
}

// Of each round that holds it: how far the reading was off, and what had really been spun.
struct Errors {
  std::vector<double> error_ns;
  std::vector<double> spun_ns;
};

Errors errors_of(const Rounds& rounds, std::int64_t added_ns) {
  Errors errors;
  for (const auto& [number, round] : rounds) {
    if (added_ns == 0) {
      if (round.baseline) errors.error_ns.push_back(round.baseline->cost_ns);
      continue;
    }
    const auto with = round.by_addition.find(added_ns);
    const auto without = round.by_addition.find(0);
    if (with == round.by_addition.end() || without == round.by_addition.end()) continue;
    const double spun_ns = with->second.spun_ns - without->second.spun_ns;
    errors.spun_ns.push_back(spun_ns);
    errors.error_ns.push_back(with->second.cost_ns - without->second.cost_ns - spun_ns);
  }
  return errors;
}

KnownCheck judged(std::int64_t added_ns, const Errors& errors) {
  KnownCheck check;
  const auto added = static_cast<double>(added_ns);
  check.added_ns = added_ns;
  check.allowed_half_width_ns = std::max(least_allowed_half_width_ns, allowed_half_width_ratio * added);
  check.tolerance_ns = std::max(least_tolerance_ns, reading_tolerance_ratio * added);
  check.rounds = static_cast<int>(errors.error_ns.size());
  check.read_ns = check.low_ns = check.high_ns = check.verdict_low_ns = check.verdict_high_ns = added;
  if (check.rounds == 0) return check;
  const Interval shown = trimmed_t_interval(errors.error_ns, shown_level);
  const Interval wide = trimmed_t_interval(errors.error_ns, selftest_verdict_level);
  check.spun_ns = errors.spun_ns.empty() ? 0 : median_of(errors.spun_ns);
  check.read_ns = added + shown.estimate;
  check.low_ns = added + shown.low;
  check.high_ns = added + shown.high;
  check.verdict_low_ns = added + wide.low;
  check.verdict_high_ns = added + wide.high;
  if (check.rounds < selftest_rounds_needed) return check;
  if (wide.low > check.tolerance_ns || wide.high < -check.tolerance_ns)
    check.verdict = CheckVerdict::failed;
  else if (wide.half_width() <= check.allowed_half_width_ns)
    check.verdict = CheckVerdict::passed;
  return check;
}

std::vector<KnownCheck> all_checks(const Rounds& rounds) {
  std::vector<KnownCheck> checks{judged(0, errors_of(rounds, 0))};
  for (const std::int64_t added_ns : selftest_additions_ns)
    checks.push_back(judged(added_ns, errors_of(rounds, added_ns)));
  return checks;
}

bool have_rounds(const std::vector<KnownCheck>& checks) {
  return std::all_of(checks.begin(), checks.end(),
                     [](const KnownCheck& check) { return check.rounds >= selftest_rounds_needed; });
}

CountProof count_of(const SelftestMeasured& measured, double tolerance_ratio) {
  CountProof count;
  for (const auto& visit : measured.visits) {
    const auto* data = data_of(visit);
    if (data == nullptr) continue;
    const bool switches = visit.request.kind != VisitKind::baseline_only;
    if (switches) {
      count.expected_per_task += data->report.expected_switches;
      count.observed_a += data->report.observed_switches_a;
      count.observed_b += data->report.observed_switches_b;
    }
    for (const Block& block : data->blocks) {
      if (switches && block.phase == Phase::switching) continue;
      count.baseline_trips += block.trips;
      for (const auto& counts : {block.task_a, block.task_b})
        if (counts) count.baseline_switches += counts->voluntary_switches;
    }
  }
  const auto allowed = tolerance_ratio * static_cast<double>(count.expected_per_task);
  const auto is_right = [&](std::int64_t observed) {
    return static_cast<double>(std::abs(observed - count.expected_per_task)) <= allowed;
  };
  count.holds =
      count.expected_per_task > 0 && is_right(count.observed_a) && is_right(count.observed_b) &&
      static_cast<double>(count.baseline_switches) <= tolerance_ratio * static_cast<double>(count.baseline_trips);
  return count;
}

std::optional<PerfComparison> comparison_of(const std::vector<PerfTurn>& turns) {
  if (turns.empty()) return std::nullopt;
  std::vector<double> ours;
  std::vector<double> perf;
  std::vector<double> ratios;
  for (const PerfTurn& turn : turns) {
    ours.push_back(turn.ours_ns);
    perf.push_back(turn.perf_ns);
    ratios.push_back(turn.ours_ns / turn.perf_ns);
  }
  const auto [lowest, highest] = std::minmax_element(ratios.begin(), ratios.end());
  return PerfComparison{median_of(ours), median_of(perf), median_of(ratios),
                        *lowest,         *highest,        static_cast<int>(turns.size())};
}

CheckVerdict verdict_of(const InstrumentCheck& check) {
  const auto any = [&check](CheckVerdict verdict) {
    return std::any_of(check.checks.begin(), check.checks.end(),
                       [verdict](const KnownCheck& known) { return known.verdict == verdict; });
  };
  if (check.count.expected_per_task > 0 && !check.count.holds) return CheckVerdict::failed;
  if (any(CheckVerdict::failed)) return CheckVerdict::failed;
  return any(CheckVerdict::too_noisy) || !check.count.holds ? CheckVerdict::too_noisy : CheckVerdict::passed;
}

} // namespace

InstrumentCheck judge_selftest(const SelftestSetup& setup, const SelftestMeasured& measured) {
  InstrumentCheck check;
  check.taken_at = measured.taken_at;
  check.cpu = setup.cpu;
  check.worker_build = setup.worker_build;
  check.seconds = measured.seconds;
  check.seed = setup.seed;
  check.policy = policy_of_most(measured);
  for (const auto& visit : measured.visits) {
    if (const auto* data = data_of(visit)) {
      if (data->report.policy == check.policy) check.priority = data->report.priority;
    } else {
      ++check.failed_visits;
      check.last_failure = std::get<VisitFailure>(visit.outcome).message;
    }
  }

  const ContentionSplit split = split_of(setup, measured);
  check.contention_known = split.source != ContentionSplit::Source::unknown;
  check.contended_share = split.contended_share;
  const auto is_clean = [&split](const MeasuredPair& pair) { return all_causes(pair, split).none(); };
  check.checks = all_checks(values_by_round(setup, measured, check.policy, is_clean));
  check.clean = have_rounds(check.checks);
  if (!check.clean)
    check.checks = all_checks(values_by_round(setup, measured, check.policy, [](const MeasuredPair&) { return true; }));

  check.count = count_of(measured, setup.thresholds.count_tolerance_ratio);
  check.perf = comparison_of(measured.perf_turns);
  check.perf_absent = check.perf ? "" : measured.perf_absent;
  check.verdict = verdict_of(check);
  return check;
}

} // namespace switchscope
