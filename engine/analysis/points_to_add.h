// The adaptive sweep: which points to measure besides those there are. Method: docs/measurement.md.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/run.h"

#include <cstdint>
#include <vector>

namespace switchscope {

// New points of the run's curves, by urgency and then by size; each curve gets the sizes it needs itself:
// 1. halving the gaps at the edges of its cliffs;
// 2. quarter octaves between C/2 and C of each cache that both tasks share;
// 3. halving gaps between neighbours that differ by more than their intervals, the clearest first;
// 4. of a curve without any cliff: one octave more, two sizes, up to the plan's extend_to_bytes.
// 1 to 3 stay within the sizes measured. Sizes lie on the plan's grid of edge_points_per_octave, in whole cache lines,
// and are new to their curve. With `max_added_points` no more than that over the whole run, and no more than a quarter
// of the points there are (at least 4) at once, so that what is added follows what was seen.
[[nodiscard]] std::vector<Point> points_to_add(const Run&, const RunEstimates&);

// The grid size nearest to the middle (on log2) strictly between two sizes; 0 where the gap is resolved already.
[[nodiscard]] std::int64_t size_between(std::int64_t smaller, std::int64_t larger, int points_per_octave);

} // namespace switchscope
