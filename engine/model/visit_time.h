// How long a visit takes, and how long it may take before it is given up. One home for both sides: the worker's own
// timers must end a visit before the watchdog of the program that reads it does.
#pragma once

#include "engine/model/visit.h"

#include <cstdint>

namespace switchscope {

// What the visit may take where the machine is slow: max(duration, 28 x min_pairs x visited elements x 20 ns) to
// measure, and 20 x all elements x 20 ns to prepare and check. 28 traversals are a pair's. 20 ns an element is about
// four times what a strided pass over main memory costs on a quiet machine. A round of the paper's method: 10,000
// trips of three traversals, with 20 us for the switches and system calls of each, whatever the duration. At most 30
// days.
[[nodiscard]] std::int64_t planned_ns(const VisitRequest&);

inline constexpr std::int64_t longest_real_time_pair_ns = 400'000'000; // a longer one runs under SCHED_OTHER

// What a pair of blocks takes on a quiet machine: 28 traversals at 5 ns an element, and no less than three blocks of
// the longest jitter. Of the paired method.
[[nodiscard]] std::int64_t usual_pair_ns(const VisitRequest&);

// planned x 5 + 2 s, for the whole visit. It ends what hangs.
[[nodiscard]] std::int64_t watchdog_ns(const VisitRequest&);

// When the worker's own timers end the visit at the latest, counted from the request: its deadline_ns, or half a second
// before the watchdog. That is time to say so; then the worker lives on, and the next visit needs no new one.
[[nodiscard]] std::int64_t last_deadline_ns(const VisitRequest&);

} // namespace switchscope
