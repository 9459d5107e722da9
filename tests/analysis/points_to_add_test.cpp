#include "engine/analysis/points_to_add.h"
#include "tests/analysis/simulated_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace switchscope;
using namespace switchscope::simulated;

namespace {

constexpr std::int64_t kib = 1024;
using Sizes = std::vector<std::int64_t>;

// A curve of a 512 KiB cache after some passes.
struct Swept {
  explicit Swept(const Sizes& sizes, int passes) : run(run_over(machine, sizes, 1)), visits(machine, 1) {
    run.plan.max_added_points = 12;
    for (int i = 0; i < passes; ++i) visits.one_pass(run);
  }
  [[nodiscard]] Sizes wanted() const {
    Sizes sizes;
    for (const Point& point : points_to_add(run, visits.estimates(run))) sizes.push_back(point.array_bytes);
    std::sort(sizes.begin(), sizes.end());
    return sizes;
  }
  Machine machine;
  Run run;
  Visits visits;
};

const Sizes octaves{64 * kib, 128 * kib, 256 * kib, 512 * kib, 1024 * kib, 2048 * kib};

TEST(SizeBetween, LiesInTheMiddleOnTheGrid) {
  EXPECT_EQ(size_between(256 * kib, 512 * kib, 8), 352 * kib); // 256 x 1.375; 362 is the middle
  EXPECT_EQ(size_between(256 * kib, 288 * kib, 8), 0);         // neighbours on the grid
  EXPECT_EQ(size_between(256 * kib, 288 * kib, 16), 272 * kib);
  EXPECT_EQ(size_between(512, 576, 64), 0); // a cache line apart
  EXPECT_EQ(size_between(8, 16, 64), 0);
  EXPECT_EQ(size_between(100 * kib, 100 * kib, 8), 0);
}

TEST(PointsToAdd, ComeBetweenHalfAndAllOfEachCacheAfterTheFirstPass) {
  EXPECT_EQ(Swept(octaves, 1).wanted(), (Sizes{320 * kib, 384 * kib, 448 * kib}));
}

TEST(PointsToAdd, HalveTheGapsAtTheEdges) {
  const Swept swept({64 * kib, 128 * kib, 256 * kib, 320 * kib, 384 * kib, 448 * kib, 512 * kib, 1024 * kib}, 8);
  const Sizes wanted = swept.wanted();
  EXPECT_NE(std::find(wanted.begin(), wanted.end(), 288 * kib), wanted.end()); // the cliff begins after 256 KiB
}

TEST(PointsToAdd, AreOfTheSameCurveAndNew) {
  const Swept swept(octaves, 8);
  const auto added = points_to_add(swept.run, swept.visits.estimates(swept.run));
  ASSERT_FALSE(added.empty());
  for (const Point& point : added) {
    EXPECT_EQ(std::count(swept.run.points.begin(), swept.run.points.end(), point), 0);
    EXPECT_EQ(std::count(added.begin(), added.end(), point), 1);
    EXPECT_EQ(point.array_bytes % 64, 0);
    Point of_curve = swept.run.points.at(1);
    of_curve.array_bytes = point.array_bytes;
    EXPECT_EQ(point, of_curve);
  }
}

TEST(PointsToAdd, AreNoMoreThanThePlanAllows) {
  Swept swept(octaves, 8);
  swept.run.plan.max_added_points = 0;
  EXPECT_EQ(swept.wanted(), Sizes{});
  swept.run.plan.max_added_points = 2;
  EXPECT_EQ(swept.wanted().size(), 2u);
  Point added = swept.run.points.back();
  added.array_bytes = 300 * kib;
  swept.run.points.push_back(added);
  swept.visits.visit_new(swept.run);
  EXPECT_EQ(swept.wanted().size(), 1u);
}

TEST(PointsToAdd, EndWhenTheEdgesAreResolved) {
  Swept swept(octaves, 8);
  swept.run.plan.max_added_points = 1000;
  for (int round = 0; round < 50; ++round) {
    const auto added = points_to_add(swept.run, swept.visits.estimates(swept.run));
    if (added.empty()) break;
    swept.run.points.insert(swept.run.points.end(), added.begin(), added.end());
    for (int pass = 0; pass < 8; ++pass) swept.visits.one_pass(swept.run);
  }
  EXPECT_EQ(swept.wanted(), Sizes{});
  std::set<std::int64_t> sizes;
  for (const Point& point : swept.run.points) sizes.insert(point.array_bytes);
  EXPECT_EQ(sizes.count(288 * kib), 1u); // a grid step after C/2
}

TEST(PointsToAdd, ProlongACurveUntilACliffIsFound) {
  Swept swept({32 * kib, 64 * kib, 96 * kib, 128 * kib, 192 * kib}, 1);
  swept.run.before.caches.clear();
  swept.run.plan.max_added_points = 40;
  EXPECT_EQ(swept.wanted(), Sizes{}); // only where the plan says so
  swept.run.plan.extend_to_bytes = 65536 * kib;
  EXPECT_EQ(swept.wanted(), (Sizes{288 * kib, 384 * kib}));
  for (int round = 0; round < 20; ++round) {
    const auto added = points_to_add(swept.run, swept.visits.estimates(swept.run));
    swept.run.points.insert(swept.run.points.end(), added.begin(), added.end());
    swept.visits.visit_new(swept.run);
    swept.visits.one_pass(swept.run);
  }
  std::int64_t largest = 0;
  for (const Point& point : swept.run.points) largest = std::max(largest, point.array_bytes);
  EXPECT_GE(largest, 384 * kib);  // past C/2
  EXPECT_LE(largest, 4096 * kib); // and not to the end
}

} // namespace
