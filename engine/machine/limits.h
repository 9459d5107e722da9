// Memory, power and privileges: how much the worker may use.
#pragma once

#include "engine/model/environment.h"
#include "engine/protocol/messages.h"

namespace switchscope {

// Fills memory, hugetlb, load, power, real-time and locked-memory fields of the environment.
void read_limits(const Facts&, Environment&);

} // namespace switchscope
