#include "engine/worker/block_plan.h"

#include <gtest/gtest.h>

#include <set>

namespace switchscope {
namespace {

TEST(BlockPlan, TripsFillTheLengthAskedFor) {
  EXPECT_EQ(trips_for(5'000, 4'000'000, 1.0), 800);
  EXPECT_EQ(trips_for(5'000, 4'000'000, 0.8), 640);
  EXPECT_EQ(trips_for(5'000, 4'000'000, 1.2), 960);
}

TEST(BlockPlan, LongerTripsGetAmpleOnesUpToTenMilliseconds) {
  EXPECT_EQ(trips_for(300e3, 4'000'000, 1.0), 24); // 7.2 ms
  EXPECT_EQ(trips_for(1e6, 4'000'000, 1.0), 10);   // 10 ms
}

TEST(BlockPlan, AtLeastFourTripsAtMostFourHundredMillisecondsAtLeastOne) {
  EXPECT_EQ(trips_for(50e6, 4'000'000, 1.0), 4);
  EXPECT_EQ(trips_for(150e6, 4'000'000, 1.0), 2);
  EXPECT_EQ(trips_for(900e6, 4'000'000, 1.0), 1);
  EXPECT_EQ(trips_for(5'000, 4'000'000'000, 1.0), 80'000);
}

TEST(BlockPlan, ThePairHasOneSwitchingAndTwoBaselineBlocksWithDiscardedTrips) {
  EXPECT_DOUBLE_EQ(longest_pair_ns(10e3, 4e3, 4'000'000), (480 + 3) * (10e3 + 2 * 4e3));
}

TEST(Jitter, StaysWithinTwentyPercentAndFollowsTheSeed) {
  std::set<double> seen;
  Jitter jitter(7);
  for (int i = 0; i < 1000; ++i) {
    const double value = jitter.next();
    EXPECT_GE(value, 0.8);
    EXPECT_LT(value, 1.2);
    seen.insert(value);
  }
  EXPECT_EQ(seen.size(), 1000u);
  EXPECT_LT(*seen.begin(), 0.81);
  EXPECT_GT(*seen.rbegin(), 1.19);
  EXPECT_EQ(Jitter(7).next(), Jitter(7).next());
  EXPECT_NE(Jitter(7).next(), Jitter(8).next());
}

TEST(RealTimeBudget, PausesBeforeNinetyPercentOfTheRuntimeIsSpent) {
  RealTimeBudget budget(1'000'000, 950'000); // 855 ms usable
  EXPECT_EQ(budget.pause_before_ns(400e6), 0);
  budget.spend(400e6);
  EXPECT_EQ(budget.pause_before_ns(400e6), 0);
  budget.spend(400e6);
  EXPECT_EQ(budget.pause_before_ns(400e6), 145'000'000); // what is left of the period
  budget.paused();
  EXPECT_EQ(budget.pause_before_ns(400e6), 0);
}

TEST(RealTimeBudget, APairMustFitIntoWhatIsUsable) {
  EXPECT_EQ(RealTimeBudget(1'000'000, 950'000).longest_pair_ns(), 400e6);
  EXPECT_EQ(RealTimeBudget(1'000'000, -1).longest_pair_ns(), 400e6);
  EXPECT_EQ(RealTimeBudget(1'000'000, 300'000).longest_pair_ns(), 270e6);
  EXPECT_EQ(RealTimeBudget(100'000, 95'000).longest_pair_ns(), 85.5e6);
  EXPECT_EQ(RealTimeBudget(1'000'000, 0).longest_pair_ns(), 0);
}

TEST(RealTimeBudget, NeverPausesWithoutALimit) {
  RealTimeBudget budget(1'000'000, -1);
  budget.spend(1e12);
  EXPECT_EQ(budget.pause_before_ns(400e6), 0);
}

} // namespace
} // namespace switchscope
