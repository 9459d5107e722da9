#include "engine/analysis/rises.h"

#include "engine/analysis/level_pieces.h"
#include "engine/analysis/rise_edges.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace switchscope {
namespace {

constexpr double prior_degrees = 4;
constexpr double rest_octaves = 1;
constexpr double rest_slope_ratio = 0.25;

// The mean of some pieces' points, as one value.
struct Mean {
  double value = 0;
  double variance = 0;
  double degrees = 1;
};

class Series {
public:
  explicit Series(const std::vector<CurveValue>& given) : values(given), variances(moderated_variances(given)) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      y.push_back(values[i].value);
      weights.push_back(1 / variances[i]);
    }
  }
  [[nodiscard]] Mean mean_of(Piece piece) const {
    double weight = 0;
    double sum = 0;
    double spread = 0; // Satterthwaite: sum w^2 variance^2 / degrees
    for (std::size_t i = piece.first; i <= piece.last; ++i) {
      weight += weights[i];
      sum += weights[i] * y[i];
      spread += 1 / (values[i].degrees_of_freedom + prior_degrees);
    }
    const double points = static_cast<double>(piece.last - piece.first + 1);
    return {sum / weight, 1 / weight, points * points / spread};
  }

  const std::vector<CurveValue>& values;
  std::vector<double> variances;
  std::vector<double> y;
  std::vector<double> weights;
};

struct Difference {
  double value = 0;
  double error = 0;
  double degrees = 1;
};

Difference difference(const Mean& upper, const Mean& lower) {
  const double variance = upper.variance + lower.variance;
  const double spread =
      upper.variance * upper.variance / upper.degrees + lower.variance * lower.variance / lower.degrees;
  return {upper.value - lower.value, std::sqrt(variance), variance * variance / spread};
}

// One-sided, at the nominal rate shared among all pairs of points.
bool is_significant(const Difference& rise, std::size_t points) {
  if (rise.value <= 0) return false;
  const auto pairs = static_cast<double>(points * (points - 1)) / 2;
  const boost::math::students_t t(rise.degrees);
  return boost::math::cdf(boost::math::complement(t, rise.value / rise.error)) < false_alarm_rate / pairs;
}

// A rise before it is judged: from the points of `lower` to those of `upper`.
struct Climb {
  Piece lower;
  Piece upper;
};

std::vector<Climb> climbs_over(const Series& curve, const std::vector<Piece>& pieces) {
  std::vector<Climb> climbs;
  for (std::size_t i = 0; i + 1 < pieces.size();) {
    std::size_t top = i;
    while (top + 1 < pieces.size() && curve.mean_of(pieces[top + 1]).value > curve.mean_of(pieces[top]).value) ++top;
    if (top > i) climbs.push_back({pieces[i], pieces[top]});
    i = std::max(top, i + 1);
  }
  return climbs;
}

// Two climbs are one when what lies between is no significant fall, the second begins no lower and ends higher.
std::vector<Climb> joined_climbs(const Series& curve, std::vector<Climb> climbs) {
  for (std::size_t i = 0; i + 1 < climbs.size();) {
    const Climb& before = climbs[i];
    const Climb& after = climbs[i + 1];
    const Mean top = curve.mean_of(before.upper);
    const Mean valley = curve.mean_of(after.lower);
    const bool falls = is_significant(difference(top, valley), curve.y.size());
    if (falls || valley.value <= curve.mean_of(before.lower).value || curve.mean_of(after.upper).value <= top.value) {
      ++i;
      continue;
    }
    climbs[i].upper = after.upper;
    climbs.erase(climbs.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    i = i > 0 ? i - 1 : 0;
  }
  return climbs;
}

std::vector<double> fitted_over(const Series& curve, const Climb& climb) {
  const auto part = [&](const std::vector<double>& all) {
    return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(climb.lower.first),
                               all.begin() + static_cast<std::ptrdiff_t>(climb.upper.last) + 1);
  };
  return isotonic(part(curve.y), part(curve.weights));
}

