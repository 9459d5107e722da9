#include "engine/analysis/paired.h"

#include "engine/analysis/intervals.h"

#include <algorithm>

namespace switchscope {
namespace {

constexpr int clean_visits_needed = 5;
constexpr int clean_pairs_needed = 3; // of each of these visits

// A point's visits reduced to one value each.
struct VisitMedians {
  std::vector<double> costs; // ns, or cycles
  std::vector<std::vector<double>> pair_costs_ns;
  std::vector<double> switching_ns;
  std::vector<double> baseline_ns;
  int pairs = 0;
};

// Those of the policy the estimate is of.
int visits_made(const std::vector<MeasuredVisit>& visits) {
  return static_cast<int>(
      std::count_if(visits.begin(), visits.end(), [](const MeasuredVisit& visit) { return !visit.of_other_policy; }));
}

template <class Uses> bool has_enough(const std::vector<MeasuredVisit>& visits, Uses uses) {
  const auto good = std::count_if(visits.begin(), visits.end(), [&](const MeasuredVisit& visit) {
    return std::count_if(visit.pairs.begin(), visit.pairs.end(), uses) >= clean_pairs_needed;
  });
  // While fewer visits than the rule needs were made at all, one good visit gives a first value of its state; the flag
  // few-visits says how little it rests on.
  const auto needed = visits_made(visits) < clean_visits_needed ? 1 : clean_visits_needed;
  return good >= needed;
}

template <class Uses, class Cost>
VisitMedians medians_of(const std::vector<MeasuredVisit>& visits, Uses uses, Cost cost) {
  VisitMedians medians;
  std::vector<double> costs;
  std::vector<double> switching;
  std::vector<double> baseline;
  for (const MeasuredVisit& visit : visits) {
    costs.clear();
    switching.clear();
    baseline.clear();
    for (const MeasuredPair& pair : visit.pairs) {
      if (!uses(pair)) continue;
      costs.push_back(cost(pair));
      switching.push_back(pair.switching_per_switch_ns);
      baseline.push_back(pair.baseline_per_trip_ns);
    }
    if (costs.empty()) continue;
    medians.pairs += static_cast<int>(costs.size());
    medians.costs.push_back(median_of(costs));
    medians.pair_costs_ns.push_back(costs);
    medians.switching_ns.push_back(median_of(switching));
    medians.baseline_ns.push_back(median_of(baseline));
  }
  return medians;
}

double level_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return trimmed_mean_of(values).mean;
}

void add_cause_flags(PointEstimate& estimate, const std::vector<MeasuredVisit>& visits) {
  Causes seen;
  for (const MeasuredVisit& visit : visits)
    for (const MeasuredPair& pair : visit.pairs) seen |= pair.causes;
  const auto saw = [&](SetAside cause) { return (seen & only(cause)).any(); };
  add_flag(estimate, Flag::throttled, saw(SetAside::throttled));
  add_flag(estimate, Flag::stalled, saw(SetAside::stalled));
  add_flag(estimate, Flag::faulted, saw(SetAside::faulted));
  add_flag(estimate, Flag::migrated, saw(SetAside::migrated));
}

} // namespace

void add_flag(PointEstimate& estimate, Flag flag, bool when) {
  if (when && std::find(estimate.flags.begin(), estimate.flags.end(), flag) == estimate.flags.end())
    estimate.flags.push_back(flag);
}

PairedEstimate paired_estimate(const std::vector<MeasuredVisit>& visits, const ContentionSplit& split,
                               std::uint32_t seed) {
  const auto any = [](const MeasuredPair& pair) { return pair.complete; };
  const auto of_this_policy = [](const MeasuredPair& pair) {
    return pair.complete && (pair.causes & only(SetAside::other_policy)).none();
  };
  const auto clean = [&](const MeasuredPair& pair) {
    return pair.complete && pair.causes.none() && !is_contended(pair, split);
  };
  const auto correctable = [&](const MeasuredPair& pair) {
    return pair.complete && pair.causes.none() && pair.self_pipe_ns > 0;
  };
  const auto raw = [](const MeasuredPair& pair) { return pair.cost_ns(); };
  const auto cycles_of = [&](auto uses) -> std::optional<Interval> {
    const auto probed = [&](const MeasuredPair& pair) { return uses(pair) && pair.clock_adds_per_ns > 0; };
    const auto medians = medians_of(visits, probed, [](const MeasuredPair& pair) { return pair.cost_cycles(); });
    if (medians.costs.empty()) return std::nullopt;
    return interval_of(medians.costs, seed);
  };
  const auto corrected = [&](const MeasuredPair& pair) {
    return pair.cost_ns() * split.clean_self_pipe_ns / pair.self_pipe_ns;
  };

  PairedEstimate result;
  PointEstimate& estimate = result.estimate;
  const VisitMedians all = medians_of(visits, any, raw);
  estimate.total_all_blocks = interval_of(all.costs, seed);
  estimate.blocks = 3 * all.pairs;

  VisitMedians used;
  Causes tolerated; // the causes for which pairs are not set aside in this state
  if (has_enough(visits, clean)) {
    estimate.state = EstimateState::clean;
    used = medians_of(visits, clean, raw);
    estimate.total_cycles = cycles_of(clean);
  } else if (split.clean_self_pipe_ns > 0 && has_enough(visits, correctable)) {
    estimate.state = EstimateState::corrected;
    tolerated = only(SetAside::contended);
    estimate.total_raw = interval_of(medians_of(visits, correctable, raw).costs, seed);
    used = medians_of(visits, correctable, corrected);
    estimate.total_cycles = cycles_of(correctable);
  } else {
    estimate.state = EstimateState::contended;
    tolerated = ~only(SetAside::other_policy);
    used = medians_of(visits, of_this_policy, raw);
    estimate.total_cycles = cycles_of(of_this_policy);
  }
  estimate.total = used.costs == all.costs ? estimate.total_all_blocks : interval_of(used.costs, seed);
  estimate.switching_per_switch_ns = level_of(used.switching_ns);
  estimate.baseline_per_trip_ns = level_of(used.baseline_ns);
  estimate.visits = static_cast<int>(used.costs.size());
  estimate.blocks_used = 3 * used.pairs;
  for (const MeasuredVisit& visit : visits)
    for (const MeasuredPair& pair : visit.pairs) {
      if (!pair.complete) continue;
      const Causes causes = all_causes(pair, split);
      const SetAside reason = first_of(causes & ~tolerated);
      const SetAside tolerated_reason = first_of(causes & tolerated);
      if (reason != SetAside::none)
        estimate.set_aside[reason] += 3;
      else if (tolerated_reason != SetAside::none)
        estimate.used_despite[tolerated_reason] += 3;
    }

  // The correction moves an estimate too; whether the answer depends on what was set aside is asked without it.
  const Interval& uncorrected = estimate.total_raw ? *estimate.total_raw : estimate.total;
  estimate.depends_on_set_aside = uncorrected.has_interval && estimate.total_all_blocks.has_interval &&
                                  !overlap(uncorrected, estimate.total_all_blocks);
  add_flag(estimate, Flag::few_visits,
           estimate.visits < visits_for_interval ||
               (estimate.state == EstimateState::clean && visits_made(visits) < clean_visits_needed));
  add_flag(estimate, Flag::contended, estimate.state == EstimateState::contended);
  add_flag(estimate, Flag::contention_unknown, split.source == ContentionSplit::Source::unknown);
  add_cause_flags(estimate, visits);
  result.costs_ns = std::move(used.costs);
  result.pair_costs_ns = std::move(used.pair_costs_ns);
  return result;
}

} // namespace switchscope
