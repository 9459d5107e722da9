// What the CPUs did: busy just now, stolen from and interrupted since boot.
#pragma once

#include "engine/model/environment.h"
#include "engine/protocol/messages.h"

namespace switchscope {

// Fills busy_ratio, steal_ratio and interrupts_per_s of the CPUs, and the time of boot. What is not told stays absent.
void read_cpu_times(const Facts&, Environment&);

} // namespace switchscope
