// What other benchmarks would print on this machine, computed from a run's own figures, so that they can be compared.
#pragma once

#include "engine/analysis/estimate.h"

#include <optional>
#include <string>
#include <vector>

namespace switchscope {

struct OtherTool {
  std::string tool;                   // as it is started: "lat_ctx -s 64 2"
  std::string prints;                 // what its number is and in which unit: "usecs/op"
  std::string formula;                // in S1, S2, C1 and C2 of this run: "2 x S1 without data"
  std::optional<double> value_ns;     // absent: the run lacks such a point, and the formula says how to get it
  std::optional<EstimateState> state; // of the point it comes from
  friend bool operator==(const OtherTool&, const OtherTool&) = default;
};

// Of two tasks over pipes on the first of the run's placements that is one CPU; empty without one. They hold for the
// run's policy and pinning: other tools use neither unless they are told.
//   perf bench sched pipe   a round trip of two processes (-T: threads) without data: 2 x S1
//   lat_ctx -s KIB 2        lmbench: C2 of a walk that reads neighbours. It prints nothing where that is not above 0
//   measureSingle, measureSwitch   the authors' programs of 2007: time1 = S2 and time2 = S1 of rmw, strided, the
//                           smallest of three rounds. Taken from points by the paper's method where the run has them
[[nodiscard]] std::vector<OtherTool> other_tools(const Run&, const RunEstimates&);

} // namespace switchscope
