#include "engine/analysis/intervals.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace switchscope {
namespace {

constexpr double level = 0.95;
constexpr int resamples = 999; // so that the 95 % quantile is the 950th of them exactly

double student_quantile(double degrees_of_freedom) {
  return boost::math::quantile(boost::math::students_t(degrees_of_freedom), (1 + level) / 2);
}

// A sample prepared for resampling: sorted, and centred on its trimmed mean so that squares lose no digits.
struct Sample {
  explicit Sample(std::vector<double> values) : sorted(std::move(values)) {
    std::sort(sorted.begin(), sorted.end());
    trimmed = trimmed_mean_of(sorted);
    centred = sorted;
    for (double& value : centred) value -= trimmed.mean;
    drawn.resize(sorted.size());
  }
  [[nodiscard]] int size() const { return static_cast<int>(sorted.size()); }

  std::vector<double> sorted;
  std::vector<double> centred;
  std::vector<int> drawn; // how often each value stands in the resample
  TrimmedMean trimmed;
};

// Trimmed mean (less the sample's own) of one resample with replacement. Counting how often each of the sorted values
// was drawn saves sorting every resample.
TrimmedMean resampled(Sample& sample, std::mt19937& random) {
  const auto count = sample.centred.size();
  std::fill(sample.drawn.begin(), sample.drawn.end(), 0);
  // Multiply and shift instead of uniform_int_distribution, whose results differ between standard libraries.
  for (std::size_t i = 0; i < count; ++i) ++sample.drawn[(std::uint64_t{random()} * count) >> 32];

  const int trimmed_each_end = static_cast<int>(count) / 5;
  const int kept = static_cast<int>(count) - 2 * trimmed_each_end;
  double sum = 0;
  double squares = 0;
  double lowest = 0;
  double highest = 0;
  int rank = 0; // of the next drawn value
  int taken = 0;
  for (std::size_t i = 0; i < count && taken < kept; ++i) {
    const int from = std::max(rank, trimmed_each_end);
    rank += sample.drawn[i];
    const int times = std::min(rank, trimmed_each_end + kept) - from;
    if (times <= 0) continue;
    const double value = sample.centred[i];
    if (taken == 0) lowest = value;
    highest = value;
    sum += times * value;
    squares += times * value * value;
    taken += times;
  }
  const double winsorized_mean = (sum + trimmed_each_end * (lowest + highest)) / static_cast<double>(count);
  const double winsorized_squares = squares + trimmed_each_end * (lowest * lowest + highest * highest) -
                                    static_cast<double>(count) * winsorized_mean * winsorized_mean;
  // Rounding may leave a trace below zero where all values drawn are equal.
  return {sum / kept, lowest == highest ? 0 : std::max(0.0, winsorized_squares) / (kept * (kept - 1.0)), kept};
}

// |T*|; a resample without any spread counts as infinitely far.
double statistic(double difference, double squared_error) {
  return squared_error > 0 ? std::abs(difference) / std::sqrt(squared_error) : std::numeric_limits<double>::infinity();
}

// The 95 % quantile of |T*|; infinite when too many resamples had no spread to tell.
double quantile_of(std::vector<double> statistics) {
  const auto at = statistics.begin() + static_cast<std::ptrdiff_t>(std::ceil(level * (resamples + 1))) - 1;
  std::nth_element(statistics.begin(), at, statistics.end());
  return *at;
}

Interval around(double estimate, double half_width) {
  return {estimate, estimate - half_width, estimate + half_width, true};
}

} // namespace

double median_of(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

TrimmedMean trimmed_mean_of(std::span<const double> sorted) {
  const std::size_t each_end = sorted.size() / 5;
  const auto kept = sorted.subspan(each_end, sorted.size() - 2 * each_end);
  const auto kept_count = static_cast<double>(kept.size());
  const auto count = static_cast<double>(sorted.size());
  // Sums of differences from the lowest kept value: equal values give their value and a spread of exactly zero.
  const double origin = kept.front();
  double sum = 0;
  for (const double value : kept) sum += value - origin;
  const double high = kept.back() - origin;
  const double winsorized_mean = (sum + static_cast<double>(each_end) * high) / count;
  double squares = static_cast<double>(each_end) *
                   (winsorized_mean * winsorized_mean + (high - winsorized_mean) * (high - winsorized_mean));
  for (const double value : kept) squares += (value - origin - winsorized_mean) * (value - origin - winsorized_mean);
  return {origin + sum / kept_count, kept.size() > 1 ? squares / (kept_count * (kept_count - 1)) : 0,
          static_cast<int>(kept.size())};
}

Interval interval_of(std::vector<double> values, std::uint32_t seed) {
  Sample sample(std::move(values));
  const TrimmedMean& trimmed = sample.trimmed;
  if (sample.size() < visits_for_interval) return {trimmed.mean, sample.sorted.front(), sample.sorted.back(), false};
  const double error = std::sqrt(trimmed.squared_error);
  if (sample.size() >= visits_for_bootstrap) {
    std::mt19937 random(seed);
    std::vector<double> statistics(resamples);
    for (double& value : statistics) {
      const TrimmedMean again = resampled(sample, random);
      value = statistic(again.mean, again.squared_error);
    }
    const double quantile = quantile_of(std::move(statistics));
    if (std::isfinite(quantile)) return around(trimmed.mean, quantile * error);
  }
  return around(trimmed.mean, student_quantile(trimmed.kept - 1) * error);
}

Interval mean_interval_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value - values.front();
  const double mean = values.front() + sum / count;
  if (values.size() < 2) return {mean, mean, mean, false};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return around(mean, student_quantile(count - 1) * std::sqrt(squares / (count * (count - 1))));
}

Interval interval_of_difference(std::vector<double> minuend, std::vector<double> subtrahend, std::uint32_t seed) {
  Sample a(std::move(minuend));
  Sample b(std::move(subtrahend));
  const double estimate = a.trimmed.mean - b.trimmed.mean;
  if (std::min(a.size(), b.size()) < visits_for_interval)
    return {estimate, a.sorted.front() - b.sorted.back(), a.sorted.back() - b.sorted.front(), false};
  const double squared_error = a.trimmed.squared_error + b.trimmed.squared_error;
  if (squared_error <= 0) return around(estimate, 0);
  if (std::min(a.size(), b.size()) >= visits_for_bootstrap) {
    std::mt19937 random(seed);
    std::vector<double> statistics(resamples);
    for (double& value : statistics) {
      const TrimmedMean again_a = resampled(a, random);
      const TrimmedMean again_b = resampled(b, random);
      value = statistic(again_a.mean - again_b.mean, again_a.squared_error + again_b.squared_error);
    }
    const double quantile = quantile_of(std::move(statistics));
    if (std::isfinite(quantile)) return around(estimate, quantile * std::sqrt(squared_error));
  }
  const double degrees_of_freedom = squared_error * squared_error /
                                    (a.trimmed.squared_error * a.trimmed.squared_error / (a.trimmed.kept - 1) +
                                     b.trimmed.squared_error * b.trimmed.squared_error / (b.trimmed.kept - 1));
  return around(estimate, student_quantile(degrees_of_freedom) * std::sqrt(squared_error));
}

} // namespace switchscope
