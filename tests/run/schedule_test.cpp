#include "engine/run/schedule.h"

#include "engine/run/seeds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

using namespace switchscope;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<Point> points_of(std::size_t direct, std::size_t data) {
  std::vector<Point> points(direct + data);
  for (std::size_t i = direct; i < points.size(); ++i)
    points[i].array_bytes = static_cast<std::int64_t>(1024 * (i + 1));
  return points;
}

std::vector<PointProgress> all_alike(std::size_t count, int visits, double imprecision) {
  return std::vector<PointProgress>(count, PointProgress{visits, false, imprecision, 0.06});
}

std::map<int, int> counts_of(const std::vector<PlannedVisit>& pass) {
  std::map<int, int> counts;
  for (const auto& visit : pass) ++counts[visit.point_index];
  return counts;
}

void expect_nothing_back_to_back(const std::vector<PlannedVisit>& pass, int last) {
  for (const auto& visit : pass) {
    EXPECT_NE(visit.point_index, last);
    last = visit.point_index;
  }
}

std::vector<int> order_of(const std::vector<PlannedVisit>& pass) {
  std::vector<int> order;
  for (const auto& visit : pass) order.push_back(visit.point_index);
  return order;
}

// Any imaginable state of a run, from a seed.
std::vector<PointProgress> some_progress(std::size_t count, Randomness& randomness) {
  std::vector<PointProgress> progress(count);
  for (auto& point : progress) {
    point.visits = 1 + static_cast<int>(randomness.below(20));
    point.failed = randomness.below(8) == 0;
    point.imprecision = point.visits < 4 ? infinite : static_cast<double>(randomness.below(80)) / 10;
  }
  return progress;
}

} // namespace

TEST(FirstPass, VisitsEveryPointOnceAndBriefly) {
  const auto points = points_of(1, 42);
  const auto pass = first_pass(points, all_alike(43, 0, infinite), 7);
  EXPECT_EQ(pass.size(), 43u);
  EXPECT_EQ(counts_of(pass).size(), 43u);
  std::int64_t total_ns = 0;
  for (const auto& visit : pass) total_ns += visit.duration_ns;
  EXPECT_LT(total_ns, 4'000'000'000); // leaves a fifth of 5 s for everything beside measuring
}

TEST(FirstPass, OrderComesFromTheSeed) {
  const auto points = points_of(1, 20);
  const auto progress = all_alike(21, 0, infinite);
  EXPECT_EQ(first_pass(points, progress, 7), first_pass(points, progress, 7));
  EXPECT_NE(first_pass(points, progress, 7), first_pass(points, progress, 8));
  std::set<int> firsts;
  for (std::uint64_t seed = 0; seed < 300; ++seed) firsts.insert(first_pass(points, progress, seed)[0].point_index);
  EXPECT_EQ(firsts.size(), 21u);
}

TEST(FirstPass, IsTakenUpWhereDataAreMissing) {
  auto progress = all_alike(4, 0, infinite);
  progress[1].visits = 1;
  progress[2].failed = true;
  const auto pass = first_pass(points_of(1, 3), progress, 7);
  EXPECT_EQ(counts_of(pass), (std::map<int, int>{{0, 1}, {3, 1}}));
}

TEST(NextPass, LeavesOutWhatIsPreciseButNeverTheDirectPoint) {
  auto progress = all_alike(6, 10, 0.5);
  progress[4].imprecision = 3;
  const auto pass = next_pass(points_of(1, 5), progress, true, 7, -1);
  EXPECT_EQ(counts_of(pass), (std::map<int, int>{{0, 1}, {4, 1}}));
}

TEST(NextPass, FewVisitsAreNotPrecise) {
  EXPECT_EQ(counts_of(next_pass(points_of(1, 2), all_alike(3, least_visits - 1, 0.1), true, 7, -1)).size(), 3u);
  EXPECT_TRUE(next_pass(points_of(1, 2), all_alike(3, least_visits, 0.1), true, 7, -1).empty());
}

TEST(NextPass, ABudgetAloneGoesOnWithEveryPoint) {
  EXPECT_EQ(counts_of(next_pass(points_of(1, 5), all_alike(6, 100, 0.1), false, 7, -1)).size(), 6u);
}

TEST(NextPass, TheWidestGetMore) {
  auto progress = all_alike(10, 10, 1.5);
  progress[3].imprecision = 6;
  progress[7].imprecision = 5;
  progress[8].imprecision = 0.5;
  const auto pass = next_pass(points_of(1, 9), progress, false, 7, -1);
  const auto counts = counts_of(pass);
  EXPECT_EQ(counts.at(3), 2);
  EXPECT_EQ(counts.at(7), 2);
  EXPECT_EQ(counts.at(8), 1);
  const auto duration_of = [&](int index) {
    return std::find_if(pass.begin(), pass.end(), [&](const auto& v) { return v.point_index == index; })->duration_ns;
  };
  EXPECT_EQ(duration_of(3), longest_visit_ns);
  EXPECT_EQ(duration_of(8), quick_visit_ns);
  EXPECT_GT(duration_of(1), quick_visit_ns);
}

TEST(NextPass, SpreadsTheDirectPoint) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto order = order_of(next_pass(points_of(1, 30), all_alike(31, 2, infinite), false, seed, -1));
    ASSERT_EQ(std::count(order.begin(), order.end(), 0), 2);
    const auto first = std::find(order.begin(), order.end(), 0) - order.begin();
    const auto second = std::find(order.begin() + first + 1, order.end(), 0) - order.begin();
    EXPECT_LE(first, 16);
    EXPECT_GE(second, 15);
  }
}

