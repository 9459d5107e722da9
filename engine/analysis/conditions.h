// What the machine was like while it was measured: of one visit, or of many.
#pragma once

#include "engine/analysis/estimate.h"

#include <optional>
#include <vector>

namespace switchscope {

struct Range {
  double low = 0;
  double median = 0;
  double high = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

struct Conditions {
  int visits = 0;                         // that yielded data; visits that counted events are not looked at
  double measured_ns = 0;                 // sum of their blocks
  std::optional<double> contended_share;  // of that time, by the probes around each block; absent: it cannot be told
  std::optional<Range> adds_per_cycle;    // of all probes; absent without readings, here and below
  std::optional<Range> clock_adds_per_ns; // the core clock in GHz where an add takes one cycle
  std::optional<Range> self_pipe_ns;
  std::optional<Range> clock_ghz;       // the counter that times, in ticks per ns of CLOCK_MONOTONIC_RAW, by visit
  std::optional<Range> clock_drift_ppm; // its rate in the second half of a visit against the first
  std::optional<Range> memory_tag_ns;   // a second walk over half of L2: grows beside a neighbour that uses memory
  std::int64_t steal_ns = 0;            // as read: may be negative
  std::int64_t interrupts = 0;
  int stalled_pairs = 0;
  int throttled_pairs = 0;
  friend bool operator==(const Conditions&, const Conditions&) = default;
};

// `visits` are some of the run's; null pointers are not allowed.
[[nodiscard]] Conditions conditions_of(const Run&, const RunEstimates&, const std::vector<const Visit*>& visits);
[[nodiscard]] Conditions conditions_of(const Run&, const RunEstimates&, const std::vector<Visit>& visits); // of all

} // namespace switchscope
