#include "engine/analysis/level_pieces.h"
#include "engine/analysis/rises.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace switchscope;

namespace {

std::vector<CurveValue> curve(double first_log2, double step_log2, const std::vector<double>& values, double error,
                              double degrees = 9) {
  std::vector<CurveValue> points;
  for (const double value : values)
    points.push_back({first_log2 + step_log2 * static_cast<double>(points.size()), value, error, degrees});
  return points;
}

// "2>4 +5.0": from index 2 to index 4 by 5.0.
std::string rises_text(const std::vector<CurveValue>& points) {
  std::string text;
  for (const Rise& rise : rises_in(points, 1))
    text += (text.empty() ? "" : ", ") + std::to_string(rise.last_low) + ">" + std::to_string(rise.first_high) + " +" +
            std::to_string(rise.step.value).substr(0, 3);
  return text;
}

TEST(LevelPieces, AreThoseOfTheLeastSquares) {
  const auto pieces = level_pieces({1, 1, 5, 5, 5, 2}, {1, 1, 1, 1, 1, 1}, 1);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[1].first, 2u);
  EXPECT_EQ(pieces[1].last, 4u);
  EXPECT_EQ(level_pieces({1, 1, 5, 5, 5, 2}, {1, 1, 1, 1, 1, 1}, 1000).size(), 1u);
  EXPECT_EQ(level_pieces({1e9, 1e9 + 1, 1e9 + 9}, {1, 1, 1}, 2).size(), 2u); // a large offset loses no digits
  EXPECT_EQ(level_pieces({7}, {1}, 1).size(), 1u);
}

TEST(Isotonic, PoolsWhatFallsByItsWeights) {
  EXPECT_EQ(isotonic({1, 4, 2, 5}, {1, 1, 3, 1}), (std::vector<double>{1, 2.5, 2.5, 5}));
  EXPECT_EQ(isotonic({3, 2, 1}, {1, 1, 1}), (std::vector<double>{2, 2, 2}));
}

TEST(ModeratedVariances, LetNoPointBeSureByChance) {
  auto points = curve(14, 1, {1, 1, 1, 1, 1, 1}, 10, 3);
  points[2].standard_error = 0.01;
  const auto variances = moderated_variances(points);
  EXPECT_NEAR(variances[2], 4.0 / 7 * 100, 0.1); // (4 x 100 + 3 x 0.0001) / 7
  EXPECT_NEAR(variances[0], 100, 1e-9);
  for (const double variance : moderated_variances(curve(14, 1, {1, 1, 1}, 0))) EXPECT_GT(variance, 0);
}

struct Case {
  const char* name;
  std::vector<CurveValue> points;
  const char* rises;
};

class Rises : public ::testing::TestWithParam<Case> {};

TEST_P(Rises, AreFound) {
  EXPECT_EQ(rises_text(GetParam().points), GetParam().rises);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Rises,
    ::testing::Values(
        Case{"a_flat_curve", curve(14, 0.5, {2.7, 2.8, 2.7, 2.75, 2.7, 2.8, 2.7}, 0.1), ""},
        Case{"a_step", curve(14, 1, {2, 2, 2, 2, 7, 7, 7, 7}, 0.2), "3>4 +5.0"},
        Case{"a_ramp", curve(14, 0.5, {2, 2, 2, 2, 3.25, 4.5, 5.75, 7, 7, 7, 7}, 0.1), "3>7 +5.0"},
        Case{"a_falling_curve", curve(14, 1, {9, 9, 7, 5, 2, 2}, 0.1), ""},
        Case{"a_rise_that_falls_again", curve(14, 0.5, {2, 2, 2, 2, 6, 8, 4, 2, 2, 2}, 0.1), "3>5 +6.0"},
        Case{"two_rises_with_a_fall_between", curve(14, 0.5, {2, 2, 2, 6, 6, 2, 2, 2, 9, 9, 9}, 0.1),
             "2>3 +4.0, 7>8 +7.0"},
        Case{"a_staircase", curve(14, 0.5, {2, 2, 2, 2, 6, 6, 6, 6, 6, 15, 15, 15}, 0.1), "3>4 +4.0, 8>9 +9.0"},
        Case{"a_rise_and_a_slow_slope_after_it",
             curve(14, 0.5, {2, 2, 2, 2, 5, 8, 8.3, 8.6, 9, 9.4, 14, 20, 30}, 0.1), "3>5 +6.3, 9>12 +21."},
        Case{"a_cost_in_proportion_to_the_data",
             curve(14, 0.5, {1, 1.4, 2, 2.8, 4, 5.7, 8, 11.3, 16, 22.6, 32, 45.3, 64}, 0.05), ""},
        Case{"a_dip_that_is_noise", curve(14, 0.5, {2, 2, 2, 2, 4, 3.8, 6, 7, 7, 7}, 0.4), "3>7 +4.7"},
        Case{"one_wild_and_uncertain_point", [] {
               auto points = curve(14, 0.5, {2, 2, 2, 9, 2, 2, 2, 2}, 0.1);
               points[3].standard_error = 5;
               return points;
             }(),
             ""},
        Case{"a_rise_at_the_last_size", curve(14, 1, {2, 2, 2, 2, 2, 8}, 0.2), "4>5 +6.0"},
        Case{"too_few_values", curve(14, 1, {2, 8}, 0.1), ""}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(Rise, CarriesIntervalsOfItsEdgesAndItsHeight) {
  const auto rises = rises_in(curve(14, 0.25, {2, 2.1, 1.9, 2, 2.6, 3.9, 5.4, 6.6, 7, 7.1, 6.9, 7}, 0.3), 1);
  ASSERT_EQ(rises.size(), 1u);
  const Rise& rise = rises.front();
  EXPECT_LE(rise.last_low_least, rise.last_low);
  EXPECT_GE(rise.last_low_most, rise.last_low);
  EXPECT_GT(rise.last_low_most, rise.last_low_least); // noise makes the edge uncertain
  EXPECT_LE(rise.first_high_least, rise.first_high);
  EXPECT_GE(rise.first_high_most, rise.first_high);
  EXPECT_LT(rise.step.low, 5);
  EXPECT_GT(rise.step.high, 5);
  EXPECT_NEAR(rise.middle_log2_bytes, 14 + 0.25 * 5.4, 0.2);
}

TEST(Rise, IsTheSameForTheSameSeed) {
  const auto points = curve(14, 0.25, {2, 2.1, 1.9, 2, 2.6, 3.9, 5.4, 6.6, 7, 7.1, 6.9, 7}, 0.3);
  const auto once = rises_in(points, 8);
  const auto again = rises_in(points, 8);
  ASSERT_EQ(once.size(), again.size());
  EXPECT_EQ(once[0].last_low_least, again[0].last_low_least);
  EXPECT_EQ(once[0].first_high_most, again[0].first_high_most);
}

} // namespace
