// The interval at the moment when the stopping rule ends a run must still hold the truth: 1,000 series a case, seeds 1
// to 1,000, looked at after every visit, which is more often than a run looks.
#include "tests/analysis/synthetic.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace switchscope {
namespace {

using synthetic::Machine;

constexpr int series = 1000;
constexpr int most_visits = 60;

struct Case {
  std::string name;
  Machine machine;
  double precision_ratio = 0.02; // so that runs end after very different numbers of visits
};

struct Stopped {
  double covered_percent = 0;
  double mean_visits = 0;
};

Stopped stopped_by_the_rule(const Case& tried) {
  int covered = 0;
  long visits_made = 0;
  for (std::uint64_t seed = 1; seed <= series; ++seed) {
    Run run = synthetic::run_of(seed);
    run.points = {run.points[1]};
    const auto all = synthetic::Generator(tried.machine, seed).visits(most_visits, run.points[0], 0);
    int first_precise_at = 0;
    for (int count = 8; count <= most_visits; ++count) {
      const auto point = estimate_run(run, {all.begin(), all.begin() + count}).points[0];
      const bool precise = is_precise(point, run.points[0], tried.precision_ratio);
      if (precise && first_precise_at == 0) first_precise_at = count;
      if (count < most_visits && !(precise && 2 * count >= 3 * first_precise_at)) continue;
      if (point.total.low <= tried.machine.cost_ns && tried.machine.cost_ns <= point.total.high) ++covered;
      visits_made += count;
      break;
    }
  }
  return {100.0 * covered / series, static_cast<double>(visits_made) / series};
}

void expect_covered(const Case& tried) {
  const Stopped stopped = stopped_by_the_rule(tried);
  std::printf("%s, stopped by the rule after %.1f visits: total %.1f %%\n", tried.name.c_str(), stopped.mean_visits,
              stopped.covered_percent);
  EXPECT_GE(stopped.covered_percent, 92.0);
  EXPECT_LE(stopped.covered_percent, 98.0);
}

Machine noisy(double visit_noise_ns) {
  Machine machine;
  machine.pairs_per_visit = 5;
  machine.visit_noise_ns = visit_noise_ns;
  return machine;
}

TEST(CoversWhereTheRuleStops, Plain) {
  expect_covered({"plain", noisy(150), 0.04});
}
TEST(CoversWhereTheRuleStops, Drift) {
  Machine machine = noisy(150);
  machine.drift_ns = 700;
  expect_covered({"drift", machine, 0.04});
}
TEST(CoversWhereTheRuleStops, TwoLevels) {
  Machine machine = noisy(150);
  machine.contended_share = 0.35;
  expect_covered({"two_levels", machine, 0.04});
}
TEST(CoversWhereTheRuleStops, HeavyTails) {
  Machine machine = noisy(80);
  machine.heavy_tails = true;
  expect_covered({"heavy_tails", machine, 0.04});
}
TEST(CoversWhereTheRuleStops, PagePlacement) {
  expect_covered({"page_placement", noisy(400), 0.06});
}

} // namespace
} // namespace switchscope
