// Visits whose truth is known: what a machine would have measured, with the disturbances of real ones.
#pragma once

#include "engine/analysis/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace switchscope::synthetic {

inline constexpr double clean_adds_per_cycle = 3.35;
inline constexpr double contended_adds_per_cycle = 1.9;
inline constexpr double clean_self_pipe_ns = 900;

struct Machine {
  double baseline_per_trip_ns = 2300; // S2 at rest
  double cost_ns = 2700;              // the truth: C2 (or C1) at rest
  double block_noise_ratio = 0.01;    // spread of one block's time
  double visit_noise_ns = 40;         // page placement: a visit's own share of the cost, the same in all its pairs
  bool skewed_visits = false;         // few visits with a bad placement, many with a good one (mean as before)
  bool heavy_tails = false;           // blocks and visits by Student t with 2 and 3 degrees of freedom, and spikes
  double drift_ns = 0;                // what S1 and S2 alike gain per operation from first to last visit
  double contended_share = 0;         // of the time
  double contention_factor = 1.3;     // by which contention prolongs S1, S2 and so their difference
  int pairs_per_visit = 6;
};

inline Point data_point() {
  Point point;
  point.array_bytes = 384 * 1024;
  point.stride_bytes = 128;
  point.placement = {Placement::Kind::same_cpu, 1, 1};
  return point;
}

// A run of one point with data and its direct cost: point 0 is D = 0, point 1 has data.
inline Run run_of(std::uint64_t seed = 1) {
  Run run;
  run.points = {direct_point_of(data_point()), data_point()};
  run.plan.seed = seed;
  run.before.rt_period_us = 1'000'000;
  run.before.rt_runtime_us = 950'000;
  return run;
}

// A block without probes and counts.
inline Block bare_block(int pair, Phase phase, std::int64_t trips, double elapsed_ns) {
  Block block;
  block.pair = pair;
  block.phase = phase;
  block.trips = trips;
  block.elapsed_ns = elapsed_ns;
  return block;
}

class Generator {
public:
  Generator(const Machine& machine, std::uint64_t seed) : machine_(machine), random_(seed) {
    contended_ = uniform() < machine_.contended_share;
  }

  // `progress` runs from 0 at the run's first visit to 1 at its last.
  VisitData visit(double progress) {
    VisitData data;
    data.report.policy = Policy::fifo;
    data.report.checksum_ok = true;
    const double drift_ns = machine_.drift_ns * progress;
    const double cost_ns = machine_.cost_ns + visit_effect_ns();
    for (int pair = 0; pair < machine_.pairs_per_visit; ++pair) {
      std::array order{Phase::baseline_a, Phase::switching, Phase::baseline_b};
      if (pair % 2 == 1) std::swap(order.front(), order.back());
      for (const Phase phase : order) data.blocks.push_back(block(pair, phase, cost_ns, drift_ns, data.report));
    }
    return data;
  }

  std::vector<Visit> visits(int count, const Point& point, int point_index) {
    std::vector<Visit> made;
    for (int i = 0; i < count; ++i) {
      Visit visit_made;
      visit_made.sequence = 2 * i + point_index; // direct cost and data take turns
      visit_made.point_index = point_index;
      visit_made.request.point = point;
      visit_made.outcome = visit(count > 1 ? static_cast<double>(i) / (count - 1) : 0);
      made.push_back(std::move(visit_made));
    }
    return made;
  }

private:
  double uniform() { return std::uniform_real_distribution<>(0, 1)(random_); }
  double normal() { return std::normal_distribution<>()(random_); }
  double student(double degrees) { return std::student_t_distribution<>(degrees)(random_); }

  double visit_effect_ns() {
    if (machine_.skewed_visits) return machine_.visit_noise_ns * (std::gamma_distribution<>(4, 0.5)(random_) - 2);
    if (machine_.heavy_tails) return machine_.visit_noise_ns * student(3);
    return machine_.visit_noise_ns * normal();
  }

  Probe probe() {
    Probe taken;
    taken.clock_adds_per_ns = 3.2 * (1 + 0.0005 * normal());
    taken.adds_per_cycle = contended_ ? contended_adds_per_cycle + 0.4 * (uniform() - 0.5)
                                      : clean_adds_per_cycle * (1 - 0.01 * std::abs(normal()));
    taken.self_pipe_ns = clean_self_pipe_ns * (contended_ ? machine_.contention_factor : 1) * (1 + 0.02 * normal());
    return taken;
  }

  // Contention comes and goes with a chance of a tenth per block; in that block it lasts for part of the time.
  double contention_over_block() {
    const bool before = contended_;
    const double flip = 0.1 * (contended_ ? 1 - machine_.contended_share : machine_.contended_share);
    if (uniform() < flip) contended_ = !contended_;
    const double factor_before = before ? machine_.contention_factor : 1;
    const double factor_after = contended_ ? machine_.contention_factor : 1;
    const double part = uniform();
    return part * factor_before + (1 - part) * factor_after;
  }

  Block block(int pair, Phase phase, double cost_ns, double drift_ns, VisitReport& report) {
    Block made;
    made.pair = pair;
    made.phase = phase;
    const bool is_switching = phase == Phase::switching;
    double noise = machine_.block_noise_ratio * (machine_.heavy_tails ? student(2) : normal());
    if (machine_.heavy_tails && uniform() < 0.02) noise += 0.1 - 0.1 * std::log(1 - uniform());
    made.before = probe();
    const double factor = contention_over_block();
    made.after = probe();
    const double at_rest_ns = machine_.baseline_per_trip_ns + drift_ns + (is_switching ? cost_ns : 0);
    made.trips = is_switching ? 400 : 1600;
    made.elapsed_ns =
        static_cast<double>(made.trips) * (is_switching ? 2 : 1) * at_rest_ns * factor * (1 + std::max(noise, -0.5));
    TaskCounts counts;
    if (is_switching) {
      made.expected_switches = made.trips + 4;
      counts.voluntary_switches = made.expected_switches;
      report.expected_switches += made.expected_switches;
      report.observed_switches_a += made.expected_switches;
      report.observed_switches_b += made.expected_switches;
      made.task_a = made.task_b = counts;
    } else {
      (phase == Phase::baseline_a ? made.task_a : made.task_b) = counts;
    }
    report.measured_ns += static_cast<std::int64_t>(made.elapsed_ns);
    return made;
  }

  Machine machine_;
  std::mt19937_64 random_;
  bool contended_ = false;
};

// Direct cost and one point with data, `count` visits each, in the order of `run_of`.
inline std::vector<Visit> visits_of(const Machine& direct, const Machine& data, int count, std::uint64_t seed) {
  const Run run = run_of();
  auto visits = Generator(direct, 2 * seed).visits(count, run.points[0], 0);
  auto more = Generator(data, 2 * seed + 1).visits(count, run.points[1], 1);
  visits.insert(visits.end(), more.begin(), more.end());
  return visits;
}

} // namespace switchscope::synthetic
