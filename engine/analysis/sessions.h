// From what each session by itself says to what the run says: sessions are the outermost level of the statistics.
#pragma once

#include "engine/analysis/estimate.h"

#include <optional>
#include <vector>

namespace switchscope {

// One session, estimated as if it were the whole run.
struct MeasuredSession {
  SessionEstimates estimates;
  NestedCosts costs_ns; // by point, visit and used pair; empty for points without
};

// Sessions by number. A single one keeps its interval over visits; of several the estimate is their mean, with Student
// t over sessions. Rules for states, policies and what is absent: docs/measurement.md.
[[nodiscard]] RunEstimates estimates_over(const Run&, std::vector<MeasuredSession>);

// Of equally frequent ones the real-time one; absent of none.
[[nodiscard]] std::optional<Policy> most_frequent(const std::vector<Policy>&);

} // namespace switchscope
