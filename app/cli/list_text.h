// Stored runs as a list for people.
#pragma once

#include "engine/store/store.h"

#include <string>
#include <vector>

namespace switchscope {

// At most 100 columns wide; empty for no runs.
[[nodiscard]] std::string list_text(const std::vector<RunSummary>&);

} // namespace switchscope
