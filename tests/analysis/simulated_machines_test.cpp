// The finder and the adaptive sweep against machines whose truth is known, and against curves without a cliff.
#include "engine/analysis/cliffs.h"
#include "engine/model/quantity.h"
#include "tests/analysis/simulated_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>

using namespace switchscope;
using namespace switchscope::simulated;

namespace {

constexpr int machines = 100;
constexpr int passes = 14;

Run swept(const Machine& machine, std::uint64_t seed, Visits& visits) {
  Run run = run_over(machine, bytes_between(machine.cache_bytes / 32, 4 * machine.cache_bytes, 3), seed);
  run.plan.max_added_points = 12;
  visits.one_pass(run);
  for (int pass = 1; pass < passes; ++pass) {
    if (pass <= passes / 2) {
      const auto added = points_to_add(run, visits.estimates(run));
      run.points.insert(run.points.end(), added.begin(), added.end());
      visits.visit_new(run);
    }
    visits.one_pass(run);
  }
  return run;
}

// Where the cost without noise passes 10 % and 90 % of its rise from the direct cost to its peak, on a fine grid.
struct Truth {
  double from_bytes = 0;
  double to_bytes = 0;
};

Truth truth_of(const Machine& machine) {
  Simulation simulation(machine);
  const auto grid = bytes_between(machine.cache_bytes / 32, 4 * machine.cache_bytes, 32);
  std::vector<double> costs;
  for (const auto bytes : grid) costs.push_back(simulation.mean_total_ns(bytes));
  const double peak = *std::max_element(costs.begin(), costs.end());
  const auto passes_at = [&](double share) {
    const double level = machine.direct_ns + share * (peak - machine.direct_ns);
    const auto above = std::find_if(costs.begin(), costs.end(), [level](double cost) { return cost >= level; });
    return static_cast<double>(grid[static_cast<std::size_t>(above - costs.begin())]);
  };
  return {passes_at(0.1), passes_at(0.9)};
}

struct Score {
  int from = 0; // within one grid step of the sweep as it ended
  int to = 0;
  int level = 0;
  int several = 0;
};

Score score_of(std::uint64_t number) {
  const Machine machine = machine_of(number);
  Visits visits(machine, number);
  const Run run = swept(machine, number, visits);
  const CurveCliffs found = cliffs_of(run, visits.estimates(run)).at(0);
  if (found.cliffs.empty()) return {};
  const Cliff& cliff = *std::max_element(found.cliffs.begin(), found.cliffs.end(),
                                         [](const Cliff& a, const Cliff& b) { return a.step_ns < b.step_ns; });
  std::vector<double> sizes;
  for (const int index : found.curve.point_indices)
    sizes.push_back(static_cast<double>(run.points[static_cast<std::size_t>(index)].array_bytes));
  const auto index_of = [&sizes](double bytes) {
    return std::lower_bound(sizes.begin(), sizes.end(), bytes) - sizes.begin();
  };
  const Truth truth = truth_of(machine);
  const auto from = index_of(truth.from_bytes) - 1; // the last size below the edge
  const auto to = index_of(truth.to_bytes);
  return {std::abs(index_of(static_cast<double>(cliff.from_bytes)) - from) <= 1,
          std::abs(index_of(static_cast<double>(cliff.to_bytes)) - to) <= 1, cliff.level == "L2",
          found.cliffs.size() > 1};
}

TEST(SimulatedMachines, ShowTheirEdgesWithinOneGridStep) {
  Score sum;
  for (std::uint64_t number = 1; number <= machines; ++number) {
    const Score score = score_of(number);
    sum.from += score.from;
    sum.to += score.to;
    sum.level += score.level;
    sum.several += score.several;
  }
  RecordProperty("from_within_one_step", sum.from);
  RecordProperty("to_within_one_step", sum.to);
  RecordProperty("matched_to_the_cache", sum.level);
  EXPECT_GE(sum.from, 90);
  EXPECT_GE(sum.to, 90);
  EXPECT_GE(sum.level, 90);
  EXPECT_LE(sum.several, 5);
}

// Every size at the same cost; some are noisier than others, some tails are heavy.
int cliffs_on_flat_curves(int curves, std::uint64_t seed) {
  constexpr std::array per_octave{1, 3, 6, 12};
  constexpr std::array visits_each{4, 6, 10, 24};
  std::mt19937_64 random(seed);
  std::normal_distribution<> normal;
  std::student_t_distribution<> heavy(3);
  int seen = 0;
  for (int curve = 0; curve < curves; ++curve) {
    const auto choice = static_cast<std::size_t>(curve);
    const int visits = visits_each[choice / 4 % 4];
    const Run run = run_over(Machine{}, bytes_between(16384, 2 << 20, per_octave[choice % 4]), choice + 1);
    RunEstimates estimates;
    for (std::size_t i = 0; i < run.points.size(); ++i) {
      const double noise_ns = 100 * std::exp(0.7 * normal(random));
      std::vector<double> values;
      for (int visit = 0; visit < visits; ++visit)
        values.push_back(2700 + noise_ns * (choice % 2 == 0 ? normal(random) : heavy(random)));
      PointEstimate estimate;
      estimate.state = EstimateState::clean;
      estimate.visits = visits;
      estimate.total = interval_of(values, static_cast<std::uint32_t>(i + 1));
      estimates.points.push_back(estimate);
    }
    seen += cliffs_of(run, estimates).at(0).cliffs.empty() ? 0 : 1;
  }
  return seen;
}

TEST(FlatCurves, ShowNoCliff) {
  EXPECT_LE(cliffs_on_flat_curves(100, 1), 5);
}

TEST(FlatCurves, KeepTheNominalRateOverManyOfThem) {
  EXPECT_LE(cliffs_on_flat_curves(1000, 2), 20); // 1 % nominal
}

} // namespace
