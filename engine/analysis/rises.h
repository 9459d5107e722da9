// Where a noisy curve rises from one level to a higher one: the numerical part of the cliff finder.
//
// 1. Levels: the curve is cut into pieces of equal value by exact dynamic programming (Auger and Lawrence 1989) over
//    sum (y - mean of piece)^2 / s^2 + 3 ln n for each cut (the penalty of Zhang and Siegmund 2007 without its last
//    term). s^2 are the points' own variances, moderated: s^2 = (d0 m + d s^2) / (d0 + d), with d0 = 4 and m the median
//    of the five nearest points, because a variance of four visits may be small by chance (Smyth 2004).
// 2. Rises: from each lowest piece to the next highest; two that are parted by a fall that is not significant are one.
//    A rise is parted where it rests: over a stretch of at least one octave on which it climbs a quarter as steeply as
//    before and after it.
// 3. Test: upper less lower level against its standard error, Student t with Welch's degrees of freedom, one-sided, at
//    1 % shared among the n (n - 1) / 2 pairs of sizes (Bonferroni).
// 4. Edges: isotonic regression (Ayer et al. 1955) of the points of the rise; it begins after the last size below 10 %
//    of the step and ends with the first size at or above 90 %, the reference levels of IEEE Std 181. Their intervals:
//    2.5 % and 97.5 % quantiles of a parametric bootstrap, 400 draws around the isotonic curve.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace switchscope {

struct CurveValue {
  double log2_bytes = 0;
  double value = 0;              // any unit
  double standard_error = 0;     // >= 0
  double degrees_of_freedom = 1; // of the standard error; > 0
};

// A value with its 95 % interval.
struct Level {
  double value = 0;
  double low = 0;
  double high = 0;
};

// Indices are into the values given. The true edge lies after `last_low` and at or before the next index.
struct Rise {
  std::size_t last_low = 0;                              // the last one still on the lower level
  std::size_t first_high = 0;                            // the first one on the upper level; > last_low
  std::size_t last_low_least = 0, last_low_most = 0;     // 95 % interval of last_low
  std::size_t first_high_least = 0, first_high_most = 0; // likewise
  double middle_log2_bytes = 0;                          // where the curve passes half of the step
  double lower_value = 0;
  Level step; // upper less lower level; > 0
};

inline constexpr double false_alarm_rate = 0.01; // of a flat curve, nominal
inline constexpr double longest_rise_octaves = 2.5;

// `values` by ascending log2_bytes, without repeats. Fewer than three: none. A rise that takes more than
// longest_rise_octaves is a slope, not a cliff: a cost in proportion to the data takes log2(9) = 3.2. Significant rises
// only, by size; the same values and seed give the same rises.
[[nodiscard]] std::vector<Rise> rises_in(const std::vector<CurveValue>& values, std::uint64_t seed);

// Step 1's variances, one for each value; all above 0 unless every value is alike.
[[nodiscard]] std::vector<double> moderated_variances(const std::vector<CurveValue>& values);

} // namespace switchscope
