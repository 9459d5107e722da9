// Runs of several sessions: each is estimated by itself, then they are put together.
#include "engine/analysis/estimate.h"
#include "engine/analysis/intervals.h"
#include "tests/analysis/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace switchscope {
namespace {

using synthetic::Machine;

constexpr double t_1 = 12.706204736432095; // Student's 97.5 % quantile, 1 degree of freedom
constexpr double t_2 = 4.302652729911275;

Machine quiet(double cost_ns) {
  Machine machine;
  machine.cost_ns = cost_ns;
  machine.block_noise_ratio = 0.001;
  machine.visit_noise_ns = 1;
  return machine;
}

struct Series {
  std::vector<Visit> visits;
  // Its visits follow those there are.
  void add(int session, const Machine& direct, const Machine& data, int count) {
    const int first = visits.empty() ? 0 : visits.back().sequence + 1;
    for (Visit& visit : synthetic::visits_of(direct, data, count, static_cast<std::uint64_t>(session) + 1)) {
      visit.sequence += first;
      visit.session = session;
      visits.push_back(std::move(visit));
    }
    std::sort(visits.begin(), visits.end(), [](const Visit& a, const Visit& b) { return a.sequence < b.sequence; });
  }
};

bool has(const PointEstimate& point, Flag flag) {
  return std::find(point.flags.begin(), point.flags.end(), flag) != point.flags.end();
}

TEST(Sessions, TheEstimateIsTheirMeanWithStudentsT) {
  Series series;
  series.add(0, quiet(1800), quiet(2700), 8);
  series.add(1, quiet(1900), quiet(2900), 8);
  series.add(2, quiet(1850), quiet(2950), 12);
  const RunEstimates estimates = estimate_run(synthetic::run_of(), series.visits);
  ASSERT_EQ(estimates.sessions.size(), 3u);
  const auto expect_over = [&](const Interval& whole, auto part) {
    std::vector<double> own;
    for (const auto& session : estimates.sessions) own.push_back(part(session.points[1]).estimate);
    const double mean = (own[0] + own[1] + own[2]) / 3;
    double squares = 0;
    for (const double value : own) squares += (value - mean) * (value - mean);
    EXPECT_NEAR(whole.estimate, mean, 1e-9);
    EXPECT_NEAR(whole.half_width(), t_2 * std::sqrt(squares / 6), 1e-6);
    EXPECT_TRUE(whole.has_interval);
  };
  const PointEstimate& point = estimates.points[1];
  expect_over(point.total, [](const PointEstimate& own) { return own.total; });
  expect_over(point.total_all_blocks, [](const PointEstimate& own) { return own.total_all_blocks; });
  ASSERT_TRUE(point.indirect);
  expect_over(*point.indirect, [](const PointEstimate& own) { return *own.indirect; });
  EXPECT_EQ(point.sessions, 3);
  EXPECT_EQ(point.visits, 28);
  EXPECT_EQ(estimates.interval_method, "t over sessions");
  EXPECT_TRUE(point.precise) << "each session by itself is";
  EXPECT_EQ(estimates.points_precise, 2);
}

TEST(Sessions, TwoHaveOneDegreeOfFreedom) {
  const Interval interval = mean_interval_of({1000, 1010});
  EXPECT_DOUBLE_EQ(interval.estimate, 1005);
  EXPECT_NEAR(interval.half_width(), t_1 * 5, 1e-6);
  EXPECT_FALSE(mean_interval_of({1000}).has_interval);
}

TEST(Sessions, ASingleOneSaysWhatItSaidBefore) {
  Series series;
  series.add(4, quiet(1800), quiet(2700), 8);
  const RunEstimates alone = estimate_run(synthetic::run_of(), series.visits);
  EXPECT_EQ(alone.interval_method, "t over visits");
  EXPECT_EQ(alone.points[1].sessions, 1);
  EXPECT_EQ(alone.points, alone.sessions.front().points);
  series.add(5, quiet(2000), quiet(2500), 8);
  EXPECT_EQ(estimate_run(synthetic::run_of(), series.visits).sessions.front(), alone.sessions.front());
}

TEST(Sessions, OnePointIsEstimatedInTheSessionUnderWay) {
  Series series;
  series.add(0, quiet(1800), quiet(2700), 8);
  series.add(1, quiet(1900), quiet(2900), 8);
  const RunEstimates estimates = estimate_run(synthetic::run_of(), series.visits);
  EXPECT_EQ(estimate_point(synthetic::run_of(), series.visits, 1, estimates.splits), estimates.sessions[1].points[1]);
}

TEST(Sessions, ContentionIsSplitInEachByItself) {
  Machine shared = quiet(2700);
  shared.contended_share = 0.3;
  Series series;
  series.add(0, quiet(1800), quiet(2700), 8);
  series.add(1, quiet(1800), shared, 8);
  const auto run = synthetic::run_of();
  const RunEstimates estimates = estimate_run(run, series.visits);
  EXPECT_EQ(split_of(estimates, 0, run.points[1].placement).source, ContentionSplit::Source::unknown);
  EXPECT_EQ(split_of(estimates, 1, run.points[1].placement).source, ContentionSplit::Source::this_run);
  EXPECT_EQ(split_of(estimates, 2, run.points[1].placement), ContentionSplit{});
}

// Sessions in which point 1 is clean (C) or corrected (c).
RunEstimates of_states(const std::string& states) {
  Machine busy = quiet(3700);
  busy.contended_share = 0.97;
  Machine mixed = quiet(1800);
  mixed.contended_share = 0.5;
  Series series;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (states[i] == 'C')
      series.add(static_cast<int>(i), quiet(1800), quiet(2700), 8);
    else
      series.add(static_cast<int>(i), mixed, busy, 8);
  const RunEstimates estimates = estimate_run(synthetic::run_of(), series.visits);
  for (std::size_t i = 0; i < states.size(); ++i)
    EXPECT_EQ(estimates.sessions[i].points[1].state,
              states[i] == 'C' ? EstimateState::clean : EstimateState::corrected);
  return estimates;
}

TEST(Sessions, OfSeveralStatesThoseOfTheMostFrequentOneAreUsed) {
  struct Case {
    std::string states;
    EstimateState state;
    std::vector<std::size_t> used;
  };
  const Case cases[] = {{"CCc", EstimateState::clean, {0, 1}},
                        {"cCc", EstimateState::corrected, {0, 2}},
                        {"cC", EstimateState::clean, {1}}}; // of equally many the cleaner
  for (const auto& [states, state, used] : cases) {
    const RunEstimates estimates = of_states(states);
    const PointEstimate& point = estimates.points[1];
    EXPECT_EQ(point.state, state) << states;
    EXPECT_EQ(point.sessions, static_cast<int>(used.size())) << states;
    double sum = 0, raw = 0;
    int blocks_used = 0;
    for (const std::size_t i : used) {
      const PointEstimate& own = estimates.sessions[i].points[1];
      sum += own.total.estimate;
      raw += own.total_raw ? own.total_raw->estimate : 0;
      blocks_used += own.blocks_used;
    }
    EXPECT_NEAR(point.total.estimate, sum / static_cast<double>(used.size()), 1e-9) << states;
    EXPECT_EQ(point.total_raw.has_value(), state == EstimateState::corrected) << states;
    if (point.total_raw) {
      EXPECT_NEAR(point.total_raw->estimate, raw / static_cast<double>(used.size()), 1e-9);
    }
    EXPECT_EQ(point.blocks_used, blocks_used) << states;
    int others = 0, all = 0, aside = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      const int blocks = estimates.sessions[i].points[1].blocks;
      all += blocks;
      if (std::find(used.begin(), used.end(), i) == used.end()) others += blocks;
    }
    EXPECT_EQ(point.set_aside.at(SetAside::other_state), others) << states;
    for (const auto& [reason, blocks] : point.set_aside) aside += blocks;
    EXPECT_EQ(point.blocks, all) << states;
    EXPECT_EQ(point.blocks_used + aside, all) << states;
  }
}

