#include "engine/analysis/conditions.h"

#include "engine/analysis/intervals.h"
#include "engine/analysis/reading.h"

#include <algorithm>
#include <cmath>

namespace switchscope {
namespace {

std::optional<Range> range_of(const std::vector<double>& readings) {
  if (readings.empty()) return std::nullopt;
  const auto [low, high] = std::minmax_element(readings.begin(), readings.end());
  return Range{*low, median_of(readings), *high};
}

bool is_below(const Probe& probe, double split_adds_per_cycle) {
  return is_read(probe.adds_per_cycle) && probe.adds_per_cycle < split_adds_per_cycle;
}

struct Readings {
  std::vector<double> adds_per_cycle;
  std::vector<double> clock_adds_per_ns;
  std::vector<double> self_pipe_ns;
  std::vector<double> clock_ghz;
  std::vector<double> clock_drift_ppm;
  std::vector<double> memory_tag_ns;
  double told_ns = 0; // of blocks whose split is known
  double contended_ns = 0;
};

void add_blocks(Readings& readings, const VisitData& data, const ContentionSplit& split) {
  const bool is_told = split.source != ContentionSplit::Source::unknown;
  for (const Block& block : data.blocks) {
    for (const Probe* probe : {&block.before, &block.after}) {
      if (is_read(probe->adds_per_cycle)) readings.adds_per_cycle.push_back(probe->adds_per_cycle);
      if (is_read(probe->clock_adds_per_ns)) readings.clock_adds_per_ns.push_back(probe->clock_adds_per_ns);
      if (is_read(probe->self_pipe_ns)) readings.self_pipe_ns.push_back(probe->self_pipe_ns);
      // Each probe speaks for the half of the block next to it.
      if (is_told) readings.told_ns += block.elapsed_ns / 2;
      if (is_told && is_below(*probe, split.split_adds_per_cycle)) readings.contended_ns += block.elapsed_ns / 2;
    }
  }
}

void add_report(Readings& readings, const VisitReport& report) {
  if (is_read(report.clock_ghz)) {
    readings.clock_ghz.push_back(report.clock_ghz);
    if (std::isfinite(report.clock_drift_ppm)) readings.clock_drift_ppm.push_back(report.clock_drift_ppm);
  }
  if (report.memory_tag_ns && is_read(*report.memory_tag_ns)) readings.memory_tag_ns.push_back(*report.memory_tag_ns);
}

} // namespace

Conditions conditions_of(const Run& run, const RunEstimates& estimates, const std::vector<const Visit*>& visits) {
  Conditions conditions;
  Readings readings;
  for (const Visit* visit : visits) {
    const VisitData* data = visit->data();
    if (data == nullptr || visit->request.counters) continue;
    const auto index = static_cast<std::size_t>(visit->point_index);
    const ContentionSplit split = split_of(estimates, visit->session, run.points.at(index).placement);
    ++conditions.visits;
    conditions.measured_ns += static_cast<double>(data->report.measured_ns);
    conditions.steal_ns += data->report.steal_ns;
    conditions.interrupts += data->report.interrupts;
    add_blocks(readings, *data, split);
    add_report(readings, data->report);
    for (const SetAside reason :
         set_aside_of(*visit, run.thresholds, split, run.before, estimates.points.at(index).policy)) {
      if (reason == SetAside::stalled) ++conditions.stalled_pairs;
      if (reason == SetAside::throttled) ++conditions.throttled_pairs;
    }
  }
  if (readings.told_ns > 0) conditions.contended_share = readings.contended_ns / readings.told_ns;
  conditions.adds_per_cycle = range_of(readings.adds_per_cycle);
  conditions.clock_adds_per_ns = range_of(readings.clock_adds_per_ns);
  conditions.self_pipe_ns = range_of(readings.self_pipe_ns);
  conditions.clock_ghz = range_of(readings.clock_ghz);
  conditions.clock_drift_ppm = range_of(readings.clock_drift_ppm);
  conditions.memory_tag_ns = range_of(readings.memory_tag_ns);
  return conditions;
}

Conditions conditions_of(const Run& run, const RunEstimates& estimates, const std::vector<Visit>& visits) {
  std::vector<const Visit*> all;
  for (const Visit& visit : visits) all.push_back(&visit);
  return conditions_of(run, estimates, all);
}

} // namespace switchscope
