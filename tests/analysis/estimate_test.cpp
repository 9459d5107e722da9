#include "engine/analysis/estimate.h"
#include "tests/analysis/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace switchscope {
namespace {

using synthetic::Machine;

bool has_flag(const PointEstimate& estimate, Flag flag) {
  return std::find(estimate.flags.begin(), estimate.flags.end(), flag) != estimate.flags.end();
}

Machine direct_machine() {
  Machine machine;
  machine.cost_ns = 1800;
  return machine;
}

// Thresholds of a CPU known from earlier runs, so that quiet runs know their split.
Run known_run() {
  auto run = synthetic::run_of();
  run.thresholds.stored_levels["1"] = {2.8, synthetic::clean_self_pipe_ns};
  return run;
}

std::vector<Visit> quiet_visits(int count) {
  return synthetic::visits_of(direct_machine(), Machine{}, count, 1);
}

// Marks every probe of a visit's first `pairs` pairs as taken beside a busy sibling, and slows these pairs by `factor`.
void contend(Visit& visit, int pairs, double factor = 1.3) {
  for (Block& block : std::get<VisitData>(visit.outcome).blocks) {
    if (block.pair >= pairs) continue;
    block.elapsed_ns *= factor;
    for (Probe* probe : {&block.before, &block.after}) {
      probe->adds_per_cycle = 1.9;
      probe->self_pipe_ns *= factor;
    }
  }
}

PointEstimate data_estimate(const Run& run, const std::vector<Visit>& visits) {
  return estimate_run(run, visits).points.at(1);
}

// One visit of exact numbers: every pair costs `cost_ns`, S2 is 2,000 ns.
Visit exact_visit(int sequence, int point_index, double cost_ns) {
  Visit visit;
  visit.sequence = sequence;
  visit.point_index = point_index;
  VisitData data;
  data.report.policy = Policy::fifo;
  for (int pair = 0; pair < 3; ++pair) {
    data.blocks.push_back(synthetic::bare_block(pair, Phase::baseline_a, 100, 200'000 - 1000));
    data.blocks.push_back(synthetic::bare_block(pair, Phase::switching, 50, (2000 + cost_ns) * 100));
    data.blocks.push_back(synthetic::bare_block(pair, Phase::baseline_b, 100, 200'000 + 1000));
  }
  visit.outcome = data;
  return visit;
}

TEST(Estimate, OfExactVisitsIsTheTrimmedMeanOfTheirMedians) {
  std::vector<Visit> visits;
  for (const double cost_ns : {2710.0, 2712.0, 2713.0, 2715.0, 2740.0})
    visits.push_back(exact_visit(static_cast<int>(visits.size()), 1, cost_ns));
  const PointEstimate estimate = data_estimate(synthetic::run_of(), visits);
  EXPECT_EQ(estimate.state, EstimateState::clean);
  EXPECT_NEAR(estimate.total.estimate, 2700 + 40.0 / 3, 1e-9);
  EXPECT_NEAR(estimate.total.half_width(), 5.327881829238142, 1e-7);
  EXPECT_EQ(estimate.total, estimate.total_all_blocks);
  EXPECT_NEAR(estimate.switching_per_switch_ns, 4700 + 40.0 / 3, 1e-9);
  EXPECT_NEAR(estimate.baseline_per_trip_ns, 2000, 1e-9);
  EXPECT_EQ(estimate.visits, 5);
  EXPECT_EQ(estimate.blocks, 45);
  EXPECT_EQ(estimate.blocks_used, 45);
  EXPECT_TRUE(has_flag(estimate, Flag::contention_unknown)); // no probes
}

TEST(Estimate, IndirectIsTotalLessDirectWithItsOwnInterval) {
  std::vector<Visit> visits;
  for (const double cost_ns : {2710.0, 2712.0, 2713.0, 2715.0, 2740.0})
    visits.push_back(exact_visit(static_cast<int>(visits.size()), 1, cost_ns));
  for (const double cost_ns : {1801.0, 1802.0, 1803.0, 1804.0})
    visits.push_back(exact_visit(static_cast<int>(visits.size()), 0, cost_ns));
  const PointEstimate estimate = data_estimate(synthetic::run_of(), visits);
  ASSERT_TRUE(estimate.indirect);
  EXPECT_NEAR(estimate.indirect->estimate, 900 + 65.0 / 6, 1e-9);
  EXPECT_NEAR(estimate.indirect->half_width(), 4.377216943199907, 1e-7);
  EXPECT_FALSE(estimate_run(synthetic::run_of(), visits).points[0].indirect); // D = 0
}

TEST(Estimate, OfNegativeCostsStaysNegative) {
  std::vector<Visit> visits;
  for (const double cost_ns : {-310.0, -300.0, -290.0, -305.0, -295.0, -301.0})
    visits.push_back(exact_visit(static_cast<int>(visits.size()), 1, cost_ns));
  for (int i = 0; i < 6; ++i) visits.push_back(exact_visit(6 + i, 0, 1800 + i));
  const PointEstimate estimate = data_estimate(synthetic::run_of(), visits);
  EXPECT_NEAR(estimate.total.estimate, -300, 2);
  EXPECT_LT(estimate.total.high, 0);
  EXPECT_LT(estimate.indirect->high, -2000);
}

TEST(Estimate, DoesNotDependOnTheOrderOfVisits) {
  auto visits = quiet_visits(24);
  const RunEstimates estimates = estimate_run(known_run(), visits);
  std::reverse(visits.begin(), visits.end());
  EXPECT_EQ(estimate_run(known_run(), visits), estimates);
}

TEST(State, OfAQuietRunIsClean) {
  const RunEstimates estimates = estimate_run(known_run(), quiet_visits(8));
  for (const PointEstimate& point : estimates.points) {
    EXPECT_EQ(point.state, EstimateState::clean);
    EXPECT_EQ(point.visits, 8);
    EXPECT_EQ(point.blocks_used, point.blocks);
    EXPECT_TRUE(point.flags.empty());
    EXPECT_TRUE(point.set_aside.empty());
    EXPECT_FALSE(point.depends_on_set_aside);
    EXPECT_EQ(point.switches_observed, point.switches_expected);
    EXPECT_EQ(point.switches_expected, 8 * 6 * 2 * 404);
  }
  EXPECT_EQ(estimates.splits.at("1").source, ContentionSplit::Source::stored);
  EXPECT_EQ(estimates.interval_method, "t over visits");
}

TEST(State, IsCleanWithFiveVisitsOfThreeCleanPairsAndUsesThoseAlone) {
  auto visits = quiet_visits(8);
  for (Visit& visit : visits)
    if (visit.point_index == 1) contend(visit, visit.sequence < 10 ? 3 : 6); // five keep three pairs, three keep none
  const PointEstimate estimate = data_estimate(known_run(), visits);
  EXPECT_EQ(estimate.state, EstimateState::clean);
  EXPECT_EQ(estimate.visits, 5);
  EXPECT_EQ(estimate.blocks, 8 * 18);
  EXPECT_EQ(estimate.blocks_used, 5 * 9);
  EXPECT_EQ(estimate.set_aside, (std::map<SetAside, int>{{SetAside::contended, 8 * 18 - 5 * 9}}));
  EXPECT_NEAR(estimate.total.estimate, 2700, 100);
  EXPECT_GT(estimate.total_all_blocks.estimate, 2900);
  EXPECT_TRUE(estimate.depends_on_set_aside);
}

// The same cycles at two clocks: the nanoseconds differ, the cycles agree.
TEST(Cycles, AreThoseOfTheClockThePairSaw) {
  const auto at_clock = [](double adds_per_ns) {
    std::vector<Visit> visits;
    for (const double cost_cycles : {8000.0, 8008.0, 8016.0, 8024.0, 8032.0}) {
      visits.push_back(exact_visit(static_cast<int>(visits.size()), 0, cost_cycles / adds_per_ns));
      for (Block& block : std::get<VisitData>(visits.back().outcome).blocks)
        block.before.clock_adds_per_ns = block.after.clock_adds_per_ns = adds_per_ns;
    }
    return estimate_run(synthetic::run_of(), visits).points.at(0);
  };
  const PointEstimate slow = at_clock(3.2), fast = at_clock(4.0);
  EXPECT_NEAR(slow.total.estimate, 8016 / 3.2, 1e-6);
  EXPECT_NEAR(fast.total.estimate, 8016 / 4.0, 1e-6);
  ASSERT_TRUE(slow.total_cycles && fast.total_cycles);
  EXPECT_NEAR(slow.total_cycles->estimate, 8016, 1e-6);
  EXPECT_NEAR(fast.total_cycles->estimate, 8016, 1e-6);
  EXPECT_NEAR(slow.total_cycles->half_width(), fast.total_cycles->half_width(), 1e-6);
  EXPECT_TRUE(slow.total_cycles->has_interval);
}

TEST(Cycles, AreAbsentWhereNoClockWasRead) {
  std::vector<Visit> visits;
  for (int i = 0; i < 5; ++i) visits.push_back(exact_visit(i, 0, 2500));
  EXPECT_FALSE(estimate_run(synthetic::run_of(), visits).points.at(0).total_cycles);
}

TEST(State, IsCorrectedWithOneCleanVisitLess) {
  auto visits = quiet_visits(8);
  for (Visit& visit : visits)
    if (visit.point_index == 1) contend(visit, visit.sequence < 8 ? 3 : 6);
  const PointEstimate estimate = data_estimate(known_run(), visits);
  EXPECT_EQ(estimate.state, EstimateState::corrected);
  EXPECT_EQ(estimate.visits, 8);
  EXPECT_EQ(estimate.blocks_used, estimate.blocks);
  EXPECT_TRUE(estimate.set_aside.empty());
  EXPECT_NEAR(estimate.total.estimate, 2700, 100); // scaled by how slow the self-pipe was
  ASSERT_TRUE(estimate.total_raw);
  EXPECT_GT(estimate.total_raw->estimate, 3000);
  EXPECT_EQ(estimate.total_raw->estimate, estimate.total_all_blocks.estimate);
  EXPECT_FALSE(estimate.depends_on_set_aside); // nothing was
  EXPECT_FALSE(estimate.indirect);             // the direct cost is clean
  EXPECT_EQ(estimate.indirect_absent_reason,
            "The direct cost is clean and this cost is corrected; a difference must not mix states.");
}

TEST(State, IsContendedWhenNoCleanSelfPipeLevelIsKnown) {
  auto visits = quiet_visits(8);
  for (Visit& visit : visits) contend(visit, 6);
  auto run = known_run();
  run.thresholds.stored_levels["1"].clean_self_pipe_ns = 0;
  const PointEstimate estimate = data_estimate(run, visits);
  EXPECT_EQ(estimate.state, EstimateState::contended);
  EXPECT_EQ(estimate.used_despite.size(), 1U);
  EXPECT_GT(estimate.used_despite.at(SetAside::contended), 0); // what filled the state
  EXPECT_TRUE(has_flag(estimate, Flag::contended));
  EXPECT_EQ(estimate.blocks_used, estimate.blocks);
  EXPECT_EQ(estimate.total, estimate.total_all_blocks);
  EXPECT_FALSE(estimate.total_raw);
  EXPECT_TRUE(estimate.indirect); // both contended: the same state
}

TEST(State, UnknownContentionUsesEverythingAndSaysSo) {
  auto visits = quiet_visits(8);
  const PointEstimate estimate = data_estimate(synthetic::run_of(), visits);
  EXPECT_EQ(estimate.state, EstimateState::clean);
  EXPECT_EQ(estimate.flags, std::vector{Flag::contention_unknown});
  EXPECT_EQ(estimate.blocks_used, estimate.blocks);
}

TEST(State, IsNotTouchedByTheLevelOfAnotherCpu) {
  auto visits = quiet_visits(8);
  auto run = synthetic::run_of();
  run.thresholds.stored_levels["0"] = {9, 100}; // applied to CPU 1, every probe would be contended
  const RunEstimates estimates = estimate_run(run, visits);
  EXPECT_EQ(estimates, estimate_run(synthetic::run_of(), visits));
  EXPECT_EQ(estimates.splits.at("1").source, ContentionSplit::Source::unknown);

  for (Point& point : run.points) point.placement = {Placement::Kind::same_cpu, 0, 0};
  EXPECT_EQ(estimate_run(run, visits).splits.at("0").source, ContentionSplit::Source::stored);
}

VisitReport& report_of(Visit& visit) {
  return std::get<VisitData>(visit.outcome).report;
}

// Seven visits under SCHED_FIFO that cost 2,710 to 2,716 ns, and one of another policy at a thousand times that.
std::vector<Visit> seven_and_one() {
  std::vector<Visit> visits;
  for (int i = 0; i < 7; ++i) visits.push_back(exact_visit(i, 1, 2710 + i));
  visits.push_back(exact_visit(7, 1, 2'710'000));
  report_of(visits.back()).policy = Policy::other;
  return visits;
}

TEST(OtherPolicy, IsSetAsideAndKeptInTheEstimateOfAllBlocks) {
  auto visits = seven_and_one();
  const PointEstimate estimate = data_estimate(synthetic::run_of(), visits);
  EXPECT_EQ(estimate.state, EstimateState::clean);
  EXPECT_EQ(estimate.policy, Policy::fifo);
  EXPECT_EQ(estimate.visits, 7);
  EXPECT_EQ(estimate.blocks, 72);
  EXPECT_EQ(estimate.blocks_used, 63);
  EXPECT_EQ(estimate.set_aside, (std::map<SetAside, int>{{SetAside::other_policy, 9}}));
  EXPECT_TRUE(has_flag(estimate, Flag::policy_fallback));
  visits.pop_back();
  const PointEstimate without = data_estimate(synthetic::run_of(), visits);
  EXPECT_EQ(estimate.total, without.total);
  EXPECT_EQ(estimate.switching_per_switch_ns, without.switching_per_switch_ns);
  EXPECT_GT(estimate.total_all_blocks.estimate, without.total_all_blocks.estimate);
}

TEST(OtherPolicy, OfTheDirectCostLeavesNoIndirectCost) {
  auto visits = quiet_visits(8);
  for (Visit& visit : visits)
    if (visit.point_index == 1) std::get<VisitData>(visit.outcome).report.policy = Policy::other;
  const PointEstimate estimate = data_estimate(known_run(), visits);
  EXPECT_FALSE(estimate.indirect);
  EXPECT_EQ(estimate.indirect_absent_reason, "The direct cost and this cost were measured under different scheduling "
                                             "policies; a difference must not mix them.");
}

TEST(OtherPolicy, IsSetAsideInEveryState) {
  for (const bool self_pipe_known : {true, false}) { // corrected, contended
    auto run = known_run();
    if (!self_pipe_known) run.thresholds.stored_levels["1"].clean_self_pipe_ns = 0;
    auto visits = quiet_visits(8);
    for (Visit& visit : visits) contend(visit, 6);
    report_of(visits.back()).policy = Policy::other;
    for (Block& block : std::get<VisitData>(visits.back().outcome).blocks) block.elapsed_ns *= 1000;
    const PointEstimate estimate = data_estimate(run, visits);
    EXPECT_EQ(estimate.state, self_pipe_known ? EstimateState::corrected : EstimateState::contended);
    EXPECT_EQ(estimate.visits, 7);
    EXPECT_EQ(estimate.blocks_used, 7 * 18);
    EXPECT_EQ(estimate.set_aside, (std::map<SetAside, int>{{SetAside::other_policy, 18}}));
    visits.pop_back();
    EXPECT_EQ(estimate.total, data_estimate(run, visits).total);
  }
}

TEST(OtherPolicy, IsTheOneOfFewerVisitsAndOfEquallyManyTheOneWithoutRealTime) {
  auto visits = seven_and_one();
  const auto policy_with_other = [&](std::size_t count) {
    for (std::size_t i = 0; i < visits.size(); ++i)
      report_of(visits[i]).policy = i < count ? Policy::other : Policy::round_robin;
    return data_estimate(synthetic::run_of(), visits).policy;
  };
  EXPECT_EQ(policy_with_other(3), Policy::round_robin);
  EXPECT_EQ(policy_with_other(4), Policy::round_robin);
  EXPECT_EQ(policy_with_other(5), Policy::other);
}

TEST(OtherPolicy, DoesNotCountAsAVisitOfAFirstEstimate) {
  auto visits = seven_and_one();
  visits.erase(visits.begin(), visits.begin() + 3); // four and one
  const PointEstimate estimate = data_estimate(synthetic::run_of(), visits);
  EXPECT_EQ(estimate.state, EstimateState::clean);
  EXPECT_EQ(estimate.visits, 4);
  EXPECT_TRUE(has_flag(estimate, Flag::few_visits));
}

TEST(State, OfTheFirstVisitIsWhatItHolds) {
  auto visits = quiet_visits(1);
  const PointEstimate clean = data_estimate(known_run(), visits);
  EXPECT_EQ(clean.state, EstimateState::clean);
  EXPECT_EQ(clean.flags, std::vector{Flag::few_visits});
  EXPECT_FALSE(clean.total.has_interval);
  EXPECT_TRUE(clean.indirect);
  for (Visit& visit : visits) contend(visit, 6);
  EXPECT_EQ(data_estimate(known_run(), visits).state, EstimateState::corrected);
}

TEST(State, FourCleanVisitsHaveAnIntervalAndTheFlag) {
  const PointEstimate estimate = data_estimate(known_run(), quiet_visits(4));
  EXPECT_TRUE(estimate.total.has_interval);
  EXPECT_EQ(estimate.flags, std::vector{Flag::few_visits});
  EXPECT_TRUE(data_estimate(known_run(), quiet_visits(5)).flags.empty());
}

TEST(State, WithoutVisitsIsFailedWithTheReason) {
  const PointEstimate unmeasured = data_estimate(known_run(), {});
  EXPECT_EQ(unmeasured.state, EstimateState::failed);
  EXPECT_EQ(unmeasured.failure, "No visit of this point was made; resume the run to measure it.");
  EXPECT_FALSE(has_flag(unmeasured, Flag::failed));

  Visit failed;
  failed.point_index = 1;
  failed.outcome = VisitFailure{"crashed", "The worker crashed."};
  Visit failed_again = failed;
  failed_again.sequence = 1;
  failed_again.outcome = VisitFailure{"timeout", "The worker was silent for 3 s."};
  const PointEstimate estimate = data_estimate(known_run(), {failed_again, failed});
  EXPECT_EQ(estimate.state, EstimateState::failed);
  EXPECT_EQ(estimate.failure, "The worker was silent for 3 s.");
  EXPECT_EQ(estimate.flags, std::vector{Flag::failed});
}

TEST(State, OfAPointGivenUpIsThatOfItsEstimateWithTheFailureBesideIt) {
  auto visits = quiet_visits(8);
  const PointEstimate before = data_estimate(known_run(), visits);
  const int sequence = visits.back().sequence + 1;
  for (int attempt = 0; attempt < 3; ++attempt) {
    Visit failed;
    failed.sequence = sequence + attempt;
    failed.point_index = 1;
    failed.pass = 8;
    failed.attempt = attempt;
    failed.outcome = VisitFailure{"memory", "There is no memory, try " + std::to_string(attempt) + "."};
    EXPECT_EQ(data_estimate(known_run(), visits), before) << attempt; // one or two failures are retried
    visits.push_back(failed);
  }
  const PointEstimate given_up = data_estimate(known_run(), visits);
  EXPECT_EQ(given_up.flags, std::vector{Flag::failed});
  EXPECT_EQ(given_up.failure, "There is no memory, try 2.");
  EXPECT_EQ(given_up.state, EstimateState::clean);
  EXPECT_EQ(given_up.total, before.total);

  visits.back().pass = 9; // not the same visit's tries
  EXPECT_EQ(data_estimate(known_run(), visits), before);
  visits.back().pass = 8;
  visits.push_back(exact_visit(sequence + 3, 1, 2700)); // measured after all, by a resumed run
  EXPECT_FALSE(has_flag(data_estimate(known_run(), visits), Flag::failed));
}

TEST(State, OfVisitsWithoutACompletePairIsFailed) {
  Visit empty = exact_visit(0, 1, 2700);
  std::get<VisitData>(empty.outcome).blocks.resize(2);
  const PointEstimate estimate = data_estimate(known_run(), {empty});
  EXPECT_EQ(estimate.state, EstimateState::failed);
  EXPECT_EQ(estimate.failure, "The visits of this point hold no complete pair of blocks; measure it again.");
}

TEST(Estimate, PassesOverVisitsOfPointsTheRunDoesNotHave) {
  EXPECT_EQ(estimate_run(known_run(), {exact_visit(0, 7, 2700), exact_visit(1, -1, 2700)}).points.size(), 2U);
}

// Changes one report of eight quiet visits; the flags of the point with data.
std::vector<Flag> flags_after(const std::function<void(VisitData&)>& change) {
  auto visits = quiet_visits(8);
  change(std::get<VisitData>(visits.back().outcome));
  return data_estimate(known_run(), visits).flags;
}

TEST(Flags, FollowFromReportsAndCauses) {
  using Flags = std::vector<Flag>;
  EXPECT_EQ(flags_after([](VisitData& d) { d.report.policy = Policy::other; }), Flags{Flag::policy_fallback});
  EXPECT_EQ(flags_after([](VisitData& d) { d.report.pages = PageMode::transparent_huge; }),
            Flags{Flag::pages_fallback});
  EXPECT_EQ(flags_after([](VisitData& d) { d.blocks[4].elapsed_ns += 20e6; }), Flags{Flag::stalled});
  EXPECT_EQ(flags_after([](VisitData& d) { d.blocks[4].elapsed_ns += 50e6; }), Flags{Flag::throttled});
  EXPECT_EQ(flags_after([](VisitData& d) { d.blocks[4].task_a->minor_faults = 1; }), Flags{Flag::faulted});
  EXPECT_EQ(flags_after([](VisitData& d) { d.blocks[4].task_a->migrations = 1; }), Flags{Flag::migrated});
}

TEST(Flags, CountOffNeedsOnePercentOfOneTask) {
  using Flags = std::vector<Flag>;
  // Eight visits expect 19,392 switches of each task.
  EXPECT_EQ(flags_after([](VisitData& d) { d.report.observed_switches_a += 190; }), Flags{});
  EXPECT_EQ(flags_after([](VisitData& d) { d.report.observed_switches_a += 200; }), Flags{Flag::count_off});
  EXPECT_EQ(flags_after([](VisitData& d) {
              d.report.observed_switches_a += 300; // the sum is right
              d.report.observed_switches_b -= 300;
            }),
            Flags{Flag::count_off});
  EXPECT_EQ(flags_after([](VisitData& d) { d.blocks[0].task_a->voluntary_switches = 1600; }), Flags{Flag::count_off});
}

TEST(Flags, EmulatedComesFromTheMachine) {
  auto run = known_run();
  run.before.emulation = "qemu-user";
  EXPECT_EQ(data_estimate(run, quiet_visits(8)).flags, std::vector{Flag::emulated});
}

TEST(Flags, PrecisionNotReachedOnlyWhenOneWasAsked) {
  auto run = known_run();
  run.plan.precision_ratio = 0.0001;
  const RunEstimates estimates = estimate_run(run, quiet_visits(8));
  EXPECT_TRUE(has_flag(estimates.points[0], Flag::precision_not_reached));
  EXPECT_EQ(estimates.points_precise, 1); // with data 100 ns are enough
  EXPECT_TRUE(has_flag(data_estimate(run, quiet_visits(7)), Flag::precision_not_reached)); // never before 8 visits
  EXPECT_EQ(estimate_run(known_run(), quiet_visits(8)).points_precise, 2);
}

TEST(Indirect, AbsentSaysWhy) {
  auto visits = quiet_visits(6);
  auto run = known_run();
  run.points[0].kernel = Kernel::scalar; // no longer the direct cost of point 1
  EXPECT_EQ(data_estimate(run, visits).indirect_absent_reason,
            "The run has no direct cost for these tasks and this placement.");
  std::erase_if(visits, [](const Visit& visit) { return visit.point_index == 0; });
  EXPECT_EQ(data_estimate(known_run(), visits).indirect_absent_reason, "The direct cost has no estimate.");
}

TEST(IntervalMethod, IsNamedForWhatWasUsed) {
  auto visits = quiet_visits(20);
  EXPECT_EQ(estimate_run(known_run(), visits).interval_method, "bootstrap-t over visits");
  visits.pop_back();
  EXPECT_EQ(estimate_run(known_run(), visits).interval_method, "t and bootstrap-t over visits");
}

TEST(EstimatePoint, IsWhatTheWholeRunGives) {
  Machine shared;
  shared.contended_share = 0.3;
  const auto visits = synthetic::visits_of(shared, shared, 22, 3);
  const RunEstimates estimates = estimate_run(synthetic::run_of(), visits);
  for (const int index : {0, 1})
    EXPECT_EQ(estimate_point(synthetic::run_of(), visits, index, estimates.splits),
              estimates.points[static_cast<std::size_t>(index)]);
}

void make_paper(Run& run) {
  run.plan.methods = {Method::paper};
  for (Point& point : run.points) point.method = Method::paper;
}

Visit paper_round(int sequence, int point_index, double switching_ns, double baseline_ns) {
  Visit visit = exact_visit(sequence, point_index, 0);
  auto& data = std::get<VisitData>(visit.outcome);
  data.blocks = {synthetic::bare_block(0, Phase::switching, 10'000, 20'000 * switching_ns),
                 synthetic::bare_block(0, Phase::baseline_a, 10'000, 10'000 * baseline_ns)};
  return visit;
}

TEST(Paper, TakesTheSmallestOfEachAndHasOnlyARange) {
  auto run = known_run();
  make_paper(run);
  const std::vector<Visit> visits{paper_round(0, 0, 4000, 2200), paper_round(1, 0, 3900, 2300),
                                  paper_round(2, 1, 30'000, 10'000), paper_round(3, 1, 29'000, 12'000),
                                  paper_round(4, 1, 31'000, 11'000)};
  const RunEstimates estimates = estimate_run(run, visits);
  const PointEstimate& point = estimates.points[1];
  EXPECT_EQ(point.state, EstimateState::paper);
  EXPECT_EQ(point.total, (Interval{19'000, 17'000, 20'000, false}));
  EXPECT_EQ(point.switching_per_switch_ns, 29'000);
  EXPECT_EQ(point.baseline_per_trip_ns, 10'000);
  EXPECT_EQ(point.visits, 3);
  EXPECT_EQ(estimates.points[0].total, (Interval{1700, 1600, 1800, false}));
  EXPECT_EQ(point.indirect, (Interval{17'300, 15'200, 18'400, false}));
  EXPECT_TRUE(estimates.splits.empty());
  EXPECT_EQ(estimates.points_precise, 0);
}

TEST(Paper, DoesNotTakeTheSmallestOfAnotherPolicy) {
  auto run = known_run();
  make_paper(run);
  std::vector<Visit> visits{paper_round(0, 1, 30'000, 10'000), paper_round(1, 1, 29'000, 12'000),
                            paper_round(2, 1, 20'000, 5'000)};
  report_of(visits[2]).policy = Policy::other;
  const PointEstimate point = data_estimate(run, visits);
  EXPECT_EQ(point.total, (Interval{19'000, 17'000, 20'000, false}));
  EXPECT_EQ(point.total_all_blocks, (Interval{15'000, 15'000, 20'000, false}));
  EXPECT_EQ(point.visits, 2);
  EXPECT_EQ(point.blocks, 6);
  EXPECT_EQ(point.blocks_used, 4);
  EXPECT_EQ(point.set_aside, (std::map<SetAside, int>{{SetAside::other_policy, 2}}));
}

TEST(Paper, KeepsANegativeCostAndSaysThrottled) {
  auto run = known_run();
  make_paper(run);
  std::vector<Visit> visits{paper_round(0, 1, 4610, 4780), paper_round(1, 1, 4610, 4780)};
  EXPECT_EQ(data_estimate(run, visits).total.estimate, -170);
  EXPECT_TRUE(data_estimate(run, visits).flags.empty());
  EXPECT_TRUE(data_estimate(run, visits).stalls.empty());
  report_of(visits[0]).stalls_ns = {50e6, 41e6, 26e6, 9e6}; // the last is below the threshold
  report_of(visits[1]).stalls_ns = {52e6};
  EXPECT_EQ(data_estimate(run, visits).flags, (std::vector{Flag::throttled, Flag::stalled}));
  EXPECT_EQ(data_estimate(run, visits).stalls,
            (std::map<SetAside, int>{{SetAside::throttled, 3}, {SetAside::stalled, 1}}));
  EXPECT_EQ(data_estimate(run, visits).total.estimate, -170);
}

// The same points twice, once by each method.
TEST(Paper, StandsBesideThePairedMethodAndNeverMixesWithIt) {
  auto run = known_run();
  const auto paired = run;
  for (Point point : paired.points) {
    point.method = Method::paper;
    run.points.push_back(point);
  }
  run.plan.methods = {Method::paired, Method::paper};
  auto visits = quiet_visits(8);
  const RunEstimates alone = estimate_run(paired, visits);
  const auto next = static_cast<int>(visits.size());
  visits.push_back(paper_round(next, 2, 4000, 2200));
  visits.push_back(paper_round(next + 1, 3, 30'000, 10'000));
  const RunEstimates both = estimate_run(run, visits);
  EXPECT_EQ(both.points[0], alone.points[0]);
  EXPECT_EQ(both.points[1], alone.points[1]);
  EXPECT_EQ(both.splits, alone.splits);
  EXPECT_EQ(both.interval_method, alone.interval_method);
  EXPECT_EQ(both.points[2].state, EstimateState::paper);
  EXPECT_EQ(both.points[3].indirect.value().estimate, 18'200) << "less the direct cost by the same method";
  EXPECT_EQ(both.points_paired, 2);
  for (const int index : {2, 3})
    EXPECT_EQ(estimate_point(run, visits, index, both.splits), both.points[static_cast<std::size_t>(index)]);
}

TEST(Paper, WithoutBothHalvesIsFailed) {
  auto run = known_run();
  make_paper(run);
  Visit half = paper_round(0, 1, 4000, 2000);
  std::get<VisitData>(half.outcome).blocks.pop_back();
  const PointEstimate estimate = data_estimate(run, {half});
  EXPECT_EQ(estimate.state, EstimateState::failed);
  EXPECT_EQ(estimate.failure, "The rounds hold no complete pair of S1 and S2; measure the point again.");
}

} // namespace
} // namespace switchscope
