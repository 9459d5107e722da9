// Tells probes taken while the core was shared with another tenant from clean ones. Rule: docs/measurement.md.
#pragma once

#include "engine/analysis/estimate.h"

#include <optional>
#include <span>
#include <vector>

namespace switchscope {

// The split of one placement's probes, all of the run together. The run's own gap first (Otsu), then the stored level
// of this placement, then unknown. A gap is accepted when it is wider than `gap_ratio` of where its clean side begins.
// Probes without a reading (adds_per_cycle <= 0) are passed over.
[[nodiscard]] ContentionSplit contention_split(std::span<const Probe> probes, double gap_ratio,
                                               const std::optional<StoredLevel>& stored);

// Otsu's threshold between neighbours of `ascending`: the number of values below it that makes the variance between
// the two sides largest, with at least `at_least_above` values above. 0 when all values are equal or too few.
[[nodiscard]] std::size_t otsu_cut(std::span<const double> ascending, std::size_t at_least_above);

} // namespace switchscope
