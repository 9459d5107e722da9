// Notes under the table on what is not there: points that failed or were not visited, and costs that cannot be told.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/run.h"
#include "engine/model/visit.h"

#include <string>
#include <vector>

namespace switchscope {

// One sentence or list each, not yet wrapped.
void add_absences(std::vector<std::string>& notes, const Run&, const std::vector<Visit>&, const RunEstimates&);

} // namespace switchscope
