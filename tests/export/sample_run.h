// A run made of constants: the curve of the paper on a guest with 512 KiB of L2, and one point of every awkward kind.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/run.h"
#include "engine/model/visit.h"

#include <utility>
#include <vector>

namespace switchscope::sample {

inline Environment machine() {
  Environment machine;
  machine.host_name = "bench";
  machine.architecture = "x86_64";
  machine.cpu_model = "AMD EPYC 7B13";
  machine.hypervisor = "KVM (nested)";
  machine.kernel_release = "6.18.5";
  machine.hz = 250;
  machine.mitigations = {{"meltdown", "Not affected"}};
  machine.versions = {{"switchscope", "0.1.0"}};
  machine.cpus = {{0, true, true, false, false, 0, 0, {0, 1}, "", "", 3.2, 0.05, 0.002, 350},
                  {1, true, true, false, false, 0, 0, {0, 1}, "", "", 3.2, 0.05, 0.002, 350}};
  machine.caches = {{1, "data", 32 << 10, 64, {0, 1}, "reported"},
                    {2, "unified", 512 << 10, 64, {0, 1}, "reported"},
                    {3, "unified", 16 << 20, 64, {0, 1}, "reported"}};
  return machine;
}

inline Point point(std::int64_t kib, Access access = Access::read_modify_write) {
  Point point;
  point.array_bytes = kib << 10;
  point.stride_bytes = kib == 0 ? 0 : 128;
  point.access = kib == 0 ? Access::read_modify_write : access;
  point.placement = {Placement::Kind::same_cpu, 1, 1};
  return point;
}

inline Interval interval(double low, double estimate, double high) {
  return {estimate, low, high, true};
}
inline Interval range(double low, double estimate, double high) {
  return {estimate, low, high, false};
}

inline PointEstimate estimate(int index, EstimateState state, Interval total, std::optional<Interval> indirect = {}) {
  PointEstimate estimate;
  estimate.point_index = index;
  estimate.state = state;
  estimate.switching_per_switch_ns = 2 * total.estimate;
  estimate.baseline_per_trip_ns = total.estimate;
  estimate.total = total;
  estimate.total_all_blocks = {total.estimate + 30, total.low, total.high + 60, total.has_interval};
  estimate.indirect = indirect;
  estimate.visits = 20;
  estimate.blocks = 300;
  estimate.blocks_used = 291;
  estimate.set_aside = {{SetAside::contended, 6}, {SetAside::stalled, 3}};
  estimate.switches_expected = 100'000;
  estimate.switches_observed = 100'002;
  estimate.sessions = 1;
  return estimate;
}

struct Sample {
  Run run;
  std::vector<Visit> visits;
  RunEstimates estimates;
};

inline Visit visit(int sequence, int point_index, const Point& of) {
  Visit visit;
  visit.sequence = sequence;
  visit.point_index = point_index;
  visit.started_at = "2026-11-30T19:22:01.000Z";
  visit.request.point = of;
  VisitData data;
  data.report.policy = Policy::fifo;
  data.report.priority = 50;
  data.report.locked = true;
  data.report.kernel_code = "avx";
  data.report.clock_source = "tsc";
  data.report.clock_ghz = 2.45;
  data.report.checksum_ok = true;
  data.report.interrupts = 25;
  const std::pair<Phase, double> phases[] = {
      {Phase::baseline_a, 100'000.5}, {Phase::switching, 1'200'000}, {Phase::baseline_b, 100'001}};
  for (const auto& [phase, elapsed] : phases) {
    Block block;
    block.phase = phase;
    block.trips = 100;
    block.elapsed_ns = elapsed;
    block.before = block.after = {3.2, 3.35, 900};
    block.expected_switches = phase == Phase::switching ? 104 : 0;
    block.task_a = TaskCounts{block.expected_switches, 0, 0, 0, 0};
    data.blocks.push_back(block);
  }
  visit.outcome = data;
  return visit;
}

// Cycles, a cost that is saved, and energy: what the visits that count give a point.
inline std::vector<CounterPerSwitch> counters(double cycles) {
  return {{"cycles", "count", cycles, 1, 1},
          {"dtlb-misses", "count", -1.25, 2, 0.75},
          {"package-joules", "J", 1.75e-5, 1, 1}};
}

// One curve, all clean; D = 0 first.
inline Sample quiet_run() {
  Sample sample;
  auto& run = sample.run;
  run.id = "01k0000000000000000000000a";
  run.state = RunState::completed;
  run.plan.preset = "quick";
  run.plan.strides_bytes = {128};
  run.plan.placements = {{Placement::Kind::same_cpu, 1, 1}};
  run.plan.policy = Policy::automatic;
  run.plan.budget_s = 10;
  run.plan.seed = 18'000'000'000'000'000'001ull;
  run.started_at = "2026-11-30T19:22:00.123Z";
  run.finished_at = "2026-11-30T19:22:10.456Z";
  run.before = machine();
  run.measuring_s = 10;
  const std::pair<int, double> curve[] = {{16, 2800},  {64, 2700},  {128, 2900}, {256, 5000},
                                          {384, 7500}, {512, 8400}, {1024, 3200}};
  run.points.push_back(point(0));
  sample.estimates.points.push_back(estimate(0, EstimateState::clean, interval(2610, 2640, 2670)));
  run.plan.sizes_bytes.clear();
  for (const auto& [kib, cost] : curve) {
    const int index = static_cast<int>(run.points.size());
    run.plan.sizes_bytes.push_back(std::int64_t{kib} << 10);
    run.points.push_back(point(kib));
    sample.estimates.points.push_back(estimate(index, EstimateState::clean, interval(cost - 120, cost, cost + 120),
                                               interval(cost - 2770, cost - 2640, cost - 2510)));
  }
  for (std::size_t i = 0; i < run.points.size(); ++i)
    sample.visits.push_back(visit(static_cast<int>(i), static_cast<int>(i), run.points[i]));
  sample.estimates.interval_method = "bootstrap-t over visits";
  sample.estimates.points_precise = 7;
  sample.estimates.points_paired = static_cast<int>(sample.run.points.size());
  sample.estimates.splits["1"] = {ContentionSplit::Source::this_run, 2.87, 3.35, 905, 0.021};
  sample.estimates.sessions = {{0, sample.estimates.splits, {}}};
  sample.estimates.points.front().total_cycles = interval(8352, 8448, 8544);
  sample.estimates.points.front().variance = VarianceComponents{2250, 1500, std::nullopt, 96, 16, 1};
  run.sessions = {{0, "2026-11-30T19:22:00.200Z", "2026-11-30T19:22:10.400Z", 10, 0, machine(), std::nullopt}};
  return sample;
}

// Two curves (read and rmw): a failed point, one with few visits, a contended one, one whose answer depends on what was
// set aside, a corrected one, a negative cost; two points with counters.
inline Sample troubled_run() {
  auto sample = quiet_run();
  auto& run = sample.run;
  auto& points = sample.estimates.points;
  run.state = RunState::cancelled;
  run.name = "café\x1b[31m";
  run.finished_at.reset();
  run.left_out = 6;
  run.plan.accesses = {Access::read, Access::read_modify_write};
  for (const int kib : {16, 384, 512}) {
    const int index = static_cast<int>(points.size());
    run.points.push_back(point(kib, Access::read));
    points.push_back(estimate(index, EstimateState::clean, interval(-120, 60, 240), interval(-2700, -2580, -2460)));
  }
  auto& few = points[1];
  few.visits = 3;
  few.total.has_interval = few.total_all_blocks.has_interval = false;
  few.indirect->has_interval = false;
  few.flags = {Flag::few_visits, Flag::precision_not_reached};
  points[2].state = EstimateState::contended;
  points[2].used_despite = {{SetAside::contended, 150}, {SetAside::clock_moved, 30}};
  points[2].flags = {Flag::contended, Flag::throttled, Flag::stalled, Flag::precision_not_reached};
  points[2].indirect.reset();
  points[2].indirect_absent_reason = "its state is contended and that of the direct cost is clean.";
  points[3].depends_on_set_aside = true;
  points[4].state = EstimateState::corrected;
  points[4].total_raw = interval(4700, 5100, 5500);
  points[5] = {};
  points[5].point_index = 5;
  points[5].flags = {Flag::failed};
  points[5].failure = "The worker was killed by signal 9 three times.";
  run.before.hardware_counters = "yes";
  points[0].counters = counters(8123.4);
  points[3].counters = counters(24'000.6);
  points[3].counters.pop_back();
  Visit counting = visit(static_cast<int>(sample.visits.size()), 3, run.points[3]);
  counting.request.counters = true;
  std::get<VisitData>(counting.outcome).report.counters_reason =
      "instructions cannot be counted: this processor, or the hypervisor it is lent by, offers no such counter.";
  sample.visits.push_back(counting);
  sample.estimates.points_paired = static_cast<int>(run.points.size());
  return sample;
}

} // namespace switchscope::sample
