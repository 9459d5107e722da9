// What a visit asks the machine about itself before and after its blocks.
#pragma once

#include "engine/model/point.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace switchscope {

[[nodiscard]] std::vector<int> measured_cpus(const Placement&); // empty: any

// What the machine counted around the blocks. Read under SCHED_OTHER.
struct Surroundings {
  std::int64_t steal_ticks = 0;
  std::int64_t interrupts = 0;
};
[[nodiscard]] Surroundings surroundings_of(const std::vector<int>& cpus);
[[nodiscard]] std::int64_t steal_ns_between(const Surroundings& before, const Surroundings& after);

[[nodiscard]] std::optional<std::int64_t> available_memory_bytes(PageMode); // absent: not told

} // namespace switchscope
