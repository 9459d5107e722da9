// The 95 % interval must hold the truth in 92 to 98 % of 1,000 series: seeds 1 to 1,000, not chosen.
#include "engine/analysis/intervals.h"
#include "tests/analysis/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace switchscope {
namespace {

using synthetic::Machine;

constexpr int series = 1000;

struct Case {
  std::string name;
  Machine machine;
  // What a long run would end at: the truth, except where visits are skewed, for their trimmed mean is not their mean.
  double target_ns = 2700;
};

Case plain() {
  return {"plain", {}, 2700};
}
Case drift() {
  Machine machine;
  machine.drift_ns = 700; // S2 30 % up over the run
  return {"drift", machine, 2700};
}
Case two_levels() {
  Machine machine;
  machine.contended_share = 0.35;
  return {"two_levels", machine, 2700};
}
Case heavy_tails() {
  Machine machine;
  machine.heavy_tails = true;
  return {"heavy_tails", machine, 2700};
}
Case page_placement() {
  Machine machine;
  machine.visit_noise_ns = 400; // 15 % of the cost, far more than blocks differ within a visit
  return {"page_placement", machine, 2700};
}
Case skewed_placement(int visits) {
  Machine machine;
  machine.visit_noise_ns = 400;
  machine.skewed_visits = true;
  // Simulated apart from what is tested: the mean over many runs of the trimmed mean of as many visits.
  std::mt19937_64 random(0);
  double sum = 0;
  constexpr int runs = 20'000;
  for (int i = 0; i < runs; ++i) {
    std::vector<double> effects;
    for (int v = 0; v < visits; ++v)
      effects.push_back(machine.visit_noise_ns * (std::gamma_distribution<>(4, 0.5)(random) - 2));
    std::sort(effects.begin(), effects.end());
    const int trimmed = visits / 5;
    for (int v = trimmed; v < visits - trimmed; ++v)
      sum += effects[static_cast<std::size_t>(v)] / (visits - 2 * trimmed) / runs;
  }
  return {"skewed_placement", machine, 2700 + sum};
}

struct Coverage {
  double total_percent = 0;
  double indirect_percent = 0;
  int other_states = 0; // neither clean nor corrected
};

Coverage coverage_of(const Case& tried, int visits) {
  Machine data = tried.machine;
  data.pairs_per_visit = 5;
  Machine direct = data;
  direct.cost_ns = 1800;
  direct.visit_noise_ns = 20; // no data, no placement
  direct.skewed_visits = false;
  int total = 0;
  int indirect = 0;
  int with_indirect = 0;
  Coverage coverage;
  for (std::uint64_t seed = 1; seed <= series; ++seed) {
    const auto estimates = estimate_run(synthetic::run_of(seed), synthetic::visits_of(direct, data, visits, seed));
    const PointEstimate& point = estimates.points[1];
    if (point.state != EstimateState::clean && point.state != EstimateState::corrected) ++coverage.other_states;
    if (point.total.low <= tried.target_ns && tried.target_ns <= point.total.high) ++total;
    if (!point.indirect) continue; // states differ
    ++with_indirect;
    if (point.indirect->low <= tried.target_ns - 1800 && tried.target_ns - 1800 <= point.indirect->high) ++indirect;
  }
  coverage.total_percent = 100.0 * total / series;
  coverage.indirect_percent = 100.0 * indirect / with_indirect;
  return coverage;
}

class Covers : public testing::TestWithParam<int> {};

void expect_covered(const Case& tried, int visits) {
  const Coverage coverage = coverage_of(tried, visits);
  std::printf("%s, %d visits: total %.1f %%, indirect %.1f %%\n", tried.name.c_str(), visits, coverage.total_percent,
              coverage.indirect_percent);
  EXPECT_GE(coverage.total_percent, 92.0);
  EXPECT_LE(coverage.total_percent, 98.0);
  EXPECT_GE(coverage.indirect_percent, 92.0);
  EXPECT_LE(coverage.indirect_percent, 98.0);
  EXPECT_EQ(coverage.other_states, 0);
}

TEST_P(Covers, Plain) {
  expect_covered(plain(), GetParam());
}
TEST_P(Covers, Drift) {
  expect_covered(drift(), GetParam());
}
TEST_P(Covers, TwoLevels) {
  expect_covered(two_levels(), GetParam());
}
TEST_P(Covers, HeavyTails) {
  expect_covered(heavy_tails(), GetParam());
}
TEST_P(Covers, PagePlacement) {
  expect_covered(page_placement(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Visits, Covers, testing::Values(5, 8, 19, 20, 40));

TEST(CoversSkewedPagePlacement, EightVisits) {
  expect_covered(skewed_placement(8), 8);
}
TEST(CoversSkewedPagePlacement, TwentyVisits) {
  expect_covered(skewed_placement(20), 20);
}

} // namespace
} // namespace switchscope
