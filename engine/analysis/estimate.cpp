#include "engine/analysis/estimate.h"

#include "engine/analysis/contention.h"
#include "engine/analysis/intervals.h"
#include "engine/analysis/paper.h"
#include "engine/analysis/set_aside.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace switchscope {
namespace {

constexpr int clean_visits_needed = 5;
constexpr int clean_pairs_needed = 3; // of each of these visits

struct MeasuredVisit {
  const VisitData* data = nullptr;
  std::vector<MeasuredPair> pairs;
};

// What the run holds of one point.
struct PointVisits {
  std::vector<MeasuredVisit> visits; // with at least one complete pair, by sequence
  std::vector<const VisitData*> data; // all that yielded data, by sequence
  const Visit* last_failed = nullptr;
};

// A point's visits reduced to one value each.
struct VisitMedians {
  std::vector<double> cost_ns;
  std::vector<double> switching_ns;
  std::vector<double> baseline_ns;
  int pairs = 0;
};

template <class Uses> bool has_enough(const std::vector<MeasuredVisit>& visits, Uses uses) {
  const auto good = std::count_if(visits.begin(), visits.end(), [&](const MeasuredVisit& visit) {
    return std::count_if(visit.pairs.begin(), visit.pairs.end(), uses) >= clean_pairs_needed;
  });
  // While fewer visits than the rule needs were made at all, one good visit gives a first value of its state; the flag
  // few-visits says how little it rests on.
  const auto needed = static_cast<int>(visits.size()) < clean_visits_needed ? 1 : clean_visits_needed;
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
    medians.cost_ns.push_back(median_of(costs));
    medians.switching_ns.push_back(median_of(switching));
    medians.baseline_ns.push_back(median_of(baseline));
  }
  return medians;
}

double level_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return trimmed_mean_of(values).mean;
}

// Fixed by the run's seed and what is estimated, so that a stored run always gives the same interval.
std::uint64_t bootstrap_seed(const Run& run, std::size_t point_index) {
  return run.plan.seed * 0x9e3779b97f4a7c15U + point_index;
}

bool overlap(const Interval& a, const Interval& b) { return a.low <= b.high && b.low <= a.high; }

void raise(PointEstimate& estimate, Flag flag, bool when = true) {
  if (when && std::find(estimate.flags.begin(), estimate.flags.end(), flag) == estimate.flags.end())
    estimate.flags.push_back(flag);
}

struct PairedEstimate {
  PointEstimate estimate;
  std::vector<double> costs_ns; // the visits' values behind `total`
};

PairedEstimate paired_estimate(const std::vector<MeasuredVisit>& visits, const ContentionSplit& split,
                               std::uint64_t seed) {
  const auto any = [](const MeasuredPair& pair) { return pair.complete; };
  const auto clean = [&](const MeasuredPair& pair) {
    return pair.complete && pair.causes.none() && !is_contended(pair, split);
  };
  const auto correctable = [&](const MeasuredPair& pair) {
    return pair.complete && pair.causes.none() && pair.self_pipe_ns > 0;
  };
  const auto raw = [](const MeasuredPair& pair) { return pair.cost_ns(); };
  const auto corrected = [&](const MeasuredPair& pair) {
    return pair.cost_ns() * split.clean_self_pipe_ns / pair.self_pipe_ns;
  };

  PairedEstimate result;
  PointEstimate& estimate = result.estimate;
  const VisitMedians all = medians_of(visits, any, raw);
  estimate.total_all_blocks = interval_of(all.cost_ns, seed);
  estimate.blocks = 3 * all.pairs;

  VisitMedians used = all;
  Causes tolerated; // the causes for which pairs are not set aside in this state
  if (has_enough(visits, clean)) {
    estimate.state = EstimateState::clean;
    used = medians_of(visits, clean, raw);
  } else if (split.clean_self_pipe_ns > 0 && has_enough(visits, correctable)) {
    estimate.state = EstimateState::corrected;
    tolerated = only(SetAside::contended);
    estimate.total_raw = interval_of(medians_of(visits, correctable, raw).cost_ns, seed);
    used = medians_of(visits, correctable, corrected);
  } else {
    estimate.state = EstimateState::contended;
    tolerated.set();
  }
  estimate.total = interval_of(used.cost_ns, seed);
  estimate.switching_per_switch_ns = level_of(used.switching_ns);
  estimate.baseline_per_trip_ns = level_of(used.baseline_ns);
  estimate.visits = static_cast<int>(used.cost_ns.size());
  estimate.blocks_used = 3 * used.pairs;
  for (const MeasuredVisit& visit : visits)
    for (const MeasuredPair& pair : visit.pairs) {
      if (!pair.complete) continue;
      const SetAside reason = first_of(all_causes(pair, split) & ~tolerated);
      if (reason != SetAside::none) estimate.set_aside[reason] += 3;
    }

  // The correction moves an estimate too; whether the answer depends on what was set aside is asked without it.
  const Interval& uncorrected = estimate.total_raw ? *estimate.total_raw : estimate.total;
  estimate.depends_on_set_aside = uncorrected.has_interval && estimate.total_all_blocks.has_interval &&
                                  !overlap(uncorrected, estimate.total_all_blocks);
  raise(estimate, Flag::few_visits,
        estimate.visits < visits_for_interval ||
            (estimate.state == EstimateState::clean && static_cast<int>(visits.size()) < clean_visits_needed));
  raise(estimate, Flag::contended, estimate.state == EstimateState::contended);
  raise(estimate, Flag::contention_unknown, split.source == ContentionSplit::Source::unknown);
  result.costs_ns = std::move(used.cost_ns);
  return result;
}

