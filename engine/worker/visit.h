// One visit, from the request to what came of it: arrays, pilot, pairs of blocks, and the account of the conditions.
#pragma once

#include "engine/model/visit.h"

#include <cstdint>

namespace switchscope {

// To be called in a process of its own that has called guard_process(): task A is this process, or, by the paper's
// method, a child of it. The request must make sense: parse_argv sees to that. `received_ns` is the CLOCK_MONOTONIC_RAW
// time of the request. Throws VisitProblem.
[[nodiscard]] VisitData measure_visit(const VisitRequest&, std::int64_t received_ns);

// How much real-time CPU time without blocking the visit's processes may take: by the paper's method S2 is one stretch
// of it.
[[nodiscard]] std::int64_t unblocked_ns(const VisitRequest&);

// The deadline once the pilot has told how long a pair takes, from now: the time to measure x 5 + 2 s (x 20 without a
// real-time policy), and never later than last_deadline_ns, of which `spent_ns` are over. Of the paired method.
[[nodiscard]] std::int64_t measuring_deadline_ns(const VisitRequest&, double pair_ns, bool real_time,
                                                 std::int64_t spent_ns);

} // namespace switchscope
