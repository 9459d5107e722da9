// `show --visits`: each visit with what the machine was like around it.
#pragma once

#include "engine/analysis/estimate.h"

#include <string>
#include <vector>

namespace switchscope {

// One line a visit, in the order measured; empty without visits.
[[nodiscard]] std::string visit_table(const Run&, const std::vector<Visit>&, const RunEstimates&);

} // namespace switchscope
