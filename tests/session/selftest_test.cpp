#include "tests/session/selftest_samples.h"

#include <gtest/gtest.h>

#include <set>

namespace switchscope {
namespace {

const KnownCheck& check_of(const InstrumentCheck& check, std::int64_t added_ns) {
  for (const KnownCheck& known : check.checks)
    if (known.added_ns == added_ns) return known;
  ADD_FAILURE() << "no check of " << added_ns << " ns";
  static const KnownCheck none;
  return none;
}

TEST(SelftestPlan, ARoundMeasuresEachCheckOnceInAnOrderOfItsOwn) {
  const SelftestSetup setup = synthetic_setup(7);
  std::set<std::vector<std::int64_t>> orders;
  std::set<std::uint64_t> seeds;
  for (int round = 0; round < 20; ++round) {
    std::vector<std::int64_t> order;
    std::multiset<std::pair<VisitKind, std::int64_t>> kinds;
    for (const VisitRequest& request : selftest_round(setup, round)) {
      EXPECT_TRUE(request.point.is_direct());
      EXPECT_EQ(text_of(request.point.placement), "1");
      kinds.insert({request.kind, request.added_ns});
      order.push_back(request.kind == VisitKind::baseline_only ? -1 : request.added_ns);
      seeds.insert(request.seed);
    }
    EXPECT_EQ(kinds, (std::multiset<std::pair<VisitKind, std::int64_t>>{{VisitKind::baseline_only, 0},
                                                                        {VisitKind::known_addition, 0},
                                                                        {VisitKind::known_addition, 250},
                                                                        {VisitKind::known_addition, 1000},
                                                                        {VisitKind::known_addition, 4000}}));
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 10u);
  EXPECT_EQ(seeds.size(), 100u);
  EXPECT_EQ(selftest_round(setup, 3), selftest_round(setup, 3));
}

TEST(SelftestJudge, ARightInstrumentPasses) {
  const InstrumentCheck check = judged({});
  EXPECT_EQ(check.verdict, CheckVerdict::passed);
  EXPECT_EQ(check.policy, Policy::fifo);
  EXPECT_EQ(check.priority, 50);
  EXPECT_EQ(check.worker_build, "b1");
  ASSERT_EQ(check.checks.size(), 4u);
  for (const KnownCheck& known : check.checks) {
    EXPECT_EQ(known.rounds, 20);
    EXPECT_LT(known.low_ns, known.read_ns);
    EXPECT_LT(known.verdict_low_ns, known.low_ns) << "the verdict's interval is the wider one";
    EXPECT_NEAR(known.read_ns, static_cast<double>(known.added_ns), 15);
  }
  EXPECT_NEAR(check_of(check, 1000).spun_ns, 1018, 1e-9) << "less what the comparison spins";
  EXPECT_TRUE(check.clean);
  EXPECT_FALSE(check.contention_known) << "one level only";
  EXPECT_TRUE(check.count.holds);
  EXPECT_EQ(check.count.expected_per_task, 20 * 4 * 8 * 1004) << "S2 against S2 does not switch";
}

TEST(SelftestJudge, AnInstrumentThatReadsATenthTooLittleFails) {
  const InstrumentCheck check = judged({.gain = 0.9});
  EXPECT_EQ(check.verdict, CheckVerdict::failed);
  const KnownCheck& known = check_of(check, 1000);
  EXPECT_EQ(known.verdict, CheckVerdict::failed);
  EXPECT_NEAR(known.read_ns, 900, 20);
  EXPECT_LT(known.verdict_high_ns, 990);
  EXPECT_EQ(check_of(check, 0).verdict, CheckVerdict::passed);
}

TEST(SelftestJudge, ADifferenceOutOfNothingFails) {
  const InstrumentCheck check = judged({.baseline_bias_ns = -6});
  EXPECT_EQ(check.verdict, CheckVerdict::failed);
  EXPECT_EQ(check_of(check, 0).verdict, CheckVerdict::failed);
  EXPECT_NEAR(check_of(check, 0).read_ns, -6, 2);
  EXPECT_EQ(check_of(check, 1000).verdict, CheckVerdict::passed);
}

TEST(SelftestJudge, ADifferenceSmallerThanAnyClaimDoesNot) {
  EXPECT_EQ(judged({.baseline_bias_ns = 1}).verdict, CheckVerdict::passed);
}

TEST(SelftestJudge, NoiseIsNoPassAndNoFailure) {
  const InstrumentCheck check = judged({.noise_ns = 400});
  EXPECT_EQ(check.verdict, CheckVerdict::too_noisy);
  EXPECT_GT(check_of(check, 250).verdict_high_ns - check_of(check, 250).verdict_low_ns, 100);
}

TEST(SelftestJudge, AFewRoundsTellNothing) {
  EXPECT_EQ(judged({.gain = 0.5}, 7).verdict, CheckVerdict::too_noisy);
  EXPECT_EQ(judged({.gain = 0.5}, 8).verdict, CheckVerdict::failed);
  const InstrumentCheck nothing = judge_selftest(synthetic_setup(), {});
  EXPECT_EQ(nothing.verdict, CheckVerdict::too_noisy);
  EXPECT_EQ(nothing.checks.size(), 4u);
}

TEST(SelftestJudge, ContendedPairsAreLeftOutWhereEnoughRemain) {
  const InstrumentCheck some = judged({.contended_share = 0.1}, 40);
  EXPECT_TRUE(some.clean);
  EXPECT_TRUE(some.contention_known);
  EXPECT_EQ(some.verdict, CheckVerdict::passed);
  EXPECT_LT(check_of(some, 1000).rounds, 40);
  const InstrumentCheck most = judged({.contended_share = 0.9});
  EXPECT_FALSE(most.clean);
  EXPECT_EQ(check_of(most, 1000).rounds, 20);
  EXPECT_GT(most.contended_share, 0.7);
}

TEST(SelftestJudge, LostSwitchesFailWhateverIsRead) {
  const InstrumentCheck check = judged({.lost_switches = 200});
  EXPECT_FALSE(check.count.holds);
  EXPECT_EQ(check.verdict, CheckVerdict::failed);
  EXPECT_EQ(check_of(check, 1000).verdict, CheckVerdict::passed);
}

TEST(SelftestJudge, FailedVisitsAreToldWithTheLastReason) {
  SelftestMeasured measured = synthetic_selftest({});
  measured.visits[0].outcome = VisitFailure{"crashed", "Task B ended."};
  const InstrumentCheck check = judge_selftest(synthetic_setup(), measured);
  EXPECT_EQ(check.failed_visits, 1);
  EXPECT_EQ(check.last_failure, "Task B ended.");
  EXPECT_EQ(check.verdict, CheckVerdict::passed);
}

TEST(SelftestJudge, PerfIsComparedTurnByTurn) {
  SelftestMeasured measured = synthetic_selftest({});
  measured.perf_turns = {{1800, 2000}, {2000, 2000}, {2200, 2000}};
  const auto perf = judge_selftest(synthetic_setup(), measured).perf;
  ASSERT_TRUE(perf);
  EXPECT_EQ(*perf, (PerfComparison{2000, 2000, 1, 0.9, 1.1, 3}));
  measured.perf_turns.clear();
  measured.perf_absent = "perf is not installed.";
  EXPECT_FALSE(judge_selftest(synthetic_setup(), measured).perf);
  EXPECT_EQ(judge_selftest(synthetic_setup(), measured).perf_absent, "perf is not installed.");
}

// Four checks decide together: an instrument that is right must not fail more often than one time in twenty.
TEST(SelftestJudge, RightInstrumentsRarelyFailAndWrongOnesRarelyPass) {
  int right_failed = 0;
  int wrong_passed = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    right_failed += judged({.seed = seed}, 12).verdict == CheckVerdict::failed ? 1 : 0;
    wrong_passed += judged({.gain = 0.95, .seed = seed}, 12).verdict == CheckVerdict::passed ? 1 : 0;
  }
  EXPECT_LE(right_failed, 5);
  EXPECT_EQ(wrong_passed, 0);
}

// ---- run_selftest over a machine that is played ----

struct PlayedClock : RunClock {
  std::int64_t ns = 0;
  std::int64_t now_ns() override { return ns; }
  std::string utc_text() override { return "2026-11-30T19:22:00.123Z"; }
  void wait(std::int64_t wait_ns, const StopFlag&) override { ns += wait_ns; }
};

struct PlayedLink : WorkerLink {
  explicit PlayedLink(PlayedClock& clock_) : clock(clock_) {}
  Hello open() override { return {}; }
  Facts describe() override { return {}; }
  VisitOutcome measure(const VisitRequest& request) override {
    clock.ns += request.duration_ns;
    asked.push_back(request);
    return synthetic_visit(request, {});
  }
  void stop_now() override {}
  void close() override {}
  PlayedClock& clock;
  std::vector<VisitRequest> asked;
};

TEST(RunSelftest, FillsItsTimeKeepsToTheThrottleAndTakesPerfInTurn) {
  PlayedClock clock;
  PlayedLink link(clock);
  int perf_runs = 0;
  const PerfRun perf = [&](int cpu, Policy policy, int priority) -> PerfAnswer {
    EXPECT_EQ(cpu, 1);
    EXPECT_EQ(policy, Policy::fifo);
    EXPECT_EQ(priority, 50);
    EXPECT_EQ(link.asked.back().kind, VisitKind::cost) << "ours comes just before it";
    ++perf_runs;
    return 1800.0;
  };
  int rounds = 0;
  const StopFlag stop;
  const SelftestMeasured measured = run_selftest(
      synthetic_setup(), link, perf, [&](int, double) { ++rounds; }, stop, clock);
  EXPECT_GT(measured.seconds, 8);
  EXPECT_LE(measured.seconds, selftest_s + 0.5);
  EXPECT_GE(rounds, selftest_rounds_needed * 2);
  EXPECT_EQ(perf_runs, selftest_perf_turns);
  EXPECT_EQ(measured.perf_turns.size(), static_cast<std::size_t>(selftest_perf_turns));
  EXPECT_EQ(measured.visits.size(), static_cast<std::size_t>(5 * rounds + selftest_perf_turns));
  double fifo_ns = 0;
  for (const auto& visit : measured.visits)
    fifo_ns += static_cast<double>(std::get<VisitData>(visit.outcome).report.fifo_ns);
  EXPECT_LT(fifo_ns * 1e-9, 0.9 * measured.seconds);
  EXPECT_EQ(judge_selftest(synthetic_setup(), measured).verdict, CheckVerdict::passed);
}

TEST(RunSelftest, AsksForPerfOnceWhereItIsNotThere) {
  PlayedClock clock;
  PlayedLink link(clock);
  int perf_runs = 0;
  const PerfRun perf = [&](int, Policy, int) -> PerfAnswer {
    ++perf_runs;
    return "perf is not installed.";
  };
  const StopFlag stop;
  const auto measured = run_selftest(
      synthetic_setup(), link, perf, [](int, double) {}, stop, clock);
  EXPECT_EQ(perf_runs, 1);
  EXPECT_EQ(measured.perf_absent, "perf is not installed.");
  EXPECT_TRUE(measured.perf_turns.empty());
}

TEST(RunSelftest, EndsAfterTheVisitUnderWay) {
  PlayedClock clock;
  PlayedLink link(clock);
  StopFlag stop;
  const auto perf = [](int, Policy, int) -> PerfAnswer { return 1800.0; };
  const auto measured = run_selftest(
      synthetic_setup(), link, perf, [&](int, double) { stop.raise(StopFlag::after_visit); }, stop, clock);
  EXPECT_EQ(measured.visits.size(), 6u) << "a round and a turn with perf";
}

} // namespace
} // namespace switchscope
