// Whether work on another CPU slows this one down: the throughput probe on the chosen CPU, while a task pinned to the
// other one sleeps and spins in turns. All under SCHED_OTHER: nothing here can hold a CPU against anybody.
#pragma once

#include "engine/protocol/messages.h"

#include <cstddef>
#include <cstdint>

namespace switchscope {

inline constexpr std::int64_t sharing_slot_ns = 15'000'000; // asleep, and again spinning
inline constexpr int fewest_sharing_pairs = 8;              // for a candidate; with fewer, more candidates would fit

// Called in a process of its own, on any CPU. Takes request.duration_ns at most. A candidate that cannot be pinned to,
// or that did not get to spin, has no readings. Throws VisitProblem ("cpu", "fork") about the chosen CPU.
[[nodiscard]] SharingLine probe_sharing(const SharesCommand&);

// How many of the candidates there is time for, and how many pairs each gets.
struct SharingTimetable {
  int candidates = 0;
  int pairs = 0;
};
[[nodiscard]] SharingTimetable sharing_timetable(std::int64_t duration_ns, std::size_t candidates);

} // namespace switchscope
