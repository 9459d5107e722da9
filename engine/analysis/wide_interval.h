// An interval of any level for a trimmed mean, for verdicts that several intervals decide together.
#pragma once

#include "engine/analysis/estimate.h"

#include <vector>

namespace switchscope {

// Trimmed t (docs/measurement.md) at `level` (0.95, 0.99; > 0 and < 1) from at least one value; the range seen for
// fewer than 4.
[[nodiscard]] Interval trimmed_t_interval(std::vector<double> values, double level);

} // namespace switchscope
