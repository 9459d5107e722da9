// Events per switch, and that the visits which count them leave every cost as it was.
#include "engine/analysis/counters.h"
#include "tests/analysis/synthetic.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

VisitData counting(std::vector<CounterReading> readings) {
  VisitData data;
  data.report.counters = std::move(readings);
  return data;
}

TEST(CountersPerSwitch, AreS1PerSwitchLessTheMeanOfBothBaselinesPerTrip) {
  const VisitData visit = counting({{"cycles", "count", 90'000, 2000, 9000, 10, 2, 3, 1}});
  // 90,000 / 20 switches - (1,000 + 3,000) / 2
  EXPECT_EQ(counters_per_switch({&visit}), (std::vector{CounterPerSwitch{"cycles", "count", 2500, 1, 1}}));
}

TEST(CountersPerSwitch, StayNegative) {
  const VisitData visit = counting({{"dtlb-misses:u", "count", 10, 10, 30, 10, 10, 10, 1}});
  EXPECT_EQ(counters_per_switch({&visit}).at(0).per_switch, -1.5);
}

TEST(CountersPerSwitch, AreTheMeanOfTheVisitsThatReadThemWithTheLeastShare) {
  const VisitData first =
      counting({{"cycles", "count", 200, 0, 0, 10, 1, 1, 0.75}, {"package-joules", "J", 5, 0, 0, 10, 1, 1, 1}});
  const VisitData second = counting({{"cycles", "count", 400, 0, 0, 10, 1, 1, 0.5}});
  EXPECT_EQ(counters_per_switch({&first, &second}), (std::vector{CounterPerSwitch{"cycles", "count", 15, 2, 0.5},
                                                                 CounterPerSwitch{"package-joules", "J", 0.25, 1, 1}}));
}

TEST(CountersPerSwitch, AreNoneWithoutVisitsOrTrips) {
  const VisitData empty = counting({{"cycles", "count", 1, 1, 1, 0, 0, 0, 1}});
  EXPECT_TRUE(counters_per_switch({&empty}).empty());
  EXPECT_TRUE(counters_per_switch({}).empty());
}

// Counting visits that would spoil everything if they took part: slow, contended, of another policy, miscounted,
// failed.
std::vector<Visit> counting_visits(const std::vector<Visit>& visits) {
  std::vector<Visit> spoilt;
  for (const Visit& visit : visits) {
    Visit counted = visit;
    counted.sequence += 1000;
    counted.request.counters = true;
    auto& data = std::get<VisitData>(counted.outcome);
    for (Block& block : data.blocks) {
      block.elapsed_ns *= 3;
      block.before.adds_per_cycle = block.after.adds_per_cycle = 0.5;
    }
    data.report.policy = Policy::other;
    data.report.observed_switches_a *= 2;
    data.report.counters = {{"cycles", "count", 200, 1, 1, 10, 1, 1, 1}};
    spoilt.push_back(counted);
  }
  for (int attempt = 0; attempt < 3; ++attempt) {
    Visit failed = spoilt.front();
    failed.sequence = 2000 + attempt;
    failed.attempt = attempt;
    failed.outcome = VisitFailure{"crashed", "It ended."};
    spoilt.push_back(failed);
  }
  return spoilt;
}

TEST(CountingVisits, ChangeNothingButTheCounters) {
  for (const Method method : {Method::paired, Method::paper}) {
    auto run = synthetic::run_of();
    run.plan.methods = {method};
    for (Point& point : run.points) point.method = method;
    run.plan.precision_ratio = 0.05;
    const auto visits = synthetic::visits_of({}, {}, 9, 1);
    const RunEstimates without = estimate_run(run, visits);
    auto all = visits;
    for (const Visit& visit : counting_visits(visits)) all.push_back(visit);
    RunEstimates with = estimate_run(run, all);
    for (PointEstimate& point : with.points) {
      EXPECT_EQ(point.counters, (std::vector{CounterPerSwitch{"cycles", "count", 9, 9, 1}}));
      EXPECT_EQ(estimate_point(run, all, point.point_index, with.splits).counters, point.counters);
      point.counters.clear();
    }
    for (SessionEstimates& session : with.sessions)
      for (PointEstimate& point : session.points) point.counters.clear();
    EXPECT_EQ(with, without);
  }
}

TEST(CountingVisits, AloneGiveNoEstimate) {
  const auto run = synthetic::run_of();
  const auto estimates = estimate_run(run, counting_visits(synthetic::visits_of({}, {}, 9, 1)));
  for (const PointEstimate& point : estimates.points) {
    EXPECT_EQ(point.state, EstimateState::failed);
    EXPECT_EQ(point.visits, 0);
    EXPECT_EQ(point.failure, "No visit of this point was made; resume the run to measure it.");
  }
}

} // namespace
} // namespace switchscope
