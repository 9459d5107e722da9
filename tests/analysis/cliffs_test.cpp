#include "engine/analysis/cliff_levels.h"
#include "engine/analysis/cliffs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

using namespace switchscope;

namespace {

constexpr std::int64_t kib = 1024;

struct Measured {
  Run run;
  RunEstimates estimates;
};

// Costs in us with half-widths of 2 %, ten visits each.
Measured measured(const std::vector<std::pair<int, double>>& us_by_kib) {
  Measured made;
  made.run.before.caches = {{1, "data", 32 * kib, 64, {0}, "reported"},
                            {1, "data", 32 * kib, 64, {1}, "reported"},
                            {2, "unified", 512 * kib, 64, {1}, "reported"}};
  for (const auto& [size, us] : us_by_kib) {
    Point point;
    point.array_bytes = size * kib;
    point.stride_bytes = 128;
    point.placement = {Placement::Kind::same_cpu, 1, 1};
    made.run.points.push_back(point);
    PointEstimate estimate;
    estimate.state = EstimateState::clean;
    estimate.policy = Policy::fifo;
    estimate.visits = 10;
    estimate.total = {us * 1000, us * 980, us * 1020, true};
    made.estimates.points.push_back(estimate);
  }
  return made;
}

// The machine of docs/measurement.md: the cost falls again above the cache, and rises once more.
Measured real_curve() {
  return measured({{16, 2.8},
                   {64, 2.7},
                   {128, 2.9},
                   {192, 3.5},
                   {256, 5.0},
                   {320, 7.1},
                   {384, 7.5},
                   {448, 7.9},
                   {512, 8.4},
                   {768, 4.6},
                   {1024, 3.2},
                   {2048, 10},
                   {4096, 30}});
}

std::vector<Cliff> cliffs(const Measured& measured) {
  const auto found = cliffs_of(measured.run, measured.estimates);
  return found.empty() ? std::vector<Cliff>{} : found.front().cliffs;
}

CurveCliffs only_curve(const Measured& measured) {
  return cliffs_of(measured.run, measured.estimates).at(0);
}

TEST(Cliffs, OfARealCurveThatFallsAgain) {
  const auto found = cliffs(real_curve());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].from_bytes, 128 * kib);
  EXPECT_GE(found[0].to_bytes, 320 * kib);
  EXPECT_LE(found[0].to_bytes, 512 * kib);
  EXPECT_NEAR(found[0].step_ns, 5000, 700);
  EXPECT_LT(found[0].step_low_ns, found[0].step_ns);
  EXPECT_GT(found[0].step_high_ns, found[0].step_ns);
  EXPECT_EQ(found[0].level, "L2");
  EXPECT_EQ(found[0].cache_bytes, 512 * kib);
  EXPECT_TRUE(found[0].reasons.empty());
  ASSERT_TRUE(found[0].to_high_bytes);

  EXPECT_EQ(found[1].from_bytes, 1024 * kib);
  EXPECT_EQ(found[1].to_bytes, 4096 * kib);
  EXPECT_EQ(found[1].to_high_bytes, std::nullopt); // still rising where the sweep ends
  EXPECT_EQ(found[1].level, std::nullopt);
  EXPECT_EQ(found[1].cache_bytes, std::nullopt);
  EXPECT_FALSE(found[1].reasons.empty());
}

TEST(Cliffs, FallWithinTheirIntervals) {
  for (const Cliff& cliff : cliffs(real_curve())) {
    EXPECT_LE(cliff.from_low_bytes, cliff.from_bytes);
    EXPECT_LT(cliff.from_bytes, cliff.from_high_bytes);
    EXPECT_LT(cliff.to_low_bytes, cliff.to_bytes);
  }
}

TEST(Cliffs, AreNoneOnAFlatCurve) {
  const auto found = only_curve(measured({{16, 2.7}, {64, 2.72}, {128, 2.68}, {256, 2.71}, {512, 2.7}, {1024, 2.69}}));
  EXPECT_TRUE(found.cliffs.empty());
  EXPECT_EQ(found.not_judged, "");
}

TEST(Cliffs, AreNotASmallRiseHoweverCertain) {
  auto curve = measured({{16, 2.7}, {64, 2.7}, {128, 2.7}, {256, 2.9}, {512, 2.9}, {1024, 2.9}}); // 7 %
  for (PointEstimate& estimate : curve.estimates.points) {
    estimate.total.low = estimate.total.estimate - 1;
    estimate.total.high = estimate.total.estimate + 1;
  }
  EXPECT_TRUE(cliffs(curve).empty());
}

