#include "engine/analysis/rise_edges.h"

#include "engine/analysis/level_pieces.h"

#include <boost/math/constants/constants.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace switchscope {
namespace {

constexpr int draws = 400;
constexpr double low_reference = 0.1;
constexpr double high_reference = 0.9;

struct Edges {
  std::size_t last_low = 0;
  std::size_t first_high = 0;
  double middle_log2_bytes = 0;
};

double weighted_mean(const RiseWindow& window, const std::vector<double>& values, std::size_t first, std::size_t end) {
  double sum = 0;
  double weight = 0;
  for (std::size_t i = first; i < end; ++i) {
    sum += window.weights[i] * values[i];
    weight += window.weights[i];
  }
  return sum / weight;
}

// Between the two points around it, linearly on log2 size.
double crossing(const RiseWindow& window, const std::vector<double>& fitted, double level) {
  const auto above = std::find_if(fitted.begin(), fitted.end(), [level](double value) { return value >= level; });
  const auto i = static_cast<std::size_t>(above - fitted.begin());
  if (i == 0) return window.log2_bytes.front();
  if (i == fitted.size()) return window.log2_bytes.back();
  const double share = (level - fitted[i - 1]) / (fitted[i] - fitted[i - 1]);
  return window.log2_bytes[i - 1] + share * (window.log2_bytes[i] - window.log2_bytes[i - 1]);
}

Edges edges_through(const RiseWindow& window, const std::vector<double>& values) {
  const std::size_t count = values.size();
  const double low = weighted_mean(window, values, 0, window.lower_points);
  const double step = weighted_mean(window, values, count - window.upper_points, count) - low;
  const std::vector<double> fitted = isotonic(values, window.weights);
  const auto first_at = [&](double level) {
    const auto found = std::find_if(fitted.begin(), fitted.end(), [level](double value) { return value >= level; });
    return std::min(static_cast<std::size_t>(found - fitted.begin()), count - 1);
  };
  Edges edges;
  const std::size_t first_above = std::max<std::size_t>(first_at(low + low_reference * step), 1);
  edges.last_low = first_above - 1;
  edges.first_high = std::max(first_at(low + high_reference * step), first_above);
  edges.middle_log2_bytes = crossing(window, fitted, low + step / 2);
  return edges;
}

// Box and Muller, because std::normal_distribution differs between standard libraries.
double normal(std::mt19937_64& random) {
  const double u = (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53;
  const double v = static_cast<double>(random() >> 11) * 0x1p-53;
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * boost::math::constants::pi<double>() * v);
}

} // namespace

Rise edges_of(const RiseWindow& window, std::uint64_t seed) {
  const Edges seen = edges_through(window, window.values);
  const std::vector<double> fitted = isotonic(window.values, window.weights);
  std::mt19937_64 random(seed);
  std::vector<std::size_t> lows;
  std::vector<std::size_t> highs;
  std::vector<double> drawn(fitted.size());
  for (int draw = 0; draw < draws; ++draw) {
    for (std::size_t i = 0; i < fitted.size(); ++i)
      drawn[i] = fitted[i] + normal(random) / std::sqrt(window.weights[i]);
    const Edges edges = edges_through(window, drawn);
    lows.push_back(edges.last_low);
    highs.push_back(edges.first_high);
  }
  std::sort(lows.begin(), lows.end());
  std::sort(highs.begin(), highs.end());
  constexpr std::size_t cut = draws / 40; // 2.5 %
  Rise rise;
  rise.last_low = seen.last_low;
  rise.first_high = seen.first_high;
  rise.middle_log2_bytes = seen.middle_log2_bytes;
  // What was seen lies within its own interval, also where the draws' median is another.
  rise.last_low_least = std::min(lows[cut], seen.last_low);
  rise.last_low_most = std::max(lows[draws - 1 - cut], seen.last_low);
  rise.first_high_least = std::min(highs[cut], seen.first_high);
  rise.first_high_most = std::max(highs[draws - 1 - cut], seen.first_high);
  return rise;
}

} // namespace switchscope
