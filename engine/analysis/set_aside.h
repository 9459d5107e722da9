// The external causes for which a pair of blocks is not used. Never because its number looks odd.
#pragma once

#include "engine/analysis/estimate.h"

#include <bitset>
#include <vector>

namespace switchscope {

inline constexpr std::size_t cause_count = static_cast<std::size_t>(SetAside::throttled) + 1;

// Every cause seen in a pair; bit = SetAside. A pair may have several.
using Causes = std::bitset<cause_count>;
[[nodiscard]] inline Causes only(SetAside cause) {
  return Causes{}.set(static_cast<std::size_t>(cause));
}
// The first in the order of SetAside; `none` without any.
[[nodiscard]] SetAside first_of(const Causes&);

// What a pair S2A S1 S2B yields.
struct MeasuredPair {
  bool complete = false; // one usable block of each phase; else nothing below means anything
  double switching_per_switch_ns = 0;
  double baseline_per_trip_ns = 0;  // mean of S2A and S2B
  double lowest_adds_per_cycle = 0; // of its six probes; 0: none was read
  double self_pipe_ns = 0;          // median of its six probes; 0: none was read
  double clock_adds_per_ns = 0;     // the same of the dependent chain, one add a core cycle
  Causes causes;                    // all but contention, which needs the whole run's probes
  [[nodiscard]] double cost_ns() const { return switching_per_switch_ns - baseline_per_trip_ns; }
  [[nodiscard]] double cost_cycles() const { return cost_ns() * clock_adds_per_ns; }
};

// The pairs of a visit; index = pair. Blocks whose pair number cannot be (negative, or not below the number of blocks)
// are passed over.
[[nodiscard]] std::vector<MeasuredPair> measured_pairs(const VisitData&, const Placement&, const Thresholds&,
                                                       const Environment&);

// A visit that ran under another policy than most visits of its point measured something else: all its pairs go.
void set_aside_for_policy(std::vector<MeasuredPair>&);

// Some probe of the pair lies below the split. Not so when the split is unknown or the pair has no probes.
[[nodiscard]] bool is_contended(const MeasuredPair&, const ContentionSplit&);
[[nodiscard]] Causes all_causes(const MeasuredPair&, const ContentionSplit&);

// Why a block took `excess_ns` longer than was to be expected of `expected_ns`: stalled, throttled or none.
[[nodiscard]] SetAside stall_of(double excess_ns, double expected_ns, Policy obtained, const Thresholds&,
                                const Environment&);

} // namespace switchscope
