// The estimate of the paper's own method, from the rounds of a point.
#pragma once

#include "engine/analysis/estimate.h"

#include <optional>
#include <vector>

namespace switchscope {

// Smallest S1 per switch less smallest S2 per trip over all rounds, as the authors' program reports it. Rounds that
// ran under another policy than `policy` are set aside, nothing else is, and there is no interval: low and high are the
// range of the rounds' own differences. `rounds` are the point's visits that yielded blocks, at least one. The
// pauses that the worker found in the rounds used are counted in `stalls`, and flagged.
[[nodiscard]] PointEstimate paper_estimate(const std::vector<const VisitData*>& rounds, std::optional<Policy> policy,
                                           const Thresholds&, const Environment&);

} // namespace switchscope
