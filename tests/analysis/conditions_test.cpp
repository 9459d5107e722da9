#include "engine/analysis/conditions.h"
#include "tests/analysis/synthetic.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

// Two visits of one pair; the second visit's S1 ends beside a busy neighbour.
struct Measured {
  Run run = synthetic::run_of();
  std::vector<Visit> visits;
  RunEstimates estimates;

  Measured() {
    run.points = {run.points[1]};
    run.thresholds.stored_levels["1"] = {2.8, 900};
    for (int i = 0; i < 2; ++i) {
      VisitData data;
      data.report.policy = Policy::fifo;
      data.report.measured_ns = 10'000'000;
      data.report.steal_ns = i == 0 ? -5 : 25;
      data.report.interrupts = 3;
      data.report.clock_ghz = 2.45 + 0.01 * i;
      data.report.clock_drift_ppm = i == 0 ? -3 : 5;
      if (i == 1) data.report.memory_tag_ns = 12'500;
      for (const Phase phase : {Phase::baseline_a, Phase::switching, Phase::baseline_b}) {
        Block block = synthetic::bare_block(0, phase, 100, phase == Phase::switching ? 6e6 : 2e6);
        block.before = block.after = {3.2 + 0.1 * i, 3.4, 480};
        data.blocks.push_back(block);
      }
      if (i == 1) data.blocks[1].after.adds_per_cycle = 1.9;
      Visit visit;
      visit.sequence = i;
      visit.request.point = run.points[0];
      visit.outcome = data;
      visits.push_back(visit);
    }
    estimates = estimate_run(run, visits);
  }
};

TEST(Conditions, OfARunAreTheRangesAndSumsOfItsVisits) {
  const Measured measured;
  const Conditions all = conditions_of(measured.run, measured.estimates, measured.visits);
  EXPECT_EQ(all.visits, 2);
  EXPECT_DOUBLE_EQ(all.measured_ns, 20e6);
  EXPECT_EQ(all.steal_ns, 20);
  EXPECT_EQ(all.interrupts, 6);
  EXPECT_EQ(all.adds_per_cycle, (Range{1.9, 3.4, 3.4}));
  EXPECT_DOUBLE_EQ(all.clock_adds_per_ns->low, 3.2);
  EXPECT_DOUBLE_EQ(all.clock_adds_per_ns->high, 3.3);
  EXPECT_EQ(all.clock_ghz, (Range{2.45, 2.455, 2.46}));
  EXPECT_EQ(all.clock_drift_ppm, (Range{-3, 1, 5}));
  EXPECT_EQ(all.memory_tag_ns, (Range{12'500, 12'500, 12'500}));
  ASSERT_TRUE(all.contended_share);
  EXPECT_DOUBLE_EQ(*all.contended_share, 3.0 / 20); // half of one S1 of 6 ms
}

TEST(Conditions, OfOneVisitAreItsOwn) {
  const Measured measured;
  const Conditions first = conditions_of(measured.run, measured.estimates, {&measured.visits[0]});
  EXPECT_EQ(first.steal_ns, -5);
  EXPECT_EQ(first.memory_tag_ns, std::nullopt);
  EXPECT_DOUBLE_EQ(*first.contended_share, 0);
  EXPECT_DOUBLE_EQ(*conditions_of(measured.run, measured.estimates, {&measured.visits[1]}).contended_share, 0.3);
}

TEST(Conditions, WithoutASplitTheContendedShareIsNotTold) {
  Measured measured;
  measured.run.thresholds.stored_levels.clear();
  std::get<VisitData>(measured.visits[1].outcome).blocks[1].after.adds_per_cycle = 3.4; // one level only
  measured.estimates = estimate_run(measured.run, measured.visits);
  EXPECT_FALSE(conditions_of(measured.run, measured.estimates, measured.visits).contended_share);
}

TEST(Conditions, AVisitThatCountedEventsIsNotLookedAt) {
  Measured measured;
  measured.visits[1].request.counters = true;
  EXPECT_EQ(conditions_of(measured.run, measured.estimates, measured.visits).visits, 1);
}

TEST(Conditions, AStallIsCounted) {
  Measured measured;
  VisitData& data = std::get<VisitData>(measured.visits[0].outcome);
  const auto blocks = data.blocks;
  for (int pair = 1; pair < 5; ++pair)
    for (Block block : blocks) {
      block.pair = pair;
      if (pair == 4 && block.phase == Phase::switching) block.elapsed_ns += 20e6;
      data.blocks.push_back(block);
    }
  const Conditions all = conditions_of(measured.run, measured.estimates, {&measured.visits[0]});
  EXPECT_EQ(all.stalled_pairs, 1);
  EXPECT_EQ(all.throttled_pairs, 0);
}

} // namespace
} // namespace switchscope
