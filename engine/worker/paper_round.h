// One round by the paper's method (Li, Ding, Shen 2007): 10,000 trips of S2 in a process of its own, then 10,000 round
// trips of S1 in two others. Each has fresh arrays and is preceded by a walk over 4 MiB, and nothing is paired.
#pragma once

#include "engine/model/visit.h"

#include <cstdint>
#include <span>
#include <vector>

namespace switchscope {

// The calling process only waits meanwhile. It must have called guard_process with last_deadline_ns for both times.
// Each process that measures lowers that for itself once it has seen how long a trip takes here: 10,000 trips x 5 + 2 s
// (x 20 under SCHED_OTHER), which is also how long it may run without blocking. `received_ns` is the
// CLOCK_MONOTONIC_RAW time of the request. Throws VisitProblem.
[[nodiscard]] VisitData measure_paper_round(const VisitRequest&, std::int64_t received_ns);

// VisitReport::stalls_ns of one block. `marks`: the clock at the end of each of its equal stretches.
[[nodiscard]] std::vector<double> stalls_in(std::uint64_t begin_ticks, std::span<const std::uint64_t> marks,
                                            double ticks_per_ns);

} // namespace switchscope
