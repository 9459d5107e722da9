// How long a visit may take before it is given up.
#pragma once

#include "engine/model/visit.h"

#include <cstdint>

namespace switchscope {

// What the visit may take where the machine is slow: max(duration, 28 x min_pairs x visited elements x 20 ns) to
// measure, and 20 x all elements x 20 ns to prepare and check. 28 traversals are a pair's. 20 ns an element is about
// four times what a strided pass over main memory costs on a quiet machine. A round of the paper's method: 10,000
// trips of three traversals, with 20 us for the switches and system calls of each, whatever the duration.
[[nodiscard]] std::int64_t planned_ns(const VisitRequest&);

// planned x 5 + 2 s, for the whole visit. It ends what hangs. A visit that is merely too slow is ended by the worker's
// own deadlines, which know how long a pair takes there.
[[nodiscard]] std::int64_t watchdog_ns(const VisitRequest&);

} // namespace switchscope
