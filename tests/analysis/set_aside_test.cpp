#include "engine/analysis/set_aside.h"
#include "tests/analysis/synthetic.h"

#include <gtest/gtest.h>

#include <functional>

namespace switchscope {
namespace {

constexpr int disturbed = 2; // the pair that each test changes

Visit quiet_visit() {
  Visit visit;
  visit.request.point = synthetic::data_point();
  visit.outcome = synthetic::Generator({}, 1).visit(0);
  return visit;
}

ContentionSplit split_at(double adds_per_cycle) {
  return {ContentionSplit::Source::this_run, adds_per_cycle, synthetic::clean_adds_per_cycle, 900, 0};
}

Environment environment() {
  return synthetic::run_of().before;
}

Block& block_of(Visit& visit, int pair, Phase phase) {
  for (Block& block : std::get<VisitData>(visit.outcome).blocks)
    if (block.pair == pair && block.phase == phase) return block;
  throw std::logic_error("no such block");
}

VisitReport& report_of(Visit& visit) {
  return std::get<VisitData>(visit.outcome).report;
}

// The reason of the disturbed pair; all others must be clean.
SetAside reason_after(const std::function<void(Visit&)>& disturb) {
  Visit visit = quiet_visit();
  disturb(visit);
  auto reasons = set_aside_of(visit, Thresholds{}, split_at(2.8), environment(), report_of(visit).policy);
  EXPECT_EQ(reasons.size(), 6U);
  const SetAside reason = reasons.at(disturbed);
  reasons.erase(reasons.begin() + disturbed);
  EXPECT_EQ(reasons, std::vector<SetAside>(5, SetAside::none));
  return reason;
}

SetAside reason_after_delay(double delay_ns, Policy policy = Policy::fifo) {
  return reason_after([&](Visit& visit) {
    report_of(visit).policy = policy;
    block_of(visit, disturbed, Phase::baseline_b).elapsed_ns += delay_ns;
  });
}

TEST(SetAsideOf, AQuietVisitIsNothing) {
  EXPECT_EQ(reason_after([](Visit&) {}), SetAside::none);
}

TEST(SetAsideOf, OneProbeBelowTheSplitIsContended) {
  for (const Phase phase : {Phase::baseline_a, Phase::switching, Phase::baseline_b}) {
    EXPECT_EQ(reason_after([&](Visit& v) { block_of(v, disturbed, phase).before.adds_per_cycle = 2.7; }),
              SetAside::contended);
    EXPECT_EQ(reason_after([&](Visit& v) { block_of(v, disturbed, phase).after.adds_per_cycle = 2.7; }),
              SetAside::contended);
  }
  EXPECT_EQ(reason_after([](Visit& v) { block_of(v, disturbed, Phase::switching).after.adds_per_cycle = 2.81; }),
            SetAside::none);
}

TEST(SetAsideOf, NothingIsContendedWhileTheSplitIsUnknown) {
  Visit visit = quiet_visit();
  block_of(visit, disturbed, Phase::switching).before.adds_per_cycle = 1.5;
  EXPECT_EQ(set_aside_of(visit, Thresholds{}, ContentionSplit{}, environment(), Policy::fifo),
            std::vector<SetAside>(6, SetAside::none));
}

TEST(SetAsideOf, AClockThatMovedByMoreThanOnePercent) {
  const auto with_clock = [](double factor) {
    return reason_after(
        [&](Visit& v) { block_of(v, disturbed, Phase::baseline_a).after.clock_adds_per_ns = 3.2 * factor; });
  };
  EXPECT_EQ(with_clock(0.98), SetAside::clock_moved);
  EXPECT_EQ(with_clock(1.02), SetAside::clock_moved);
  EXPECT_EQ(with_clock(1.005), SetAside::none);
  // The clock of one pair may be another than that of the next: within the pair it cancels.
  EXPECT_EQ(reason_after([&](Visit& v) {
              for (Block& block : std::get<VisitData>(v.outcome).blocks)
                if (block.pair == disturbed) block.before.clock_adds_per_ns = block.after.clock_adds_per_ns = 3.1;
            }),
            SetAside::none);
}

TEST(SetAsideOf, OneStepOfACoarseClockIsNoMovedClock) {
  // 16,000 adds at 4.4 GHz take 70 ticks of 19.2 MHz; one tick more or less is 1.4 %.
  const auto with_ticks = [](double ticks, const char* source, double ghz, const char* kernel_source) {
    Visit visit = quiet_visit();
    report_of(visit).clock_source = source;
    report_of(visit).clock_ghz = ghz;
    for (Block& block : std::get<VisitData>(visit.outcome).blocks)
      block.before.clock_adds_per_ns = block.after.clock_adds_per_ns = probe_clock_adds / (70 / 0.0192);
    block_of(visit, disturbed, Phase::baseline_a).after.clock_adds_per_ns = probe_clock_adds / (ticks / 0.0192);
    Environment machine = environment();
    machine.clock_source = kernel_source;
    return set_aside_of(visit, Thresholds{}, split_at(2.8), machine, report_of(visit).policy).at(disturbed);
  };
  EXPECT_EQ(with_ticks(71, "cntvct", 0.0192, "arch_sys_counter"), SetAside::none);
  EXPECT_EQ(with_ticks(69, "cntvct", 0.0192, "arch_sys_counter"), SetAside::none);
  EXPECT_EQ(with_ticks(73, "cntvct", 0.0192, "arch_sys_counter"), SetAside::clock_moved);
  EXPECT_EQ(with_ticks(71, "monotonic_raw", 1, "hpet"), SetAside::none);
  EXPECT_EQ(with_ticks(71, "monotonic_raw", 1, "acpi_pm"), SetAside::none);
  EXPECT_EQ(with_ticks(71, "monotonic_raw", 1, "tsc"), SetAside::clock_moved);
  EXPECT_EQ(with_ticks(71, "tsc", 2.4, "tsc"), SetAside::clock_moved);
}

TEST(SetAsideOf, FaultsMigrationsAndInvoluntarySwitchesInS2) {
  const auto with_counts = [](Phase phase, TaskCounts counts) {
    return reason_after([&](Visit& v) {
      Block& block = block_of(v, disturbed, phase);
      (phase == Phase::baseline_b ? block.task_b : block.task_a) = counts;
    });
  };
  EXPECT_EQ(with_counts(Phase::switching, {404, 0, 1, 0, 0}), SetAside::faulted);
  EXPECT_EQ(with_counts(Phase::switching, {404, 0, 0, 1, 0}), SetAside::faulted);
  EXPECT_EQ(with_counts(Phase::baseline_b, {0, 0, 0, 0, 1}), SetAside::migrated);
  EXPECT_EQ(with_counts(Phase::baseline_a, {0, 1, 0, 0, 0}), SetAside::involuntary);
  EXPECT_EQ(with_counts(Phase::baseline_b, {0, 1, 0, 0, 0}), SetAside::involuntary);
  EXPECT_EQ(with_counts(Phase::switching, {300, 104, 0, 0, 0}), SetAside::none); // wake-up preemption
}

TEST(SetAsideOf, MigrationsBelongToFreePlacement) {
  EXPECT_EQ(reason_after([](Visit& v) {
              v.request.point.placement = {Placement::Kind::free, -1, -1};
              block_of(v, disturbed, Phase::baseline_b).task_b = TaskCounts{0, 0, 0, 0, 1};
            }),
            SetAside::none);
}

TEST(SetAsideOf, ABlockTenMillisecondsTooLongIsStalled) {
  EXPECT_EQ(reason_after_delay(9.5e6), SetAside::none);
  EXPECT_EQ(reason_after_delay(11e6), SetAside::stalled);
}

TEST(SetAsideOf, AStallOfPeriodLessRuntimeIsThrottledUnderRealTimePoliciesOnly) {
  EXPECT_EQ(reason_after_delay(50e6), SetAside::throttled);
  EXPECT_EQ(reason_after_delay(41e6), SetAside::throttled);
  EXPECT_EQ(reason_after_delay(59e6, Policy::round_robin), SetAside::throttled);
  EXPECT_EQ(reason_after_delay(39e6), SetAside::stalled);
  EXPECT_EQ(reason_after_delay(61e6), SetAside::stalled);
  EXPECT_EQ(reason_after_delay(50e6, Policy::other), SetAside::stalled);
}

TEST(SetAsideOf, WithoutAThrottleLimitAStallIsAStall) {
  Environment unlimited = environment();
  unlimited.rt_runtime_us = -1;
  EXPECT_EQ(stall_of(50e6, 4e6, Policy::fifo, Thresholds{}, unlimited), SetAside::stalled);
  EXPECT_EQ(stall_of(50e6, 4e6, Policy::fifo, Thresholds{}, Environment{}), SetAside::stalled);
}

TEST(SetAsideOf, AControlGroupsLowerLimitPausesForLonger) {
  Environment grouped = environment();
  grouped.rt_group_runtime_us = 700'000;
  EXPECT_EQ(stall_of(300e6, 4e6, Policy::fifo, Thresholds{}, grouped), SetAside::throttled);
  EXPECT_EQ(stall_of(50e6, 4e6, Policy::fifo, Thresholds{}, grouped), SetAside::stalled);
}

TEST(SetAsideOf, ALongBlocksOwnSpreadIsNoStall) {
  EXPECT_EQ(stall_of(15e6, 100e6, Policy::other, Thresholds{}, environment()), SetAside::none);
  EXPECT_EQ(stall_of(25e6, 100e6, Policy::other, Thresholds{}, environment()), SetAside::stalled);
  EXPECT_EQ(stall_of(50e6, 200e6, Policy::fifo, Thresholds{}, environment()), SetAside::throttled);
}

TEST(SetAsideOf, JitteredLengthsAreComparedPerTrip) {
  EXPECT_EQ(reason_after([](Visit& v) {
              Block& block = block_of(v, disturbed, Phase::switching);
              block.trips *= 10; // 36 ms longer, but for ten times the trips
              block.elapsed_ns *= 10;
            }),
            SetAside::none);
}

TEST(SetAsideOf, StealSetsTheWholeVisitAsideAboveOnePercent) {
  Visit visit = quiet_visit();
  const auto reasons_with = [&](std::int64_t steal_ns) {
    report_of(visit).steal_ns = steal_ns;
    return set_aside_of(visit, Thresholds{}, split_at(2.8), environment(), Policy::fifo);
  };
  const auto measured_ns = report_of(visit).measured_ns;
  EXPECT_EQ(reasons_with(measured_ns / 50), std::vector<SetAside>(6, SetAside::stolen));
  EXPECT_EQ(reasons_with(measured_ns / 200), std::vector<SetAside>(6, SetAside::none));
  EXPECT_EQ(reasons_with(-measured_ns), std::vector<SetAside>(6, SetAside::none)); // a counter that ran backwards
}

TEST(SetAsideOf, AnotherPolicyThanThatOfThePointSetsTheWholeVisitAside) {
  Visit visit = quiet_visit();
  block_of(visit, disturbed, Phase::switching).before.adds_per_cycle = 1.5;
  const auto reasons_for = [&](std::optional<Policy> point_policy) {
    return set_aside_of(visit, Thresholds{}, split_at(2.8), environment(), point_policy);
  };
  EXPECT_EQ(reasons_for(Policy::other), std::vector<SetAside>(6, SetAside::other_policy));
  EXPECT_EQ(reasons_for(Policy::round_robin), std::vector<SetAside>(6, SetAside::other_policy));
  std::vector<SetAside> only_contended(6, SetAside::none);
  only_contended[disturbed] = SetAside::contended;
  EXPECT_EQ(reasons_for(Policy::fifo), only_contended);
  EXPECT_EQ(reasons_for(std::nullopt), only_contended);
}

TEST(SetAsideOf, TheFirstOfSeveralCausesIsTold) {
  EXPECT_EQ(reason_after([](Visit& v) {
              Block& block = block_of(v, disturbed, Phase::baseline_a);
              block.before.adds_per_cycle = 1.9;
              block.task_a = TaskCounts{0, 1, 1, 0, 0};
            }),
            SetAside::contended);
}

TEST(SetAsideOf, AnOddNumberAloneIsNoReason) {
  EXPECT_EQ(reason_after([](Visit& v) { block_of(v, disturbed, Phase::switching).elapsed_ns *= 0.5; }), SetAside::none);
  EXPECT_EQ(reason_after([](Visit& v) { block_of(v, disturbed, Phase::switching).elapsed_ns *= 2.5; }), SetAside::none);
}

TEST(SetAsideOf, AFailedVisitIsEmpty) {
  Visit visit;
  visit.outcome = VisitFailure{"crashed", "The worker crashed."};
  EXPECT_TRUE(set_aside_of(visit, Thresholds{}, split_at(2.8), environment(), Policy::fifo).empty());
}

TEST(MeasuredPairs, SubtractTheMeanOfBothBaselines) {
  VisitData data;
  data.blocks = {synthetic::bare_block(0, Phase::baseline_a, 10, 21'000),
                 synthetic::bare_block(0, Phase::switching, 10, 100'000),
                 synthetic::bare_block(0, Phase::baseline_b, 20, 46'000)};
  const auto pairs = measured_pairs(data, synthetic::data_point().placement, Thresholds{}, environment());
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_TRUE(pairs[0].complete);
  EXPECT_EQ(pairs[0].switching_per_switch_ns, 5000);
  EXPECT_EQ(pairs[0].baseline_per_trip_ns, 2200);
  EXPECT_EQ(pairs[0].cost_ns(), 2800);
}

TEST(MeasuredPairs, PassOverWhatIsIncompleteOrCannotBe) {
  VisitData data;
  data.blocks = {synthetic::bare_block(0, Phase::switching, 10, 100'000),
                 synthetic::bare_block(1'000'000'000, Phase::switching, 10, 100'000),
                 synthetic::bare_block(-1, Phase::switching, 10, 100'000),
                 synthetic::bare_block(1, Phase::baseline_a, 0, 0)};
  const auto pairs = measured_pairs(data, synthetic::data_point().placement, Thresholds{}, environment());
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_FALSE(pairs[0].complete);
  EXPECT_FALSE(pairs[1].complete);
}

} // namespace
} // namespace switchscope
