#include "engine/analysis/level_pieces.h"

#include <algorithm>
#include <limits>

namespace switchscope {
namespace {

// Sums up to each index, so that any piece's squares take no loop. Centred by the caller: large offsets lose digits.
struct Sums {
  std::vector<double> weight{0};
  std::vector<double> value{0};
  std::vector<double> square{0};
  [[nodiscard]] double squares_of(std::size_t first, std::size_t end) const {
    const double w = weight[end] - weight[first];
    const double v = value[end] - value[first];
    return std::max(0.0, square[end] - square[first] - v * v / w);
  }
};

Sums sums_of(const std::vector<double>& values, const std::vector<double>& weights) {
  double centre = 0;
  for (const double value : values) centre += value / static_cast<double>(values.size());
  Sums sums;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i] - centre;
    sums.weight.push_back(sums.weight.back() + weights[i]);
    sums.value.push_back(sums.value.back() + weights[i] * value);
    sums.square.push_back(sums.square.back() + weights[i] * value * value);
  }
  return sums;
}

} // namespace

std::vector<Piece> level_pieces(const std::vector<double>& values, const std::vector<double>& weights, double penalty) {
  const Sums sums = sums_of(values, weights);
  const std::size_t count = values.size();
  std::vector<double> best(count + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> begins(count + 1, 0);
  best[0] = -penalty; // the first piece needs no cut
  for (std::size_t end = 1; end <= count; ++end)
    for (std::size_t first = 0; first < end; ++first) {
      const double cost = best[first] + penalty + sums.squares_of(first, end);
      if (cost < best[end]) {
        best[end] = cost;
        begins[end] = first;
      }
    }
  std::vector<Piece> pieces;
  for (std::size_t end = count; end > 0; end = begins[end]) pieces.push_back({begins[end], end - 1});
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

std::vector<double> isotonic(const std::vector<double>& values, const std::vector<double>& weights) {
  struct Pool {
    double mean = 0;
    double weight = 0;
    std::size_t count = 0;
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Pool pool{values[i], weights[i], 1};
    while (!pools.empty() && pools.back().mean >= pool.mean) {
      const Pool& before = pools.back();
      pool.mean = (before.mean * before.weight + pool.mean * pool.weight) / (before.weight + pool.weight);
      pool.weight += before.weight;
      pool.count += before.count;
      pools.pop_back();
    }
    pools.push_back(pool);
  }
  std::vector<double> fitted;
  fitted.reserve(values.size());
  for (const Pool& pool : pools) fitted.insert(fitted.end(), pool.count, pool.mean);
  return fitted;
}

} // namespace switchscope
