// Which CPUs share a core: what is reported, and what the probe found where a guest is told otherwise.
#pragma once

#include "engine/model/environment.h"
#include "engine/protocol/messages.h"

#include <string>
#include <vector>

namespace switchscope {

// One candidate's verdict. A pair counts as fallen when the throughput fell by at least 15 % while the other CPU spun,
// as steady within 7.5 %. Four fifths of at least 6 pairs must agree. Where something else kept the other CPU busy a
// quarter of the time, "does not" cannot be told: the quiet readings were not quiet.
[[nodiscard]] CoreNeighbour neighbour_from(const SharingSeries&);
// `asked`: how many candidates there were. `taken_at`: UTC.
[[nodiscard]] CoreSharing sharing_from(const SharingLine&, std::size_t asked, const std::string& taken_at);

// The CPUs to try, in that order: idle ones first, among them reported hyperthreads, then the numbers that are
// hyperthreads on most machines.
[[nodiscard]] std::vector<int> sharing_candidates(const Environment&, int cpu);

// What was measured of that CPU; nullptr when nothing was.
[[nodiscard]] const CoreSharing* sharing_of(const Environment&, int cpu);
// The other CPUs of its core: reported, or measured (of it or of the other one); sorted.
[[nodiscard]] std::vector<int> core_mates(const Environment&, int cpu);
[[nodiscard]] bool is_busy(const Cpu&); // kept by another program just before the machine was described

} // namespace switchscope
