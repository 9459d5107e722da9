// Events per switch from the visits that counted them.
#pragma once

#include "engine/analysis/estimate.h"

#include <vector>

namespace switchscope {

// By name, in the order in which the visits told them.
[[nodiscard]] std::vector<CounterPerSwitch> counters_per_switch(const std::vector<const VisitData*>&);

} // namespace switchscope