// The flattest stretch of an octave or more that lies between two steeper ones.
std::optional<Piece> rest_within(const Series& curve, const Climb& climb) {
  const std::vector<double> fitted = fitted_over(curve, climb);
  const std::size_t base = climb.lower.first;
  const auto x = [&](std::size_t i) { return curve.values[base + i].log2_bytes; };
  const auto slope = [&](std::size_t i, std::size_t j) { return (fitted[j] - fitted[i]) / (x(j) - x(i)); };
  const std::size_t low = climb.lower.last - base; // the climb proper lies between these two
  const std::size_t high = climb.upper.first - base;
  std::optional<Piece> flattest;
  double least = 0;
  for (std::size_t i = low + 1; i < high; ++i)
    for (std::size_t j = i + 1; j < high; ++j) {
      if (x(j) - x(i) < rest_octaves) continue;
      const double here = slope(i, j);
      const bool rests = here <= rest_slope_ratio * std::min(slope(low, i), slope(j, high));
      if (rests && (!flattest || here < least)) {
        flattest = Piece{base + i, base + j};
        least = here;
      }
      break; // longer ones from here are searched from a later begin, too
    }
  return flattest;
}

void part_where_it_rests(const Series& curve, const Climb& climb, std::vector<Climb>& parts) {
  if (const auto rest = rest_within(curve, climb)) {
    part_where_it_rests(curve, {climb.lower, *rest}, parts);
    part_where_it_rests(curve, {*rest, climb.upper}, parts);
  } else {
    parts.push_back(climb);
  }
}

Level step_of(const Difference& rise) {
  const double reach = rise.error * boost::math::quantile(boost::math::students_t(rise.degrees), 0.975);
  return {rise.value, rise.value - reach, rise.value + reach};
}

std::optional<Rise> judged(const Series& curve, const Climb& climb, std::uint64_t seed) {
  const Mean lower = curve.mean_of(climb.lower);
  const Difference step = difference(curve.mean_of(climb.upper), lower);
  if (!is_significant(step, curve.y.size())) return std::nullopt;
  RiseWindow window;
  for (std::size_t i = climb.lower.first; i <= climb.upper.last; ++i) {
    window.log2_bytes.push_back(curve.values[i].log2_bytes);
    window.values.push_back(curve.y[i]);
    window.weights.push_back(curve.weights[i]);
  }
  window.lower_points = climb.lower.last - climb.lower.first + 1;
  window.upper_points = climb.upper.last - climb.upper.first + 1;
  Rise rise = edges_of(window, seed);
  for (std::size_t* index : {&rise.last_low, &rise.first_high, &rise.last_low_least, &rise.last_low_most,
                             &rise.first_high_least, &rise.first_high_most})
    *index += climb.lower.first;
  rise.lower_value = lower.value;
  rise.step = step_of(step);
  const double octaves = curve.values[rise.first_high].log2_bytes - curve.values[rise.last_low].log2_bytes;
  if (octaves > longest_rise_octaves && rise.first_high > rise.last_low + 1) return std::nullopt;
  return rise;
}

} // namespace

std::vector<double> moderated_variances(const std::vector<CurveValue>& values) {
  const std::size_t count = values.size();
  std::vector<double> variances(count);
  double least_above_0 = 0;
  for (const CurveValue& value : values) {
    const double variance = value.standard_error * value.standard_error;
    if (variance > 0 && (least_above_0 == 0 || variance < least_above_0)) least_above_0 = variance;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = std::min(i >= 2 ? i - 2 : 0, count >= 5 ? count - 5 : 0);
    const std::size_t end = std::min(begin + 5, count);
    std::vector<double> near;
    for (std::size_t j = begin; j < end; ++j) near.push_back(values[j].standard_error * values[j].standard_error);
    std::nth_element(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(near.size() / 2), near.end());
    const double own = values[i].standard_error * values[i].standard_error;
    const double degrees = values[i].degrees_of_freedom;
    variances[i] = (prior_degrees * near[near.size() / 2] + degrees * own) / (prior_degrees + degrees);
    if (variances[i] <= 0) variances[i] = least_above_0 > 0 ? least_above_0 : 1e-12;
  }
  return variances;
}

std::vector<Rise> rises_in(const std::vector<CurveValue>& values, std::uint64_t seed) {
  if (values.size() < 3) return {};
  const Series curve(values);
  const double penalty = 3 * std::log(static_cast<double>(values.size()));
  const auto climbs = joined_climbs(curve, climbs_over(curve, level_pieces(curve.y, curve.weights, penalty)));
  std::vector<Climb> parts;
  for (const Climb& climb : climbs) part_where_it_rests(curve, climb, parts);
  std::vector<Rise> rises;
  for (const Climb& climb : parts)
    if (auto rise = judged(curve, climb, seed + rises.size())) rises.push_back(*rise);
  return rises;
}

} // namespace switchscope
