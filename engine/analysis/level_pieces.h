// Steps 1 and 4 of the cliff finder (rises.h): pieces of equal level, and the nearest curve that never falls.
#pragma once

#include <cstddef>
#include <vector>

namespace switchscope {

struct Piece { // of equal level: indices first .. last
  std::size_t first = 0;
  std::size_t last = 0;
};

// The best cut into pieces by weighted squares and a penalty for each cut. Weights above 0, as many as values; at least
// one. Time and memory grow with the square of the number of values.
[[nodiscard]] std::vector<Piece> level_pieces(const std::vector<double>& values, const std::vector<double>& weights,
                                              double penalty);

// Weighted isotonic regression by pooling adjacent violators.
[[nodiscard]] std::vector<double> isotonic(const std::vector<double>& values, const std::vector<double>& weights);

} // namespace switchscope
