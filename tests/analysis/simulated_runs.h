// Runs of simulated machines, in process: visits as the runner would make them, a pass at a time.
#pragma once

#include "engine/analysis/intervals.h"
#include "engine/analysis/points_to_add.h"
#include "tests/analysis/simulated_machine.h"

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace switchscope::simulated {

inline Run run_over(const Machine& machine, std::vector<std::int64_t> sizes, std::uint64_t seed) {
  Run run;
  run.plan.seed = seed;
  run.plan.sizes_bytes = std::move(sizes);
  run.plan.strides_bytes = {128};
  run.plan.placements = {{Placement::Kind::same_cpu, 1, 1}};
  run.points = expand(run.plan).points;
  run.before.caches = {{2, "unified", machine.cache_bytes, 64, {1}, "reported"}};
  return run;
}

class Visits {
public:
  Visits(const Machine& machine, std::uint64_t seed) : machine_(machine), simulation_(machine), random_(seed) {}

  void one_pass(const Run& run) {
    totals_.resize(run.points.size());
    for (std::size_t i = 0; i < run.points.size(); ++i) visit(run, i);
  }
  void visit_new(const Run& run) {
    totals_.resize(run.points.size());
    for (std::size_t i = 0; i < run.points.size(); ++i)
      if (totals_[i].empty()) visit(run, i);
  }
  [[nodiscard]] RunEstimates estimates(const Run& run) const {
    RunEstimates estimates;
    for (std::size_t i = 0; i < run.points.size(); ++i) {
      PointEstimate estimate;
      estimate.point_index = static_cast<int>(i);
      estimate.state = EstimateState::clean;
      estimate.policy = Policy::fifo;
      estimate.visits = static_cast<int>(totals_[i].size());
      estimate.total = interval_of(totals_[i], static_cast<std::uint32_t>(i + 1));
      estimates.points.push_back(estimate);
    }
    return estimates;
  }

private:
  void visit(const Run& run, std::size_t point) {
    const Costs costs = simulation_.costs(run.points[point].array_bytes, random_());
    std::normal_distribution<> noise(0, machine_.noise_ratio * costs.switching_ns);
    totals_[point].push_back(costs.total_ns() + noise(random_));
  }

  Machine machine_;
  Simulation simulation_;
  std::mt19937_64 random_;
  std::vector<std::vector<double>> totals_; // by point, a value for each visit
};

} // namespace switchscope::simulated
