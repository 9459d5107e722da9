#include "engine/analysis/estimate.h"

#include "engine/analysis/contention.h"
#include "engine/analysis/counters.h"
#include "engine/analysis/curve.h"
#include "engine/analysis/intervals.h"
#include "engine/analysis/paired.h"
#include "engine/analysis/paper.h"
#include "engine/analysis/sessions.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>

namespace switchscope {
namespace {

// What the run holds of one point.
struct PointVisits {
  std::vector<MeasuredVisit> visits;      // with at least one complete pair, by sequence
  std::vector<const VisitData*> data;     // all that yielded data, by sequence
  std::vector<const Visit*> failed;       // since the last one that yielded data, by sequence
  std::optional<Policy> policy;           // of most of them
  std::vector<const VisitData*> counting; // that counted events and are in none of the above
};

void settle_policy(PointVisits& point, bool is_paper) {
  std::vector<Policy> policies;
  if (is_paper)
    for (const VisitData* data : point.data) policies.push_back(data->report.policy);
  for (const MeasuredVisit& visit : point.visits) policies.push_back(visit.policy);
  point.policy = most_frequent(policies);
  for (MeasuredVisit& visit : point.visits) {
    visit.of_other_policy = point.policy && visit.policy != *point.policy;
    if (visit.of_other_policy) set_aside_for_policy(visit.pairs);
  }
}

std::optional<PageMode> pages_of(const std::vector<const VisitData*>& visits) {
  std::vector<PageMode> pages;
  for (const VisitData* data : visits) pages.push_back(data->report.pages);
  return most_frequent(pages);
}

// The first try and both retries of its last pass failed: the run did not try it again.
bool was_given_up(const PointVisits& point) {
  if (point.failed.size() < 3) return false;
  const auto last_three = point.failed.end() - 3;
  for (int attempt = 0; attempt < 3; ++attempt)
    if (last_three[attempt]->attempt != attempt || last_three[attempt]->pass != point.failed.back()->pass) return false;
  return true;
}

// Fixed by the run's seed and what is estimated, so that a stored run always gives the same interval.
std::uint32_t bootstrap_seed(const Run& run, std::size_t point_index) {
  return static_cast<std::uint32_t>(((run.plan.seed + point_index) * 0x9e3779b97f4a7c15U) >> 32);
}

bool policy_fell_back(const VisitReport& report, Policy asked) {
  const Policy expected = asked == Policy::automatic ? Policy::fifo : asked;
  return report.policy != expected || !report.policy_reason.empty();
}

void add_report_flags(PointEstimate& estimate, const std::vector<const VisitData*>& visits, const Point& point) {
  for (const VisitData* data : visits) {
    add_flag(estimate, Flag::policy_fallback, policy_fell_back(data->report, point.policy));
    add_flag(estimate, Flag::pages_fallback, data->report.pages != point.pages || !data->report.pages_reason.empty());
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
  add_flag(estimate, Flag::count_off,
           is_off(expected_per_task, observed_a, tolerance) || is_off(expected_per_task, observed_b, tolerance) ||
               static_cast<double>(baseline_switches) > tolerance * static_cast<double>(baseline_trips));
}

// The visits for which `wanted` is true, by point.
template <class Wanted>
std::vector<PointVisits> by_point(const Run& run, const std::vector<Visit>& visits, Wanted wanted) {
  std::vector<const Visit*> ordered;
  ordered.reserve(visits.size());
  for (const Visit& visit : visits)
    if (visit.point_index >= 0 && static_cast<std::size_t>(visit.point_index) < run.points.size() && wanted(visit))
      ordered.push_back(&visit);
  std::sort(ordered.begin(), ordered.end(), [](const Visit* a, const Visit* b) { return a->sequence < b->sequence; });

  std::vector<PointVisits> points(run.points.size());
  for (const Visit* visit : ordered) {
    const auto index = static_cast<std::size_t>(visit->point_index);
    const VisitData* data = visit->data();
    if (visit->request.counters) {
      if (data != nullptr) points[index].counting.push_back(data);
      continue;
    }
    if (data == nullptr) {
      points[index].failed.push_back(visit);
      continue;
    }
    points[index].failed.clear();
    points[index].data.push_back(data);
    if (run.points[index].method == Method::paper) continue;
    MeasuredVisit measured{measured_pairs(*data, run.points[index].placement, run.thresholds, run.before),
                           data->report.policy};
    if (std::any_of(measured.pairs.begin(), measured.pairs.end(), [](const MeasuredPair& p) { return p.complete; }))
      points[index].visits.push_back(std::move(measured));
  }
  for (std::size_t i = 0; i < points.size(); ++i) settle_policy(points[i], run.points[i].method == Method::paper);
  return points;
}

std::map<std::string, ContentionSplit> splits_of(const Run& run, const std::vector<PointVisits>& points) {
  std::map<std::string, std::vector<Probe>> probes;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (run.points[i].method == Method::paper) continue; // sets nothing aside
    auto& of_placement = probes[text_of(run.points[i].placement)];
    for (const VisitData* data : points[i].data)
      for (const Block& block : data->blocks) {
        of_placement.push_back(block.before);
        of_placement.push_back(block.after);
      }
  }
  std::map<std::string, ContentionSplit> splits;
  for (const auto& [placement, seen] : probes) {
    const auto stored = run.thresholds.stored_levels.find(placement);
    splits[placement] =
        contention_split(seen, run.thresholds.contention_gap_ratio,
                         stored == run.thresholds.stored_levels.end() ? std::nullopt : std::optional(stored->second));
  }
  return splits;
}

std::string failure_of(const PointVisits& visits) {
  if (!visits.failed.empty()) return visits.failed.back()->failure()->message;
  if (visits.data.empty()) return "No visit of this point was made; resume the run to measure it.";
  return "The visits of this point hold no complete pair of blocks; measure it again.";
}

// A point's estimate but for the indirect cost, which needs another point's.
PairedEstimate estimate_alone(const Run& run, std::size_t index, const PointVisits& visits,
                              const std::map<std::string, ContentionSplit>& splits) {
  const Point& point = run.points[index];
  const bool is_paper = point.method == Method::paper;
  PairedEstimate result;
  PointEstimate& estimate = result.estimate;
  if (is_paper && !visits.data.empty()) {
    estimate = paper_estimate(visits.data, visits.policy, run.thresholds, run.before);
  } else if (!visits.visits.empty()) {
    const auto split = splits.find(text_of(point.placement));
    result = paired_estimate(visits.visits, split == splits.end() ? ContentionSplit{} : split->second,
                             bootstrap_seed(run, index));
  }
  estimate.point_index = static_cast<int>(index);
  estimate.policy = visits.policy;
  estimate.pages = pages_of(visits.data);
  estimate.counters = counters_per_switch(visits.counting);
  add_counts(estimate, visits.data, run.thresholds.count_tolerance_ratio);
  add_report_flags(estimate, visits.data, point);
  add_flag(estimate, Flag::emulated, !run.before.emulation.empty());
  if (estimate.state == EstimateState::failed) {
    if (estimate.failure.empty()) estimate.failure = failure_of(visits);
    add_flag(estimate, Flag::failed, !visits.failed.empty() || !visits.data.empty());
  } else if (run.plan.precision_ratio && !is_paper) {
    add_flag(estimate, Flag::precision_not_reached, !is_precise(estimate, point, *run.plan.precision_ratio));
  }
  if (estimate.state != EstimateState::failed && was_given_up(visits)) {
    estimate.failure = failure_of(visits);
    add_flag(estimate, Flag::failed);
  }
  std::sort(estimate.flags.begin(), estimate.flags.end());
  estimate.sessions = estimate.state == EstimateState::failed ? 0 : 1;
  estimate.precise = is_precise(estimate, point, run.plan.precision_ratio.value_or(default_precision_ratio));
  estimate.variance = variance_components({result.pair_costs_ns});
  return result;
}

void set_indirect(PairedEstimate& data, const PairedEstimate* direct, std::uint32_t seed) {
  PointEstimate& estimate = data.estimate;
  if (estimate.state == EstimateState::failed) {
    estimate.indirect_absent_reason = "This point has no estimate.";
  } else if (direct == nullptr) {
    estimate.indirect_absent_reason = "The run has no direct cost for these tasks and this placement.";
  } else if (direct->estimate.state == EstimateState::failed) {
    estimate.indirect_absent_reason = "The direct cost has no estimate.";
  } else if (direct->estimate.state != estimate.state) {
    estimate.indirect_absent_reason = "The direct cost is " + std::string(name_of(direct->estimate.state)) +
                                      " and this cost is " + std::string(name_of(estimate.state)) +
                                      "; a difference must not mix states.";
  } else if (direct->estimate.policy != estimate.policy) {
    estimate.indirect_absent_reason =
        "The direct cost and this cost were measured under different scheduling policies; a "
        "difference must not mix them.";
  } else if (estimate.state == EstimateState::paper) {
    const Interval& c1 = direct->estimate.total;
    const Interval& c2 = estimate.total;
    estimate.indirect = Interval{c2.estimate - c1.estimate, c2.low - c1.high, c2.high - c1.low, false};
  } else {
    estimate.indirect = interval_of_difference(data.costs_ns, direct->costs_ns, seed);
  }
}

MeasuredSession estimate_session(const Run& run, const std::vector<Visit>& visits, int number) {
  const std::vector<PointVisits> measured =
      by_point(run, visits, [number](const Visit& visit) { return visit.session == number; });
  MeasuredSession session;
  session.estimates.session = number;
  session.estimates.splits = splits_of(run, measured);

  std::vector<PairedEstimate> points;
  points.reserve(run.points.size());
  for (std::size_t i = 0; i < run.points.size(); ++i)
    points.push_back(estimate_alone(run, i, measured[i], session.estimates.splits));
  for (const Curve& curve : curves_of(run.points)) {
    const auto direct = curve.direct_index;
    for (const int index : curve.point_indices) {
      const auto i = static_cast<std::size_t>(index);
      set_indirect(points[i], direct >= 0 ? &points[static_cast<std::size_t>(direct)] : nullptr,
                   bootstrap_seed(run, i));
    }
  }
  for (PairedEstimate& point : points) {
    session.estimates.points.push_back(std::move(point.estimate));
    session.costs_ns.push_back(std::move(point.pair_costs_ns));
  }
  return session;
}

} // namespace

RunEstimates estimate_run(const Run& run, const std::vector<Visit>& visits) {
  std::set<int> numbers;
  for (const Visit& visit : visits) numbers.insert(visit.session);
  if (numbers.empty()) numbers.insert(0);
  std::vector<MeasuredSession> sessions;
  for (const int number : numbers) sessions.push_back(estimate_session(run, visits, number));
  return estimates_over(run, std::move(sessions));
}

PointEstimate estimate_point(const Run& run, const std::vector<Visit>& visits, int point_index,
                             const std::map<std::string, ContentionSplit>& splits) {
  const auto index = static_cast<std::size_t>(point_index);
  const bool has_data = !run.points[index].is_direct();
  const int direct = has_data ? direct_index_of(run.points, run.points[index]) : -1;
  const int session = visits.empty() ? 0 : visits.back().session;
  const std::vector<PointVisits> measured = by_point(run, visits, [&](const Visit& visit) {
    return visit.session == session && (visit.point_index == point_index || visit.point_index == direct);
  });
  PairedEstimate point = estimate_alone(run, index, measured[index], splits);
  if (has_data && direct < 0) {
    set_indirect(point, nullptr, bootstrap_seed(run, index));
  } else if (has_data) {
    const auto i = static_cast<std::size_t>(direct);
    const PairedEstimate direct_point = estimate_alone(run, i, measured[i], splits);
    set_indirect(point, &direct_point, bootstrap_seed(run, index));
  }
  return std::move(point.estimate);
}

} // namespace switchscope
