// How long a visit may take before it is given up.
#pragma once

#include "engine/model/visit.h"

#include <cstdint>

namespace switchscope {

// What the visit should take, generously: its duration, and for large arrays the traversals that the smallest number of
// pairs needs at 5 ns an element (a strided pass over main memory), with filling and checking.
[[nodiscard]] std::int64_t planned_ns(const VisitRequest&);

// The tasks end themselves after planned x 5 + 1 s and the watchdog ends them after planned x 5 + 2 s, so that the
// worker has the chance to say itself what was wrong.
[[nodiscard]] std::int64_t task_deadline_ns(const VisitRequest&);
[[nodiscard]] std::int64_t watchdog_ns(const VisitRequest&);

} // namespace switchscope
