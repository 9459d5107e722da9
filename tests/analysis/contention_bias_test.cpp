// What contention does to the estimate, over many synthetic runs of the same truth.
#include "engine/analysis/intervals.h"
#include "tests/analysis/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace switchscope {
namespace {

using synthetic::Machine;

constexpr int series = 1000;
constexpr double truth_ns = 2700;

struct Estimates {
  std::vector<double> used_ns;
  std::vector<double> raw_ns; // of corrected runs, before the correction
  std::vector<double> all_ns;
  int covered = 0;
  int clean = 0;
  int corrected = 0;
  [[nodiscard]] double bias_of(const std::vector<double>& values) const {
    double sum = 0;
    for (const double value : values) sum += value - truth_ns;
    return sum / static_cast<double>(values.size());
  }
  [[nodiscard]] double covered_percent() const { return 100.0 * covered / series; }
};

double spread_of(const std::vector<double>& values) {
  const double middle = median_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

Estimates estimates_of(const Machine& machine, const Thresholds& thresholds, int visits) {
  Estimates estimates;
  for (std::uint64_t seed = 1; seed <= series; ++seed) {
    Run run = synthetic::run_of(seed);
    run.points.erase(run.points.begin());
    run.thresholds = thresholds;
    const PointEstimate point =
        estimate_run(run, synthetic::Generator(machine, seed).visits(visits, run.points[0], 0)).points[0];
    estimates.used_ns.push_back(point.total.estimate);
    estimates.all_ns.push_back(point.total_all_blocks.estimate);
    if (point.total_raw) estimates.raw_ns.push_back(point.total_raw->estimate);
    estimates.clean += point.state == EstimateState::clean;
    estimates.corrected += point.state == EstimateState::corrected;
    estimates.covered += point.total.low <= truth_ns && truth_ns <= point.total.high;
  }
  return estimates;
}

Machine shared(double share) {
  Machine machine;
  machine.contended_share = share;
  return machine;
}

// What must hold of the estimates of contended runs: no bias to speak of, and intervals that hold the truth.
bool are_sound(const Estimates& estimates) {
  return std::abs(estimates.bias_of(estimates.used_ns)) < 0.005 * truth_ns && estimates.covered_percent() >= 92 &&
         estimates.covered_percent() <= 98;
}

TEST(Contention, BendsAllBlocksButNotTheOnesUsed) {
  const Estimates estimates = estimates_of(shared(0.4), Thresholds{}, 12);
  std::printf("bias of used %.1f ns, of all blocks %.1f ns; %.1f %% hold the truth\n",
              estimates.bias_of(estimates.used_ns), estimates.bias_of(estimates.all_ns), estimates.covered_percent());
  EXPECT_TRUE(are_sound(estimates));
  EXPECT_GT(estimates.clean, series * 3 / 4); // the others had too few clean visits and were corrected
  EXPECT_EQ(estimates.clean + estimates.corrected, series);
  EXPECT_GT(estimates.bias_of(estimates.all_ns), 0.05 * truth_ns);
}

// With a threshold moved so far down that contended blocks pass for clean, the same check must fail.
TEST(Contention, AThresholdTooLowIsNoticed) {
  Thresholds moved;
  moved.contention_gap_ratio = 10; // accepts no gap of the run
  moved.stored_levels["1"] = {1.0, 0};
  const Estimates estimates = estimates_of(shared(0.4), moved, 12);
  EXPECT_EQ(estimates.clean, series); // so it says
  EXPECT_FALSE(are_sound(estimates));
  EXPECT_GT(estimates.bias_of(estimates.used_ns), 0.05 * truth_ns);
}

TEST(ControlVariate, TakesAwayBiasAndMoreThanHalfOfTheSpread) {
  Thresholds thresholds; // known from an earlier run, for most of these have too few clean probes
  thresholds.stored_levels["1"] = {2.8, synthetic::clean_self_pipe_ns};
  const Estimates estimates = estimates_of(shared(0.85), thresholds, 8);
  std::printf("%d of %d corrected; spread %.1f ns, before the correction %.1f ns; bias %.1f and %.1f ns\n",
              estimates.corrected, series, spread_of(estimates.used_ns), spread_of(estimates.raw_ns),
              estimates.bias_of(estimates.used_ns), estimates.bias_of(estimates.raw_ns));
  EXPECT_GT(estimates.corrected, series * 3 / 4);
  EXPECT_LT(spread_of(estimates.used_ns), 0.5 * spread_of(estimates.raw_ns));
  EXPECT_LT(std::abs(estimates.bias_of(estimates.used_ns)), 0.01 * truth_ns);
  EXPECT_GT(estimates.bias_of(estimates.raw_ns), 0.15 * truth_ns);
}

TEST(Estimates, OfACostOfNothingScatterOnBothSidesOfZero) {
  Machine free_of_charge;
  free_of_charge.cost_ns = 0;
  const Estimates estimates = estimates_of(free_of_charge, Thresholds{}, 8);
  // Nothing clamps them at zero.
  const auto negative =
      std::count_if(estimates.used_ns.begin(), estimates.used_ns.end(), [](double c) { return c < 0; });
  EXPECT_GT(negative, series * 2 / 5);
  EXPECT_LT(negative, series * 3 / 5);
}

} // namespace
} // namespace switchscope
