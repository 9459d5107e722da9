// The lines "other tools here would print" below a table.
#pragma once

#include "engine/analysis/other_tools.h"

#include <string>
#include <vector>

namespace switchscope {

// At most `columns` wide where its words allow, ends with a newline; empty when there is nothing to compare. Of each
// program the cost without data and the smallest and the largest array; the result document has all.
[[nodiscard]] std::string other_tools_text(const std::vector<OtherTool>&, int columns);

} // namespace switchscope
