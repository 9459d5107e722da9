// Whether a probe or a clock told anything.
#pragma once

#include <cmath>

namespace switchscope {

// Readings that failed are 0; recordings may hold anything.
[[nodiscard]] inline bool is_read(double reading) {
  return std::isfinite(reading) && reading > 0;
}

} // namespace switchscope
