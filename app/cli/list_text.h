// Stored runs as a list for people.
#pragma once

#include "engine/store/store.h"

#include <string>
#include <vector>

namespace switchscope {

inline constexpr int list_columns = 100;

// A line for each run, or two in fewer than 100 columns; empty for no runs.
[[nodiscard]] std::string list_text(const std::vector<RunSummary>&, int columns = list_columns);

} // namespace switchscope
