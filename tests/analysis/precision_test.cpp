#include "engine/analysis/estimate.h"

#include <gtest/gtest.h>

#include <limits>

namespace switchscope {
namespace {

PointEstimate estimate_of(double cost_ns, double half_width_ns, int visits = 10, double switching_ns = 5000) {
  PointEstimate estimate;
  estimate.state = EstimateState::clean;
  estimate.total = {cost_ns, cost_ns - half_width_ns, cost_ns + half_width_ns, true};
  estimate.switching_per_switch_ns = switching_ns;
  estimate.visits = visits;
  return estimate;
}

Point direct() {
  return {};
}
Point with_data() {
  Point point;
  point.array_bytes = 1024;
  return point;
}

TEST(Precise, DirectCostAllowsAShareOfItselfOnly) {
  EXPECT_TRUE(is_precise(estimate_of(2000, 100), direct(), 0.05));
  EXPECT_FALSE(is_precise(estimate_of(2000, 101), direct(), 0.05));
}

TEST(Precise, WithDataTheLargestOfThreeCounts) {
  EXPECT_TRUE(is_precise(estimate_of(1000, 100), with_data(), 0.05)); // 100 ns
  EXPECT_FALSE(is_precise(estimate_of(1000, 101), with_data(), 0.05));
  EXPECT_TRUE(is_precise(estimate_of(20'000, 1000), with_data(), 0.05)); // 5 % of C2
  EXPECT_FALSE(is_precise(estimate_of(20'000, 1001), with_data(), 0.05));
  EXPECT_TRUE(is_precise(estimate_of(0, 600, 10, 60'000), with_data(), 0.05)); // 1 % of S1
  EXPECT_FALSE(is_precise(estimate_of(0, 601, 10, 60'000), with_data(), 0.05));
}

TEST(Precise, TakesANegativeCostByItsSize) {
  EXPECT_TRUE(is_precise(estimate_of(-20'000, 1000), with_data(), 0.05));
}

TEST(Precise, NeverBeforeEightVisits) {
  EXPECT_FALSE(is_precise(estimate_of(2000, 1, 7), with_data(), 0.05));
  EXPECT_TRUE(is_precise(estimate_of(2000, 1, 8), with_data(), 0.05));
  EXPECT_GT(imprecision(estimate_of(2000, 0, 7), with_data(), 0.05), 1);
}

TEST(Precise, NeverWithoutInterval) {
  PointEstimate range = estimate_of(2000, 1);
  range.total.has_interval = false;
  EXPECT_FALSE(is_precise(range, with_data(), 0.05));
  EXPECT_EQ(imprecision(range, with_data(), 0.05), std::numeric_limits<double>::infinity());
  EXPECT_EQ(imprecision(PointEstimate{}, with_data(), 0.05), std::numeric_limits<double>::infinity());
}

TEST(Imprecision, IsTheRatioToWhatIsAllowed) {
  EXPECT_DOUBLE_EQ(imprecision(estimate_of(20'000, 3000), with_data(), 0.05), 3);
  EXPECT_EQ(imprecision(estimate_of(0, 0), direct(), 0.05), 0);
  EXPECT_EQ(imprecision(estimate_of(0, 1), direct(), 0.05), std::numeric_limits<double>::infinity());
}

} // namespace
} // namespace switchscope