TEST(Cliffs, DoNotMixStates) {
  auto curve = measured({{16, 2.7}, {64, 2.7}, {128, 2.7}, {256, 2.7}, {512, 2.7}, {768, 3.6}, {1024, 3.6}});
  EXPECT_EQ(cliffs(curve).size(), 1u);
  for (const std::size_t i : {5u, 6u}) curve.estimates.points[i].state = EstimateState::contended;
  EXPECT_TRUE(cliffs(curve).empty());
  for (const std::size_t i : {5u, 6u}) {
    curve.estimates.points[i].state = EstimateState::clean;
    curve.estimates.points[i].policy = Policy::other;
  }
  EXPECT_TRUE(cliffs(curve).empty());
}

// An interval over two sessions is wide because Student's quantile is 12.7, not because the error is large.
TEST(Cliffs, KnowHowManySessionsAnIntervalIsOver) {
  auto curve = measured({{16, 2.7}, {64, 2.7}, {128, 2.7}, {256, 2.7}, {512, 2.7}, {768, 3.6}, {1024, 3.6}});
  const auto with = [&curve](int sessions, double half_width_ns) {
    for (PointEstimate& estimate : curve.estimates.points) {
      estimate.sessions = sessions;
      estimate.total.low = estimate.total.estimate - half_width_ns;
      estimate.total.high = estimate.total.estimate + half_width_ns;
    }
    return cliffs(curve).size();
  };
  EXPECT_EQ(with(1, 12.7 * 120), 0u); // over its ten visits that would be an error of 590 ns
  EXPECT_EQ(with(2, 12.7 * 120), 1u); // of 120 ns
  EXPECT_EQ(with(2, 12.7 * 590), 0u);
}

TEST(Cliffs, TheLevelsOfTranslationAreThoseOfThePagesObtained) {
  auto curve = measured({{16, 2.7}, {64, 2.7}, {128, 2.7}, {160, 3.9}, {224, 3.9}, {256, 3.9}, {320, 3.9}});
  curve.run.before.caches.clear();
  curve.run.before.translation = {{1, "data", 64, 4096}};
  for (Point& point : curve.run.points) point.pages = PageMode::transparent_huge;
  ASSERT_EQ(cliffs(curve).size(), 1u);
  EXPECT_EQ(cliffs(curve)[0].level, std::nullopt) << "huge pages would reach further";
  for (PointEstimate& estimate : curve.estimates.points) estimate.pages = PageMode::base_4k;
  EXPECT_EQ(cliffs(curve)[0].level, "L1 dTLB");
}

// The middle is known as well as the gap that holds it, however wide those beside it are.
TEST(Cliffs, AWideGapBesideTheRiseIsNoToleranceForItsLevel) {
  const auto curve = measured({{16, 2.7}, {32, 2.7}, {64, 2.7}, {160, 2.7}, {176, 3.9}, {512, 3.9}, {768, 3.9}});
  ASSERT_EQ(cliffs(curve).size(), 1u);
  EXPECT_EQ(cliffs(curve)[0].from_bytes, 160 * kib);
  EXPECT_EQ(cliffs(curve)[0].to_bytes, 176 * kib);
  EXPECT_EQ(cliffs(curve)[0].level, std::nullopt) << "L2 begins at 256 KiB";
}

TEST(Cliffs, NeedPointsWithIntervals) {
  auto curve = real_curve();
  for (PointEstimate& estimate : curve.estimates.points) estimate.total.has_interval = false;
  EXPECT_TRUE(only_curve(curve).cliffs.empty());
  EXPECT_NE(only_curve(curve).not_judged, "");
  EXPECT_FALSE(cliffs_of(curve.run, curve.estimates, PointsWithoutInterval::with_common_error).at(0).cliffs.empty());
  for (PointEstimate& estimate : curve.estimates.points) estimate = {};
  EXPECT_NE(only_curve(curve).not_judged, "");
}

TEST(Cliffs, AreNotLookedForByThePapersMethod) {
  auto curve = real_curve();
  for (Point& point : curve.run.points) point.method = Method::paper;
  EXPECT_TRUE(only_curve(curve).cliffs.empty());
  EXPECT_NE(only_curve(curve).not_judged.find("The paper's method"), std::string::npos);
}

