// From one value per visit to an estimate with its 95 % interval. A visit is the unit: its blocks share one page
// placement and one moment, so they do not count as independent. Formulas and sources: docs/measurement.md.
#pragma once

#include "engine/analysis/estimate.h"

#include <cstdint>
#include <span>
#include <vector>

namespace switchscope {

inline constexpr int visits_for_interval = 4;   // fewer: only the range seen
inline constexpr int visits_for_bootstrap = 20; // from here on bootstrap-t; Student t before

// Of no values: NaN. Of an even number: the mean of the two in the middle.
[[nodiscard]] double median_of(std::vector<double> values);

// 20 % trimmed mean, floor(n / 5) values dropped at each end, and the square of its standard error from the Winsorized
// sum of squares (Tukey and McLaughlin 1963): SSD_w / (h (h - 1)) with h values kept.
struct TrimmedMean {
  double mean = 0;
  double squared_error = 0; // 0 for a single value
  int kept = 0;             // h; h - 1 degrees of freedom
};
[[nodiscard]] TrimmedMean trimmed_mean_of(std::span<const double> sorted); // ascending, at least one value

// Trimmed t for 4 to 19 visits, symmetric bootstrap-t from 20; the range for fewer. `values`: one per visit, any order,
// at least one. The same values and seed give the same interval.
[[nodiscard]] Interval interval_of(std::vector<double> values, std::uint32_t seed);

// The mean with Student t, n - 1 degrees of freedom; of a single value the value, without an interval.
[[nodiscard]] Interval mean_interval_of(const std::vector<double>& values);

// minuend - subtrahend of independent samples: Yuen-Welch t, or symmetric bootstrap-t when both have 20 visits; when
// one has too few for an interval, the range of the differences.
[[nodiscard]] Interval interval_of_difference(std::vector<double> minuend, std::vector<double> subtrahend,
                                              std::uint32_t seed);

} // namespace switchscope
