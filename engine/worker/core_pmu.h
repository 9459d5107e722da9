// Which of a hybrid processor's sets of counters serves a CPU. Its fast and its small cores have one each.
#pragma once

#include "engine/worker/sysroot.h"

#include <cstdint>
#include <string_view>

namespace switchscope {

// "0-3,8" holds 2 and 8; malformed parts hold nothing.
[[nodiscard]] bool list_holds(std::string_view cpu_list, int cpu);

// What has to be added to the `config` of a generic event so that it is counted on that CPU's cores: the set's number
// in the upper half (PERF_PMU_TYPE_SHIFT of linux/perf_event.h). 0 where all cores are alike, and for -1.
[[nodiscard]] std::uint64_t core_pmu_bits(const Sysroot&, int cpu);

} // namespace switchscope
