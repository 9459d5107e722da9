// Selftests of an instrument whose truth is known.
#pragma once

#include "engine/run/seeds.h"
#include "engine/session/selftest.h"

#include <algorithm>
#include <cmath>

namespace switchscope {

struct SyntheticMachine {
  double gain = 1;                // read per ns added
  double baseline_bias_ns = 0;    // of S2 against S2
  double noise_ns = 12;           // between visits
  double contended_share = 0;     // of the visits
  std::int64_t lost_switches = 0; // of task B, in each visit
  std::uint64_t seed = 1;
};

// From -3 to 3, mean 0, variance 1: the sum of 12 even numbers.
inline double nearly_normal(Randomness& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(random.below(1'000'000)) / 1e6;
  return sum;
}

inline VisitData synthetic_visit(const VisitRequest& request, const SyntheticMachine& machine) {
  constexpr int pairs = 8;
  constexpr std::int64_t trips = 1000;
  constexpr double switch_ns = 1350;
  Randomness random(mixed(machine.seed, request.seed));
  const bool contended = static_cast<double>(random.below(1000)) < 1000 * machine.contended_share;
  const double self_trip_ns = 470 + 5 * nearly_normal(random);
  // A spin ends late by more readings of the clock than one of 0 ns.
  const double spun_ns = static_cast<double>(request.added_ns) + (request.added_ns > 0 ? 54.5 : 36.5);
  double cost_ns = machine.noise_ns * nearly_normal(random);
  switch (request.kind) {
  case VisitKind::baseline_only:
    cost_ns = cost_ns / 10 + machine.baseline_bias_ns;
    break;
  case VisitKind::known_addition:
    cost_ns += switch_ns + machine.gain * spun_ns;
    break;
  case VisitKind::cost:
    cost_ns += switch_ns;
    break;
  }

  VisitData visit;
  visit.report.policy = Policy::fifo;
  visit.report.priority = 50;
  visit.report.fifo_ns = request.duration_ns;
  if (request.kind == VisitKind::known_addition) visit.report.spun_ns = spun_ns;
  for (int pair = 0; pair < pairs; ++pair) {
    for (const Phase phase : {Phase::baseline_a, Phase::switching, Phase::baseline_b}) {
      Block block;
      block.pair = pair;
      block.phase = phase;
      block.trips = trips;
      const double slower = contended ? 1.4 : 1;
      block.elapsed_ns = slower * static_cast<double>(trips) *
                         (phase == Phase::switching ? 2 * (self_trip_ns + cost_ns) : self_trip_ns);
      block.before = block.after = {3.2, contended ? 2.0 : 3.7, slower * 500};
      const bool switches = phase == Phase::switching && request.kind != VisitKind::baseline_only;
      if (switches) block.expected_switches = trips + 4;
      if (phase != Phase::baseline_b) block.task_a = TaskCounts{.voluntary_switches = block.expected_switches};
      if (phase != Phase::baseline_a) block.task_b = TaskCounts{.voluntary_switches = block.expected_switches};
      visit.report.expected_switches += block.expected_switches;
      visit.report.measured_ns += static_cast<std::int64_t>(block.elapsed_ns);
      visit.blocks.push_back(block);
    }
  }
  visit.report.observed_switches_a = visit.report.expected_switches;
  visit.report.observed_switches_b = std::max<std::int64_t>(0, visit.report.expected_switches - machine.lost_switches);
  return visit;
}

inline SelftestSetup synthetic_setup(std::uint64_t seed = 1) {
  SelftestSetup setup;
  setup.worker_build = "b1";
  setup.cpu = 1;
  setup.seed = seed;
  return setup;
}

inline SelftestMeasured synthetic_selftest(const SyntheticMachine& machine, int rounds = 20) {
  SelftestMeasured measured;
  measured.taken_at = "2026-11-30T19:22:00.123Z";
  const SelftestSetup setup = synthetic_setup(machine.seed);
  for (int round = 0; round < rounds; ++round)
    for (const VisitRequest& request : selftest_round(setup, round))
      measured.visits.push_back({round, request, synthetic_visit(request, machine)});
  return measured;
}

inline InstrumentCheck judged(const SyntheticMachine& machine, int rounds = 20) {
  return judge_selftest(synthetic_setup(machine.seed), synthetic_selftest(machine, rounds));
}

} // namespace switchscope
