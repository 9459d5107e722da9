// The machine in calm words: what it is, and what limits a measurement on it.
#pragma once

#include "engine/machine/machine.h"

#include <string>

namespace switchscope {

// At most 100 columns wide, ends with a newline.
[[nodiscard]] std::string describe_text(const Environment&, const CpuChoice&);

} // namespace switchscope