TEST(NextPass, AloneNotPreciseTheDirectPointGetsCompany) {
  auto progress = all_alike(4, 10, 0.5);
  progress[0].imprecision = 2;
  progress[2].imprecision = 0.9;
  EXPECT_EQ(counts_of(next_pass(points_of(1, 3), progress, true, 7, -1)), (std::map<int, int>{{0, 1}, {2, 1}}));
}

TEST(NextPass, TheOnlyPointFollowsItself) {
  EXPECT_EQ(order_of(next_pass(points_of(1, 0), all_alike(1, 3, infinite), false, 7, 0)), std::vector<int>{0});
}

TEST(NextPass, NothingIsLeftWhenEveryPointHasFailed) {
  auto progress = all_alike(3, 0, infinite);
  for (auto& point : progress) point.failed = true;
  EXPECT_TRUE(next_pass(points_of(1, 2), progress, false, 7, -1).empty());
}

TEST(CountingVisits, AreShortAndOfEachPointOnceInAnOrderOfTheirOwn) {
  const auto visits = counting_visits({0, 2, 5}, 7, 5);
  ASSERT_EQ(visits.size(), 3u);
  std::set<int> seen;
  for (const auto& visit : visits) {
    EXPECT_EQ(visit, (PlannedVisit{visit.point_index, quick_visit_ns, true}));
    seen.insert(visit.point_index);
  }
  EXPECT_EQ(seen, (std::set<int>{0, 2, 5}));
  for (std::uint64_t seed = 0; seed < 50; ++seed) EXPECT_NE(counting_visits({0, 2, 5}, seed, 5).front().point_index, 5);
  EXPECT_TRUE(counting_visits({}, 7, -1).empty());
  EXPECT_EQ(counting_visits({3}, 7, 3).size(), 1u); // the only point follows itself
}

TEST(NextPass, HoldsItsRulesWhateverTheState) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Randomness randomness(seed);
    const std::size_t direct = randomness.below(4);
    const std::size_t data = randomness.below(12) + (direct == 0 ? 1 : 0);
    const auto points = points_of(direct, data);
    const auto progress = some_progress(points.size(), randomness);
    const bool precision_asked = randomness.below(2) == 0;
    const int last = static_cast<int>(randomness.below(points.size() + 1)) - 1;
    const auto pass = next_pass(points, progress, precision_asked, seed, last);
    const auto counts = counts_of(pass);
    SCOPED_TRACE(seed);
    if (counts.size() > 1) expect_nothing_back_to_back(pass, last);
    const bool open = std::any_of(progress.begin(), progress.end(),
                                  [&](const auto& p) { return !p.failed && (!precision_asked || !is_done(p)); });
    EXPECT_EQ(pass.empty(), !open);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto found = counts.find(static_cast<int>(i));
      const int visits = found == counts.end() ? 0 : found->second;
      EXPECT_LE(visits, 2);
      const bool due =
          open && !progress[i].failed && (points[i].is_direct() || !precision_asked || !is_done(progress[i]));
      EXPECT_GE(visits, due ? 1 : 0);
      if (progress[i].failed) {
        EXPECT_EQ(visits, 0);
      }
    }
    for (const auto& visit : pass) {
      EXPECT_GE(visit.duration_ns, quick_visit_ns);
      EXPECT_LE(visit.duration_ns, longest_visit_ns);
    }
  }
}

