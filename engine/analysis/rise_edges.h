// Step 4 of the cliff finder (rises.h): where one rise begins and ends.
#pragma once

#include "engine/analysis/rises.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace switchscope {

// The points of one rise, by size: first those of the lower level, last those of the upper.
struct RiseWindow {
  std::vector<double> log2_bytes;
  std::vector<double> values;
  std::vector<double> weights; // 1 / variance
  std::size_t lower_points = 1;
  std::size_t upper_points = 1;
};

// Indices into the window; `lower_value` and `step` are left to the caller.
[[nodiscard]] Rise edges_of(const RiseWindow&, std::uint64_t seed);

} // namespace switchscope