void add_cause_flags(PointEstimate& estimate, const std::vector<MeasuredVisit>& visits) {
  Causes seen;
  for (const MeasuredVisit& visit : visits)
    for (const MeasuredPair& pair : visit.pairs) seen |= pair.causes;
  const auto saw = [&](SetAside cause) { return (seen & only(cause)).any(); };
  raise(estimate, Flag::throttled, saw(SetAside::throttled));
  raise(estimate, Flag::stalled, saw(SetAside::stalled));
  raise(estimate, Flag::faulted, saw(SetAside::faulted));
  raise(estimate, Flag::migrated, saw(SetAside::migrated));
}

bool policy_fell_back(const VisitReport& report, Policy asked) {
  const Policy expected = asked == Policy::automatic ? Policy::fifo : asked;
  return report.policy != expected || !report.policy_reason.empty();
}

void add_report_flags(PointEstimate& estimate, const std::vector<const VisitData*>& visits, const Point& point) {
  for (const VisitData* data : visits) {
    raise(estimate, Flag::policy_fallback, policy_fell_back(data->report, point.policy));
    raise(estimate, Flag::pages_fallback, data->report.pages != point.pages || !data->report.pages_reason.empty());
  }
}

bool is_off(std::int64_t expected, std::int64_t observed, double tolerance) {
  return static_cast<double>(std::abs(observed - expected)) > tolerance * static_cast<double>(expected);
}

// Each task by itself: one that switched too often and one too rarely do not make a right count.
void add_counts(PointEstimate& estimate, const std::vector<const VisitData*>& visits, double tolerance) {
  std::int64_t expected_per_task = 0;
  std::int64_t observed_a = 0;
  std::int64_t observed_b = 0;
  std::int64_t baseline_trips = 0;
  std::int64_t baseline_switches = 0; // voluntary; S2 expects none. Involuntary ones have their own cause.
  for (const VisitData* data : visits) {
    expected_per_task += data->report.expected_switches;
    observed_a += data->report.observed_switches_a;
    observed_b += data->report.observed_switches_b;
    for (const Block& block : data->blocks) {
      if (block.phase == Phase::switching) continue;
      baseline_trips += block.trips;
      const auto& counts = block.phase == Phase::baseline_a ? block.task_a : block.task_b;
      if (counts) baseline_switches += counts->voluntary_switches;
    }
  }
  estimate.switches_expected = 2 * expected_per_task;
  estimate.switches_observed = observed_a + observed_b;
  raise(estimate, Flag::count_off,
        is_off(expected_per_task, observed_a, tolerance) || is_off(expected_per_task, observed_b, tolerance) ||
            static_cast<double>(baseline_switches) > tolerance * static_cast<double>(baseline_trips));
}

std::vector<PointVisits> by_point(const Run& run, const std::vector<Visit>& visits) {
  std::vector<const Visit*> ordered;
  ordered.reserve(visits.size());
  for (const Visit& visit : visits)
    if (visit.point_index >= 0 && static_cast<std::size_t>(visit.point_index) < run.points.size())
      ordered.push_back(&visit);
  std::sort(ordered.begin(), ordered.end(),
            [](const Visit* a, const Visit* b) { return a->sequence < b->sequence; });

  std::vector<PointVisits> points(run.points.size());
  for (const Visit* visit : ordered) {
    const auto index = static_cast<std::size_t>(visit->point_index);
    const VisitData* data = visit->data();
    if (data == nullptr) {
      points[index].last_failed = visit;
      continue;
    }
    points[index].data.push_back(data);
    if (run.plan.method == Method::paper) continue;
    MeasuredVisit measured{data, measured_pairs(*data, run.points[index].placement, run.thresholds, run.before)};
    if (std::any_of(measured.pairs.begin(), measured.pairs.end(), [](const MeasuredPair& p) { return p.complete; }))
      points[index].visits.push_back(std::move(measured));
  }
  return points;
}