TEST(Sessions, AreOneWhereOneIsLeft) {
  const RunEstimates estimates = of_states("cC");
  EXPECT_EQ(estimates.points[1].total, estimates.sessions[1].points[1].total) << "its interval over visits";
  EXPECT_EQ(estimates.points[1].indirect, estimates.sessions[1].points[1].indirect);
}

TEST(Sessions, NoIndirectCostWhereOneOfThemHasNone) {
  Series series;
  series.add(0, quiet(1800), quiet(2700), 8);
  series.add(1, quiet(1800), quiet(2700), 8);
  std::erase_if(series.visits, [](const Visit& visit) { return visit.session == 1 && visit.point_index == 0; });
  const RunEstimates estimates = estimate_run(synthetic::run_of(), series.visits);
  EXPECT_FALSE(estimates.points[1].indirect);
  EXPECT_EQ(estimates.points[1].indirect_absent_reason, "In session 2: The direct cost has no estimate.");
  EXPECT_EQ(estimates.points[0].sessions, 1) << "so its interval is one within that session";
  EXPECT_EQ(estimates.points[0].total, estimates.sessions[0].points[0].total);
  EXPECT_FALSE(has(estimates.points[0], Flag::failed)) << "the session has just begun";
  EXPECT_FALSE(estimates.points[0].precise) << "not in that session";
  EXPECT_TRUE(estimates.sessions[0].points[0].precise);
}

