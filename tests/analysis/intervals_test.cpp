// Expected numbers: by hand for the t intervals, by a separate program (Mersenne twister, sorted resamples, integrated
// t density) for the others.
#include "engine/analysis/intervals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace switchscope {
namespace {

const std::vector<double> twenty{2690, 2702, 2711, 2698, 2705, 2688, 2720, 2695, 2701, 2699,
                                 2707, 2693, 2715, 2704, 2697, 2900, 2696, 2703, 2500, 2700};
const std::vector<double> another_twenty{1690, 1703, 1713, 1698, 1706, 1690, 1720, 1696, 1703, 1699,
                                         1708, 1695, 1715, 1705, 1699, 1900, 1697, 1705, 1500, 1701};

void expect_interval(const Interval& interval, double estimate, double half_width) {
  EXPECT_TRUE(interval.has_interval);
  EXPECT_NEAR(interval.estimate, estimate, 1e-9 * std::abs(estimate));
  EXPECT_NEAR(interval.low, estimate - half_width, 1e-7);
  EXPECT_NEAR(interval.high, estimate + half_width, 1e-7);
}

TEST(Median, OfOddEvenAndNoValues) {
  EXPECT_EQ(median_of({3, 1, 2}), 2);
  EXPECT_EQ(median_of({4, 1, 3, 2}), 2.5);
  EXPECT_TRUE(std::isnan(median_of({})));
}

TEST(TrimmedMean, DropsAFifthAtEachEndAndWinsorizesTheSpread) {
  // kept 12 13 15; Winsorized 12 12 13 15 15: sum of squares 9.2, over 3 x 2
  const TrimmedMean trimmed = trimmed_mean_of(std::vector<double>{10, 12, 13, 15, 40});
  EXPECT_DOUBLE_EQ(trimmed.mean, 40.0 / 3);
  EXPECT_DOUBLE_EQ(trimmed.squared_error, 9.2 / 6);
  EXPECT_EQ(trimmed.kept, 3);
}

TEST(Interval, BelowFourVisitsIsOnlyTheRange) {
  EXPECT_EQ(interval_of({5}, 1), (Interval{5, 5, 5, false}));
  EXPECT_EQ(interval_of({9, 3, 6}, 1), (Interval{6, 3, 9, false}));
}

TEST(Interval, OfFourVisitsIsStudentT) {
  expect_interval(interval_of({4, 1, 3, 2}, 1), 2.5, 2.054260256760588);
}

TEST(Interval, OfFiveVisitsIsTrimmedT) {
  expect_interval(interval_of({40, 10, 13, 12, 15}, 1), 40.0 / 3, 5.327881829238142);
}

TEST(Interval, OfEightVisitsIsTrimmedT) {
  expect_interval(interval_of({1, 4, 9, 16, 25, 36, 49, 64}, 1), 139.0 / 6, 23.390882254045632);
}

TEST(Interval, OfTwentyVisitsIsBootstrapT) {
  expect_interval(interval_of(twenty, 7), 32407.0 / 12, 3.7998154993531825);
}

TEST(Interval, BootstrapAndTAgreeOnTwentyOrdinaryVisits) {
  // The t interval of the same values is +- 4.04.
  EXPECT_NEAR(interval_of(twenty, 7).half_width() / 4.0355183998748805, 1, 0.1);
}

TEST(Interval, DependsOnValuesAndSeedOnly) {
  std::vector<double> reversed(twenty.rbegin(), twenty.rend());
  EXPECT_EQ(interval_of(twenty, 7), interval_of(reversed, 7));
  EXPECT_NE(interval_of(twenty, 7), interval_of(twenty, 8));
}

TEST(Interval, OfEqualVisitsHasNoWidthAndIsANumber) {
  for (const std::size_t count : {4U, 5U, 19U, 20U, 40U})
    EXPECT_EQ(interval_of(std::vector<double>(count, 2700.1), 1), (Interval{2700.1, 2700.1, 2700.1, true})) << count;
}

TEST(Interval, WithManyTiesIsFinite) {
  std::vector<double> tied(20, 2700);
  for (std::size_t different = 0; different < tied.size(); ++different) {
    const Interval interval = interval_of(tied, 1);
    EXPECT_TRUE(std::isfinite(interval.low) && std::isfinite(interval.high)) << different;
    EXPECT_LE(interval.low, interval.estimate);
    EXPECT_GE(interval.high, interval.estimate);
    tied[different] = 2710;
  }
}

TEST(Difference, OfFewVisitsIsYuenWelch) {
  expect_interval(interval_of_difference({10, 12, 13, 15, 40}, {1, 2, 3, 4}, 1), 65.0 / 6, 4.377216943199907);
}

TEST(Difference, OfManyVisitsIsBootstrapT) {
  expect_interval(interval_of_difference(twenty, another_twenty, 7), 11987.0 / 12, 5.480055424118374);
}

TEST(Difference, WithTooFewOnOneSideIsTheRangeOfDifferences) {
  EXPECT_EQ(interval_of_difference({10, 12, 13, 15, 40}, {1, 2}, 1), (Interval{40.0 / 3 - 1.5, 8, 39, false}));
}

TEST(Difference, OfEqualVisitsHasNoWidth) {
  EXPECT_EQ(interval_of_difference(std::vector<double>(5, 30), std::vector<double>(25, 10), 1),
            (Interval{20, 20, 20, true}));
  const Interval one_side_varies = interval_of_difference({10, 12, 13, 15, 40}, std::vector<double>(5, 10), 1);
  EXPECT_NEAR(one_side_varies.half_width(), 5.327881829238142, 1e-7); // that side's own interval
}

TEST(Difference, IsNotClampedAtZero) {
  const Interval interval = interval_of_difference({1, 2, 3, 4}, {10, 12, 13, 15, 40}, 1);
  EXPECT_LT(interval.high, 0);
}

} // namespace
} // namespace switchscope