std::map<std::string, ContentionSplit> splits_of(const Run& run, const std::vector<PointVisits>& points) {
  std::map<std::string, std::vector<Probe>> probes;
  for (std::size_t i = 0; i < points.size(); ++i) {
    auto& of_placement = probes[text_of(run.points[i].placement)];
    for (const VisitData* data : points[i].data)
      for (const Block& block : data->blocks) {
        of_placement.push_back(block.before);
        of_placement.push_back(block.after);
      }
  }
  std::map<std::string, ContentionSplit> splits;
  for (const auto& [placement, seen] : probes) splits[placement] = contention_split(seen, run.thresholds);
  return splits;
}

std::string failure_of(const PointVisits& visits) {
  if (visits.last_failed != nullptr) return visits.last_failed->failure()->message;
  if (visits.data.empty()) return "No visit of this point was made; resume the run to measure it.";
  return "The visits of this point hold no complete pair of blocks; measure it again.";
}

void set_indirect(PointEstimate& estimate, const PointEstimate* direct, const std::vector<double>& costs_ns,
                  const std::vector<double>* direct_costs_ns, std::uint64_t seed) {
  if (direct == nullptr) {
    estimate.indirect_absent_reason = "The run has no direct cost for these tasks and this placement.";
  } else if (direct->state == EstimateState::failed) {
    estimate.indirect_absent_reason = "The direct cost has no estimate yet.";
  } else if (direct->state != estimate.state) {
    estimate.indirect_absent_reason = "The direct cost is " + std::string(name_of(direct->state)) +
                                      " and this cost is " + std::string(name_of(estimate.state)) +
                                      "; a difference must not mix states.";
  } else if (estimate.state == EstimateState::paper) {
    estimate.indirect = Interval{estimate.total.estimate - direct->total.estimate,
                                 estimate.total.low - direct->total.high, estimate.total.high - direct->total.low,
                                 false};
  } else {
    estimate.indirect = interval_of_difference(costs_ns, *direct_costs_ns, seed);
  }
}

std::string interval_method_of(const Run& run, const std::vector<PointEstimate>& points) {
  if (run.plan.method == Method::paper) return "range over rounds";
  bool t = false;
  bool bootstrap = false;
  for (const PointEstimate& point : points) {
    if (!point.total.has_interval) continue;
    (point.visits >= visits_for_bootstrap ? bootstrap : t) = true;
  }
  if (t && bootstrap) return "t and bootstrap-t over visits";
  return bootstrap ? "bootstrap-t over visits" : "t over visits";
}

} // namespace

RunEstimates estimate_run(const Run& run, const std::vector<Visit>& visits) {
  const std::vector<PointVisits> measured = by_point(run, visits);
  RunEstimates estimates;
  const bool is_paper = run.plan.method == Method::paper;
  if (!is_paper) estimates.splits = splits_of(run, measured);

  std::vector<std::vector<double>> costs_ns(run.points.size()); // per point, one per visit
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const Point& point = run.points[i];
    PointEstimate estimate;
    if (is_paper && !measured[i].data.empty()) {
      estimate = paper_estimate(measured[i].data, run.thresholds, run.before);
    } else if (!measured[i].visits.empty()) {
      PairedEstimate paired = paired_estimate(measured[i].visits, estimates.splits.at(text_of(point.placement)),
                                              bootstrap_seed(run, i));
      estimate = std::move(paired.estimate);
      costs_ns[i] = std::move(paired.costs_ns);
      add_cause_flags(estimate, measured[i].visits);
    }
    estimate.point_index = static_cast<int>(i);
    if (!measured[i].data.empty()) {
      add_counts(estimate, measured[i].data, run.thresholds.count_tolerance_ratio);
      add_report_flags(estimate, measured[i].data, point);
    }
    raise(estimate, Flag::emulated, !run.before.emulation.empty());
    if (estimate.state == EstimateState::failed) {
      if (estimate.failure.empty() || measured[i].last_failed != nullptr) estimate.failure = failure_of(measured[i]);
      raise(estimate, Flag::failed, measured[i].last_failed != nullptr || !measured[i].data.empty());
    } else if (!is_paper && is_precise(estimate, point, run.plan.precision_ratio.value_or(default_precision_ratio))) {
      ++estimates.points_precise;
    } else if (!is_paper) {
      raise(estimate, Flag::precision_not_reached, run.plan.precision_ratio.has_value());
    }
    estimates.points.push_back(std::move(estimate));
  }

  for (std::size_t i = 0; i < run.points.size(); ++i) {
    PointEstimate& estimate = estimates.points[i];
    std::sort(estimate.flags.begin(), estimate.flags.end());
    if (run.points[i].is_direct() || estimate.state == EstimateState::failed) continue;
    const auto direct = std::find(run.points.begin(), run.points.end(), direct_point_of(run.points[i]));
    const auto at = static_cast<std::size_t>(direct - run.points.begin());
    const bool found = direct != run.points.end();
    set_indirect(estimate, found ? &estimates.points[at] : nullptr, costs_ns[i], found ? &costs_ns[at] : nullptr,
                 bootstrap_seed(run, i));
  }
  estimates.interval_method = interval_method_of(run, estimates.points);
  return estimates;
}

} // namespace switchscope