TEST(Sessions, OfAnotherPolicyAreSetAside) {
  Series series;
  series.add(0, quiet(1800), quiet(2700), 8);
  series.add(1, quiet(1900), quiet(2900), 8);
  series.add(2, quiet(9000), quiet(9900), 8);
  for (Visit& visit : series.visits)
    if (visit.session == 2) std::get<VisitData>(visit.outcome).report.policy = Policy::other;
  const RunEstimates estimates = estimate_run(synthetic::run_of(), series.visits);
  const PointEstimate& point = estimates.points[1];
  EXPECT_EQ(point.policy, Policy::fifo);
  EXPECT_EQ(point.sessions, 2);
  EXPECT_NEAR(point.total.estimate, 2800, 5);
  EXPECT_EQ(point.set_aside.at(SetAside::other_policy), estimates.sessions[2].points[1].blocks);
  EXPECT_GT(point.total_all_blocks.estimate, 5000) << "all blocks hold both";
}

TEST(Sessions, APointThatFailedInOneIsEstimatedFromTheOthers) {
  Series series;
  for (int session = 0; session < 3; ++session) series.add(session, quiet(1800), quiet(2700 + 50.0 * session), 8);
  for (Visit& visit : series.visits)
    if (visit.session == 1 && visit.point_index == 1) visit.outcome = VisitFailure{"crashed", "The worker crashed."};
  const PointEstimate point = estimate_run(synthetic::run_of(), series.visits).points[1];
  EXPECT_EQ(point.sessions, 2);
  EXPECT_NEAR(point.total.estimate, 2750, 5);
  EXPECT_TRUE(has(point, Flag::failed));
  EXPECT_EQ(point.failure, "The worker crashed.");
}

TEST(Sessions, CountersAreTheMeanOfAllCountingVisits) {
  Series series;
  for (int session = 0; session < 2; ++session) series.add(session, quiet(1800), quiet(2700), 8);
  const auto count = [&series](int session, double cycles) {
    Visit visit = series.visits.front();
    visit.sequence = series.visits.back().sequence + 1;
    visit.session = session;
    visit.request.counters = true;
    std::get<VisitData>(visit.outcome).report.counters = {{"cycles", "count", 2 * cycles, 0, 0, 1, 1, 1, 1}};
    series.visits.push_back(visit);
  };
  count(0, 100);
  count(1, 200);
  count(1, 240);
  EXPECT_EQ(estimate_run(synthetic::run_of(), series.visits).points[0].counters,
            (std::vector{CounterPerSwitch{"cycles", "count", 180, 3, 1}}));
}

TEST(Sessions, ThePapersMethodHasTheirRangeOnly) {
  auto run = synthetic::run_of();
  run.plan.methods = {Method::paper};
  for (Point& point : run.points) point.method = Method::paper;
  Series series;
  series.add(0, quiet(1800), quiet(2700), 3);
  series.add(1, quiet(1900), quiet(2900), 3);
  const PointEstimate point = estimate_run(run, series.visits).points[1];
  EXPECT_EQ(point.state, EstimateState::paper);
  EXPECT_FALSE(point.total.has_interval);
  EXPECT_LT(point.total.low, 2750);
  EXPECT_GT(point.total.high, 2850);
}

} // namespace
} // namespace switchscope
