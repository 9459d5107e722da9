#include "engine/analysis/sessions.h"

#include "engine/analysis/intervals.h"
#include "engine/analysis/paired.h"

#include <algorithm>
#include <string>
#include <utility>

namespace switchscope {
namespace {

struct OfSession {
  int number = 0;
  const PointEstimate* estimate = nullptr;
  const std::vector<std::vector<double>>* costs_ns = nullptr; // by visit
};

// A single one keeps its interval over visits. The paper's method has none: of its sessions only the range is known.
template <class Part> Interval over(const std::vector<OfSession>& sessions, Part part) {
  std::vector<double> estimates;
  Interval range = part(*sessions.front().estimate);
  if (sessions.size() == 1) return range;
  bool any_paper = false;
  for (const OfSession& session : sessions) {
    const Interval own = part(*session.estimate);
    estimates.push_back(own.estimate);
    range.low = std::min(range.low, own.low);
    range.high = std::max(range.high, own.high);
    any_paper = any_paper || session.estimate->state == EstimateState::paper;
  }
  const Interval mean = mean_interval_of(estimates);
  return any_paper ? Interval{mean.estimate, range.low, range.high, false} : mean;
}

double mean_over(const std::vector<OfSession>& sessions, double PointEstimate::*part) {
  double sum = 0;
  for (const OfSession& session : sessions) sum += session.estimate->*part;
  return sum / static_cast<double>(sessions.size());
}

void set_costs(PointEstimate& whole, const std::vector<OfSession>& used, const std::vector<OfSession>& measured) {
  whole.total = over(used, [](const PointEstimate& own) { return own.total; });
  whole.total_all_blocks = over(measured, [](const PointEstimate& own) { return own.total_all_blocks; });
  if (whole.state == EstimateState::corrected)
    whole.total_raw = over(used, [](const PointEstimate& own) { return *own.total_raw; });
  const bool all_in_cycles = std::all_of(
      used.begin(), used.end(), [](const OfSession& session) { return session.estimate->total_cycles.has_value(); });
  if (all_in_cycles) whole.total_cycles = over(used, [](const PointEstimate& own) { return *own.total_cycles; });
  whole.switching_per_switch_ns = mean_over(used, &PointEstimate::switching_per_switch_ns);
  whole.baseline_per_trip_ns = mean_over(used, &PointEstimate::baseline_per_trip_ns);
  const Interval& uncorrected = whole.total_raw ? *whole.total_raw : whole.total;
  whole.depends_on_set_aside = (uncorrected.has_interval && !overlap(uncorrected, whole.total_all_blocks)) ||
                               std::any_of(used.begin(), used.end(), [](const OfSession& session) {
                                 return session.estimate->depends_on_set_aside;
                               });
}

// The mean of the sessions' differences; absent where one of them has none.
void set_indirect(PointEstimate& whole, const std::vector<OfSession>& used) {
  for (const OfSession& session : used) {
    if (session.estimate->indirect) continue;
    if (!session.estimate->indirect_absent_reason.empty())
      whole.indirect_absent_reason =
          "In session " + std::to_string(session.number + 1) + ": " + session.estimate->indirect_absent_reason;
    return; // of a D = 0 point there is none, and no reason
  }
  whole.indirect = over(used, [](const PointEstimate& own) { return *own.indirect; });
}

void add_counts(PointEstimate& whole, const std::vector<OfSession>& used, const std::vector<OfSession>& measured) {
  for (const OfSession& session : measured) {
    whole.blocks += session.estimate->blocks;
    if (session.estimate->policy != whole.policy)
      whole.set_aside[SetAside::other_policy] += session.estimate->blocks;
    else if (session.estimate->state != whole.state)
      whole.set_aside[SetAside::other_state] += session.estimate->blocks;
  }
  for (const OfSession& session : used) {
    whole.visits += session.estimate->visits;
    whole.blocks_used += session.estimate->blocks_used;
    for (const auto& [reason, blocks] : session.estimate->set_aside) whole.set_aside[reason] += blocks;
    for (const auto& [reason, blocks] : session.estimate->used_despite) whole.used_despite[reason] += blocks;
    for (const auto& [cause, count] : session.estimate->stalls) whole.stalls[cause] += count;
  }
}

// Each counting visit weighs the same, whatever its session.
void add_counters(PointEstimate& whole, const std::vector<OfSession>& used) {
  for (const OfSession& session : used)
    for (const CounterPerSwitch& counter : session.estimate->counters) {
      const auto known = std::find_if(whole.counters.begin(), whole.counters.end(),
                                      [&](const CounterPerSwitch& each) { return each.name == counter.name; });
      if (known == whole.counters.end()) {
        whole.counters.push_back(counter);
        continue;
      }
      known->visits += counter.visits;
      known->per_switch += (counter.per_switch - known->per_switch) * counter.visits / known->visits;
      known->scheduled_share = std::min(known->scheduled_share, counter.scheduled_share);
    }
}

void add_flags(PointEstimate& whole, const std::vector<OfSession>& sessions) {
  for (const OfSession& session : sessions) {
    whole.switches_expected += session.estimate->switches_expected;
    whole.switches_observed += session.estimate->switches_observed;
    for (const Flag flag : session.estimate->flags) add_flag(whole, flag);
    const bool failed = std::find(session.estimate->flags.begin(), session.estimate->flags.end(), Flag::failed) !=
                        session.estimate->flags.end();
    if (failed) whole.failure = session.estimate->failure;
  }
  std::sort(whole.flags.begin(), whole.flags.end());
}

template <class Wanted> std::vector<OfSession> those(const std::vector<OfSession>& sessions, Wanted wanted) {
  std::vector<OfSession> found;
  std::copy_if(sessions.begin(), sessions.end(), std::back_inserter(found),
               [&](const OfSession& session) { return wanted(*session.estimate); });
  return found;
}

// Costs of another policy or state are of something else: their mean would be of neither.
std::vector<OfSession> most_alike(const std::vector<OfSession>& measured) {
  std::vector<Policy> policies;
  for (const OfSession& session : measured)
    if (session.estimate->policy) policies.push_back(*session.estimate->policy);
  const std::optional<Policy> policy = most_frequent(policies);
  const auto of_policy = those(measured, [&](const PointEstimate& own) { return own.policy == policy; });
  std::vector<EstimateState> states;
  for (const OfSession& session : of_policy) states.push_back(session.estimate->state);
  const auto state = most_frequent(
      states, {EstimateState::clean, EstimateState::corrected, EstimateState::contended, EstimateState::paper});
  return those(of_policy, [&](const PointEstimate& own) { return own.state == state; });
}

std::optional<PageMode> pages_of(const std::vector<OfSession>& sessions) {
  std::vector<PageMode> pages;
  for (const OfSession& session : sessions)
    if (session.estimate->pages) pages.push_back(*session.estimate->pages);
  return most_frequent(pages);
}

std::optional<VarianceComponents> variance_of(const std::vector<OfSession>& sessions) {
  NestedCosts costs_ns;
  for (const OfSession& session : sessions) costs_ns.push_back(*session.costs_ns);
  return variance_components(costs_ns);
}

PointEstimate over_sessions(const std::vector<OfSession>& sessions) {
  const auto measured = those(sessions, [](const PointEstimate& own) { return own.state != EstimateState::failed; });
  PointEstimate whole;
  whole.point_index = sessions.front().estimate->point_index;
  add_flags(whole, sessions);
  if (measured.empty()) {
    if (whole.failure.empty()) whole.failure = sessions.back().estimate->failure;
    whole.indirect_absent_reason = sessions.back().estimate->indirect_absent_reason;
    return whole;
  }
  const std::vector<OfSession> used = most_alike(measured);
  whole.sessions = static_cast<int>(used.size());
  whole.policy = used.front().estimate->policy;
  whole.state = used.front().estimate->state;
  whole.pages = pages_of(used);
  whole.precise =
      std::all_of(sessions.begin(), sessions.end(), [](const OfSession& session) { return session.estimate->precise; });
  set_costs(whole, used, measured);
  set_indirect(whole, used);
  add_counts(whole, used, measured);
  add_counters(whole, used);
  whole.variance = variance_of(used);
  return whole;
}

std::string interval_method_of(const Run& run, const std::vector<PointEstimate>& points) {
  if (std::all_of(run.points.begin(), run.points.end(), [](const Point& p) { return p.method == Method::paper; }))
    return "range over rounds";
  bool t = false;
  bool bootstrap = false;
  bool sessions = false;
  for (const PointEstimate& point : points) {
    sessions = sessions || point.sessions > 1;
    if (!point.total.has_interval) continue;
    (point.visits >= visits_for_bootstrap ? bootstrap : t) = true;
  }
  if (sessions) return "t over sessions";
  if (t && bootstrap) return "t and bootstrap-t over visits";
  return bootstrap ? "bootstrap-t over visits" : "t over visits";
}

} // namespace

std::optional<Policy> most_frequent(const std::vector<Policy>& policies) {
  return most_frequent(policies, {Policy::fifo, Policy::round_robin, Policy::other});
}
std::optional<PageMode> most_frequent(const std::vector<PageMode>& pages) {
  return most_frequent(pages, {PageMode::base_4k, PageMode::transparent_huge, PageMode::hugetlb});
}

RunEstimates estimates_over(const Run& run, std::vector<MeasuredSession> sessions) {
  RunEstimates estimates;
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    std::vector<OfSession> of_point;
    for (const MeasuredSession& session : sessions)
      of_point.push_back({session.estimates.session, &session.estimates.points[i], &session.costs_ns[i]});
    PointEstimate& point = estimates.points.emplace_back();
    point = sessions.size() == 1 ? *of_point.front().estimate : over_sessions(of_point);
    if (point.precise) ++estimates.points_precise;
    if (run.points[i].method == Method::paired) ++estimates.points_paired;
  }
  estimates.interval_method = interval_method_of(run, estimates.points);
  estimates.splits = sessions.back().estimates.splits;
  for (MeasuredSession& session : sessions) estimates.sessions.push_back(std::move(session.estimates));
  return estimates;
}

ContentionSplit split_of(const RunEstimates& estimates, int session, const Placement& placement) {
  for (const SessionEstimates& each : estimates.sessions) {
    if (each.session != session) continue;
    const auto found = each.splits.find(text_of(placement));
    return found == each.splits.end() ? ContentionSplit{} : found->second;
  }
  return {};
}

} // namespace switchscope