TEST(HasEnough, ByBudgetPrecisionOrCap) {
  Plan budget;
  budget.budget_s = 10;
  EXPECT_FALSE(has_enough(budget, all_alike(2, 100, 0.1), 9.9));
  EXPECT_TRUE(has_enough(budget, all_alike(2, 1, infinite), 10));
  Plan precision;
  precision.precision_ratio = 0.05;
  EXPECT_FALSE(has_enough(precision, all_alike(2, 100, 1.1), 59.9));
  EXPECT_TRUE(has_enough(precision, all_alike(2, 100, 1.1), 60));
  EXPECT_TRUE(has_enough(precision, all_alike(2, 8, 1), 1));
  EXPECT_FALSE(has_enough(precision, all_alike(2, 7, 0.1), 1));
  Plan both = precision;
  both.budget_s = 300;
  EXPECT_FALSE(has_enough(both, all_alike(2, 100, 1.1), 60));
  EXPECT_TRUE(has_enough(both, all_alike(2, 100, 1.1), 300));
}

TEST(HasEnough, AFailedPointKeepsNobodyWaiting) {
  Plan plan;
  plan.precision_ratio = 0.05;
  auto progress = all_alike(2, 9, 0.5);
  progress[1] = {0, true, infinite, 0};
  EXPECT_TRUE(has_enough(plan, progress, 1));
}

TEST(SecondsLeft, OfABudgetIsTheRest) {
  Plan plan;
  plan.budget_s = 60;
  EXPECT_DOUBLE_EQ(seconds_left(plan, all_alike(3, 5, 2), 20, 0), 40);
  EXPECT_DOUBLE_EQ(seconds_left(plan, all_alike(3, 5, 2), 20, 0.1), 44); // throttle waits go on as they did
  EXPECT_DOUBLE_EQ(seconds_left(plan, all_alike(3, 5, 2), 61, 0), 0);
}

TEST(SecondsLeft, OfPrecisionGrowsWithTheSquareOfTheInterval) {
  Plan plan;
  plan.precision_ratio = 0.05;
  // 10 visits and twice too wide: 40 are needed and 20 to be sure, so 50 more of 60 ms for each of two points.
  EXPECT_DOUBLE_EQ(seconds_left(plan, all_alike(2, 10, 2), 5, 0), 2 * 50 * 0.06);
  EXPECT_DOUBLE_EQ(seconds_left(plan, all_alike(2, 10, 0.9), 5, 0), 0);
  EXPECT_DOUBLE_EQ(seconds_left(plan, all_alike(2, 3, infinite), 5, 0),
                   2 * 9 * 0.06);                                          // to the 8th visit at least, and 4 more
  EXPECT_DOUBLE_EQ(seconds_left(plan, all_alike(2, 100, 100), 50, 0), 10); // the cap
}

TEST(IsDone, PreciseIsNotYetSure) {
  const auto progress = [](int visits, double imprecision, int first_precise_at, bool failed = false) {
    PointProgress point;
    point.visits = visits;
    point.imprecision = imprecision;
    point.first_precise_at = first_precise_at;
    point.failed = failed;
    return point;
  };
  EXPECT_TRUE(is_precise(progress(10, 0.9, 10)));
  EXPECT_FALSE(is_done(progress(10, 0.9, 10)));
  EXPECT_FALSE(is_done(progress(14, 0.9, 10)));
  EXPECT_TRUE(is_done(progress(15, 0.9, 10)));
  EXPECT_FALSE(is_done(progress(15, 1.1, 10))); // the visits after it told another story
  EXPECT_TRUE(is_done(progress(0, infinite, 0, true)));
}

TEST(SecondsLeft, TheFirstPassIsMeasuredToItsEnd) {
  Plan plan;
  plan.budget_s = 0.01;
  EXPECT_NEAR(seconds_left(plan, std::vector<PointProgress>(10), 1, 0), 0.7, 1e-9); // 70 ms a visit until one is seen
}

// As a machine of 2026 takes: 23.3, 5.1 and 7.9 s.
TEST(UsualRound, AReadTakesThreeTimesWhatAChangeTakes) {
  Point point;
  point.method = Method::paper;
  EXPECT_NEAR(usual_round_s(point), 0.07, 0.01) << "without data";
  point.array_bytes = 2 << 20;
  point.access = Access::read;
  EXPECT_NEAR(usual_round_s(point), 23.3, 1);
  point.access = Access::write;
  EXPECT_NEAR(usual_round_s(point), 5.1, 0.5);
  point.access = Access::read_modify_write;
  EXPECT_NEAR(usual_round_s(point), 7.9, 0.5);
}
