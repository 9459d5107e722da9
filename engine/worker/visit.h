// One visit, from the request to what came of it: arrays, pilot, pairs of blocks, and the account of the conditions.
#pragma once

#include "engine/model/visit.h"

#include <cstdint>
#include <string>

namespace switchscope {

// To be called in a process of its own that has called guard_process(): task A is this process, or, by the paper's
// method, a child of it. `received_ns` is the
// CLOCK_MONOTONIC_RAW time of the request. Throws VisitProblem.
[[nodiscard]] VisitData measure_visit(const VisitRequest&, std::int64_t received_ns);

// Why the request makes no sense on any machine: a sentence, empty when it does.
[[nodiscard]] std::string request_problem(const VisitRequest&);

// How much real-time CPU time without blocking the visit's processes may take: by the paper's method S2 is one stretch
// of it.
[[nodiscard]] std::int64_t unblocked_ns(const VisitRequest&);

// The deadline until the pilot has told how long the visit will take: duration x 5 + 2 s, and time to prepare the
// arrays.
[[nodiscard]] std::int64_t first_deadline_ns(const VisitRequest&);

} // namespace switchscope
