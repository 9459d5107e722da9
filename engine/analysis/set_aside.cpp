#include "engine/analysis/set_aside.h"

#include "engine/analysis/intervals.h"
#include "engine/analysis/reading.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>

namespace switchscope {
namespace {

constexpr std::size_t phase_count = 3;

// Large arrays need blocks of 100 ms and more, whose natural spread exceeds the 10 ms that betray a stall in a short
// one; setting their slow side aside would bend the estimate. There a stall must also be a fifth of the block.
// Throttling (50 ms by default) is: real-time pairs end at 400 ms, so their longest block, S1, stays within 200 ms.
constexpr double least_stall_share = 0.2;

bool is_usable(const Block& block) {
  return block.trips > 0 && is_read(block.elapsed_ns);
}
std::size_t index_of(Phase phase) {
  return static_cast<std::size_t>(phase);
}
bool is_real_time(Policy policy) {
  return policy == Policy::fifo || policy == Policy::round_robin;
}

using PhaseMedians = std::array<double, phase_count>; // ns per trip

PhaseMedians medians_of(const std::vector<Block>& blocks) {
  std::array<std::vector<double>, phase_count> per_trip;
  for (const Block& block : blocks)
    if (is_usable(block))
      per_trip[index_of(block.phase)].push_back(block.elapsed_ns / static_cast<double>(block.trips));
  PhaseMedians medians{};
  for (std::size_t phase = 0; phase < phase_count; ++phase) medians[phase] = median_of(per_trip[phase]);
  return medians;
}

// The step of the clock that timed the probes, ns; 0 where it is too fine to matter. The kernel's own clock moves no
// finer than what it reads: the HPET, of at least 10 MHz (its specification 1.0a), the ACPI timer of 3.579545 MHz,
// Hyper-V's reference in units of 100 ns.
double clock_step_ns(const VisitReport& report, const Environment& environment) {
  if (report.clock_source != "monotonic_raw") return is_read(report.clock_ghz) ? 1 / report.clock_ghz : 0;
  if (environment.clock_source == "hpet" || environment.clock_source.starts_with("hyperv_clocksource")) return 100;
  return environment.clock_source == "acpi_pm" ? 1e3 / 3.579545 : 0;
}

// A clock that is the same all through a pair cancels in its difference, whatever it is; one that moves inside it does
// not. Two readings of the same clock may be one step of the timing clock apart: 52 ns of 5 us at 19.2 MHz.
bool clock_moved(std::initializer_list<const Block*> pair, double tolerance_ratio, double step_ns) {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = 0;
  for (const Block* block : pair)
    for (const Probe* probe : {&block->before, &block->after}) {
      if (!is_read(probe->clock_adds_per_ns)) continue;
      lowest = std::min(lowest, probe->clock_adds_per_ns);
      highest = std::max(highest, probe->clock_adds_per_ns);
    }
  const double step_ratio = step_ns * highest / probe_clock_adds;
  return highest > lowest * (1 + tolerance_ratio + step_ratio);
}

// /proc/stat tells steal for the visit as a whole, in steps of a tick, so it cannot be pinned on a block: all pairs of
// the visit go, once the CPU was away for a larger share of the measured time than its clock may move. Negative
// readings (counters that run backwards) tell nothing.
bool is_stolen(const VisitData& data, const Thresholds& thresholds) {
  double measured_ns = 0;
  for (const Block& block : data.blocks) measured_ns += block.elapsed_ns;
  return static_cast<double>(data.report.steal_ns) > thresholds.clock_tolerance_ratio * measured_ns &&
         data.report.steal_ns > 0;
}

Causes causes_of(const Block& block, const VisitData& data, const PhaseMedians& medians, const Placement& placement,
                 const Thresholds& thresholds, const Environment& environment) {
  Causes causes;
  for (const auto* counts : {&block.task_a, &block.task_b}) {
    if (!counts->has_value()) continue;
    if ((*counts)->minor_faults > 0 || (*counts)->major_faults > 0) causes |= only(SetAside::faulted);
    if ((*counts)->migrations > 0 && placement.kind != Placement::Kind::free) causes |= only(SetAside::migrated);
    // Under any policy: alone on its pipe a task only leaves the CPU involuntarily when something else takes it. In S1
    // the count means nothing, for under SCHED_OTHER the wake-up itself preempts the writer.
    if ((*counts)->involuntary_switches > 0 && block.phase != Phase::switching) causes |= only(SetAside::involuntary);
  }
  const double expected_ns = medians[index_of(block.phase)] * static_cast<double>(block.trips);
  if (const SetAside stall =
          stall_of(block.elapsed_ns - expected_ns, expected_ns, data.report.policy, thresholds, environment);
      stall != SetAside::none)
    causes |= only(stall);
  return causes;
}

} // namespace

SetAside first_of(const Causes& causes) {
  for (std::size_t cause = 0; cause < cause_count; ++cause)
    if (causes.test(cause)) return static_cast<SetAside>(cause);
  return SetAside::none;
}

SetAside stall_of(double excess_ns, double expected_ns, Policy obtained, const Thresholds& thresholds,
                  const Environment& environment) {
  if (excess_ns <= thresholds.stall_ns || excess_ns <= least_stall_share * expected_ns) return SetAside::none;
  const auto runtime_us = lower_rt_runtime_us(environment.rt_runtime_us, environment.rt_group_runtime_us);
  if (is_real_time(obtained) && environment.rt_period_us && runtime_us && *runtime_us >= 0) {
    const double pause_ns = 1e3 * static_cast<double>(*environment.rt_period_us - *runtime_us);
    if (std::abs(excess_ns - pause_ns) <= thresholds.throttle_band_ratio * pause_ns) return SetAside::throttled;
  }
  return SetAside::stalled;
}

std::vector<MeasuredPair> measured_pairs(const VisitData& data, const Placement& placement,
                                         const Thresholds& thresholds, const Environment& environment) {
  struct Blocks {
    std::array<const Block*, phase_count> of_phase{};
  };
  std::vector<Blocks> grouped;
  for (const Block& block : data.blocks) {
    if (block.pair < 0 || static_cast<std::size_t>(block.pair) >= data.blocks.size()) continue;
    const auto pair = static_cast<std::size_t>(block.pair);
    if (grouped.size() <= pair) grouped.resize(pair + 1);
    if (is_usable(block)) grouped[pair].of_phase[index_of(block.phase)] = &block;
  }

  const PhaseMedians medians = medians_of(data.blocks);
  const Causes of_the_visit = is_stolen(data, thresholds) ? only(SetAside::stolen) : Causes{};
  const double step_ns = clock_step_ns(data.report, environment);
  std::vector<MeasuredPair> pairs(grouped.size());
  std::vector<double> self_pipes;
  std::vector<double> clocks;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [baseline_a, switching, baseline_b] = grouped[i].of_phase;
    if (baseline_a == nullptr || switching == nullptr || baseline_b == nullptr) continue;
    MeasuredPair& pair = pairs[i];
    pair.complete = true;
    pair.switching_per_switch_ns = per_operation_ns(*switching);
    pair.baseline_per_trip_ns = (per_operation_ns(*baseline_a) + per_operation_ns(*baseline_b)) / 2;
    pair.causes = of_the_visit;
    if (clock_moved({baseline_a, switching, baseline_b}, thresholds.clock_tolerance_ratio, step_ns))
      pair.causes |= only(SetAside::clock_moved);
    self_pipes.clear();
    clocks.clear();
    for (const Block* block : {baseline_a, switching, baseline_b}) {
      pair.causes |= causes_of(*block, data, medians, placement, thresholds, environment);
      for (const Probe* probe : {&block->before, &block->after}) {
        if (is_read(probe->adds_per_cycle) &&
            (pair.lowest_adds_per_cycle <= 0 || probe->adds_per_cycle < pair.lowest_adds_per_cycle))
          pair.lowest_adds_per_cycle = probe->adds_per_cycle;
        if (is_read(probe->self_pipe_ns)) self_pipes.push_back(probe->self_pipe_ns);
        if (is_read(probe->clock_adds_per_ns)) clocks.push_back(probe->clock_adds_per_ns);
      }
    }
    if (!self_pipes.empty()) pair.self_pipe_ns = median_of(self_pipes);
    if (!clocks.empty()) pair.clock_adds_per_ns = median_of(clocks);
  }
  return pairs;
}

void set_aside_for_policy(std::vector<MeasuredPair>& pairs) {
  for (MeasuredPair& pair : pairs) pair.causes |= only(SetAside::other_policy);
}

bool is_contended(const MeasuredPair& pair, const ContentionSplit& split) {
  return split.source != ContentionSplit::Source::unknown && pair.lowest_adds_per_cycle > 0 &&
         pair.lowest_adds_per_cycle < split.split_adds_per_cycle;
}

Causes all_causes(const MeasuredPair& pair, const ContentionSplit& split) {
  return is_contended(pair, split) ? pair.causes | only(SetAside::contended) : pair.causes;
}

std::vector<SetAside> set_aside_of(const Visit& visit, const Thresholds& thresholds, const ContentionSplit& split,
                                   const Environment& environment, std::optional<Policy> point_policy) {
  std::vector<SetAside> reasons;
  const VisitData* data = visit.data();
  if (data == nullptr) return reasons;
  auto pairs = measured_pairs(*data, visit.request.point.placement, thresholds, environment);
  if (point_policy && data->report.policy != *point_policy) set_aside_for_policy(pairs);
  for (const MeasuredPair& pair : pairs) reasons.push_back(first_of(all_causes(pair, split)));
  return reasons;
}

} // namespace switchscope