// ---- levels ----

constexpr Placement on_cpu_0{Placement::Kind::same_cpu, 0, 0};
constexpr Placement on_cpu_1{Placement::Kind::same_cpu, 1, 1};

std::string names(const std::vector<CacheLevel>& levels) {
  std::string text;
  for (const CacheLevel& level : levels)
    text += (text.empty() ? "" : ", ") + level.name + " " + std::to_string(level.bytes / kib);
  return text;
}

Environment machine() {
  Environment machine;
  machine.caches = {{1, "data", 48 * kib, 64, {0}, "reported"},
                    {1, "data", 32 * kib, 64, {1}, "reported"},
                    {2, "unified", 512 * kib, 64, {0}, "reported"},
                    {2, "unified", 1024 * kib, 64, {1}, "reported"},
                    {3, "unified", 32768 * kib, 64, {0, 1}, "reported"}};
  machine.translation = {
      {1, "data", 64, 4096}, {1, "data", 32, 2048 * kib}, {2, "unified", 1536, 4096}, {2, "data", 16, 1048576 * kib}};
  return machine;
}

TEST(LevelsFor, AreThoseBothTasksShareAndThoseOfTheirPages) {
  EXPECT_EQ(names(levels_for(on_cpu_1, PageMode::base_4k, machine())),
            "L1d 32, L2 1024, L3 32768, L1 dTLB 256, L2 dTLB 6144");
  EXPECT_EQ(names(levels_for({Placement::Kind::two_cpus, 0, 1}, PageMode::base_4k, machine())), "L3 32768");
  EXPECT_EQ(names(levels_for(on_cpu_0, PageMode::hugetlb, machine())), "L1d 48, L2 512, L3 32768, L1 dTLB 65536");
  EXPECT_EQ(names(levels_for(on_cpu_0, PageMode::base_4k, Environment{})), "");
}

std::string level_at(double kibibytes, double tolerance_log2) {
  const auto levels = levels_for(on_cpu_1, PageMode::base_4k, machine());
  const auto level = level_near(levels, std::log2(kibibytes * kib), tolerance_log2);
  return level ? level->name : "none";
}

TEST(LevelNear, LiesBetweenHalfAndAllOfItWithinAGridStep) {
  EXPECT_EQ(level_at(512, 0), "L2");
  EXPECT_EQ(level_at(1000, 0), "L2");
  EXPECT_EQ(level_at(450, 0), "none");
  EXPECT_EQ(level_at(450, 0.25), "L2");
  EXPECT_EQ(level_at(1300, 0.25), "none");
  EXPECT_EQ(level_at(4000, 0), "L2 dTLB");
  EXPECT_EQ(level_at(180, 0), "L1 dTLB");
  EXPECT_EQ(level_at(20000, 0.1), "L3");
  EXPECT_EQ(level_at(4, 0.3), "none");
}

TEST(LevelNear, IsTheCacheWhereATranslationCacheIsNearToo) {
  EXPECT_EQ(level_at(390, 0.6), "L2"); // L1 dTLB: 128 .. 256 KiB, as near
}

std::string reasons(const Environment& machine, double kibibytes) {
  const auto levels = levels_for(on_cpu_1, PageMode::base_4k, machine);
  std::string text;
  for (const auto& reason : reasons_without_level(PageMode::base_4k, machine, levels, std::log2(kibibytes * kib)))
    text += reason + "\n";
  return text;
}

TEST(ReasonsWithoutLevel, FollowFromWhatIsKnown) {
  EXPECT_NE(reasons(machine(), 12000).find("neighbour"), std::string::npos);
  EXPECT_NE(reasons(machine(), 12000).find("Page placement"), std::string::npos);
  EXPECT_EQ(reasons(machine(), 12000).find("Translation"), std::string::npos); // known, and not there
  Environment guest = machine();
  guest.caches.pop_back();
  guest.translation.clear();
  guest.hypervisor = "KVM";
  EXPECT_NE(reasons(guest, 12000).find("a guest often does not see the shared L3"), std::string::npos);
  EXPECT_NE(reasons(guest, 12000).find("of about 16 MiB"), std::string::npos);
  EXPECT_NE(reasons(guest, 12000).find("Translation reach"), std::string::npos);
}

} // namespace
