// From what each session by itself says to what the run says: sessions are the outermost level of the statistics.
#pragma once

#include "engine/analysis/estimate.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <vector>

namespace switchscope {

// One session, estimated as if it were the whole run.
struct MeasuredSession {
  SessionEstimates estimates;
  NestedCosts costs_ns; // by point, visit and used pair; empty for points without
};

// Sessions by number. A single one keeps its interval over visits; of several the estimate is the mean of those that
// share the most frequent policy and state, with Student t over them. Rules for what is absent: docs/measurement.md.
[[nodiscard]] RunEstimates estimates_over(const Run&, std::vector<MeasuredSession>);

// Of equally frequent ones the first of `preferred`, which names all there may be; absent of none.
template <class Choice>
[[nodiscard]] std::optional<Choice> most_frequent(const std::vector<Choice>& seen,
                                                  std::initializer_list<Choice> preferred) {
  std::optional<Choice> most;
  std::ptrdiff_t times = 0;
  for (const Choice choice : preferred)
    if (const auto count = std::count(seen.begin(), seen.end(), choice); count > times) {
      most = choice;
      times = count;
    }
  return most;
}
[[nodiscard]] std::optional<Policy> most_frequent(const std::vector<Policy>&);     // preferred: real-time ones
[[nodiscard]] std::optional<PageMode> most_frequent(const std::vector<PageMode>&); // preferred: the smaller pages

} // namespace switchscope
