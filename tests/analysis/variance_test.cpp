#include "engine/analysis/variance.h"

#include <gtest/gtest.h>

#include <random>

namespace switchscope {
namespace {

// Worked by hand: two sessions of two visits of two pairs. Means of visits 1 3 | 11 13, of sessions 2 | 12, of all 7.
// Within visits 8 x 1 / 4 = 2; MS of visits 2 x (4 x 1) / 2 = 4, (4 - 2) / 2 = 1; MS of sessions 4 x 50 = 200,
// (200 - 4) / 4 = 49.
TEST(Variance, OfABalancedDesign) {
  const auto components = variance_components({{{0, 2}, {2, 4}}, {{10, 12}, {12, 14}}});
  ASSERT_TRUE(components);
  EXPECT_DOUBLE_EQ(components->within_visits, 2);
  EXPECT_DOUBLE_EQ(components->between_visits, 1);
  EXPECT_DOUBLE_EQ(components->between_sessions.value_or(0), 49);
  EXPECT_EQ(components->pairs, 8);
  EXPECT_EQ(components->visits, 4);
  EXPECT_EQ(components->sessions, 2);
  EXPECT_DOUBLE_EQ(components->share_of(components->within_visits), 2 / 52.0);
}

// By hand: visits of 1 and 3 pairs with means 0 and 8. MS within 8 / 2 = 4; SS of visits 1 x 36 + 3 x 4 = 48; the
// weight is 4 - (1 + 9) / 4 = 1.5, so (48 - 4) / 1.5.
TEST(Variance, OfVisitsOfUnequalSize) {
  const auto components = variance_components({{{0}, {6, 8, 10}}});
  ASSERT_TRUE(components);
  EXPECT_DOUBLE_EQ(components->within_visits, 4);
  EXPECT_DOUBLE_EQ(components->between_visits, 44 / 1.5);
  EXPECT_FALSE(components->between_sessions) << "there is one session";
}

TEST(Variance, ANegativeComponentStaysAndCountsAsNoShare) {
  const auto components = variance_components({{{0, 10}, {1, 9}}});
  ASSERT_TRUE(components);
  EXPECT_LT(components->between_visits, 0);
  EXPECT_EQ(components->share_of(components->between_visits), 0);
  EXPECT_EQ(components->share_of(components->within_visits), 1);
}

TEST(Variance, AbsentWhereALevelHasNothingToCompare) {
  EXPECT_FALSE(variance_components({}));
  EXPECT_FALSE(variance_components({{{1, 2, 3}}})) << "one visit";
  EXPECT_FALSE(variance_components({{{1}, {2}}})) << "one pair a visit";
  EXPECT_FALSE(variance_components({{{1, 2}}, {{3, 4}}})) << "one visit a session";
  EXPECT_TRUE(variance_components({{{1, 2}, {}, {3}}, {}})) << "what is empty is passed over";
}

TEST(Variance, OfEqualValuesIsNothing) {
  const auto components = variance_components({{{7, 7}, {7, 7}}, {{7, 7}, {7, 7}}});
  ASSERT_TRUE(components);
  EXPECT_EQ(components->within_visits, 0);
  EXPECT_EQ(components->between_visits, 0);
  EXPECT_EQ(components->between_sessions, 0);
  EXPECT_EQ(components->share_of(0), 0);
}

// Unbalanced on purpose, 400 sessions: 10 ns within visits, 20 between visits, 30 between sessions.
TEST(Variance, ComesBackFromALongSeries) {
  std::mt19937_64 random(1);
  std::normal_distribution<> normal;
  NestedCosts costs;
  for (int session = 0; session < 400; ++session) {
    const double of_session = 2500 + 30 * normal(random);
    auto& visits = costs.emplace_back();
    for (int visit = 0; visit < 5 + session % 6; ++visit) {
      const double of_visit = of_session + 20 * normal(random);
      auto& pairs = visits.emplace_back();
      for (int pair = 0; pair < 3 + visit % 4; ++pair) pairs.push_back(of_visit + 10 * normal(random));
    }
  }
  const auto components = variance_components(costs);
  ASSERT_TRUE(components);
  EXPECT_NEAR(components->within_visits, 100, 5);
  EXPECT_NEAR(components->between_visits, 400, 40);
  EXPECT_NEAR(components->between_sessions.value_or(0), 900, 200);
}

} // namespace
} // namespace switchscope
