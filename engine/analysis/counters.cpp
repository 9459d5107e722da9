#include "engine/analysis/counters.h"

#include <algorithm>

namespace switchscope {
namespace {

double per_switch(const CounterReading& reading) {
  const double switching = reading.switching / (2 * static_cast<double>(reading.round_trips));
  const double baseline_a = reading.baseline_a / static_cast<double>(reading.trips_a);
  const double baseline_b = reading.baseline_b / static_cast<double>(reading.trips_b);
  return switching - (baseline_a + baseline_b) / 2;
}

} // namespace

std::vector<CounterPerSwitch> counters_per_switch(const std::vector<const VisitData*>& visits) {
  std::vector<CounterPerSwitch> counters;
  for (const VisitData* visit : visits)
    for (const CounterReading& reading : visit->report.counters) {
      if (reading.round_trips <= 0 || reading.trips_a <= 0 || reading.trips_b <= 0) continue;
      auto known = std::find_if(counters.begin(), counters.end(),
                                [&](const CounterPerSwitch& counter) { return counter.name == reading.name; });
      if (known == counters.end())
        known = counters.insert(counters.end(), CounterPerSwitch{reading.name, reading.unit, 0, 0, 1});
      ++known->visits;
      known->per_switch += (per_switch(reading) - known->per_switch) / known->visits;
      known->scheduled_share = std::min(known->scheduled_share, reading.scheduled_share);
    }
  return counters;
}

} // namespace switchscope
