// The result of a run as text: direct cost first, then one block of rows per curve, then what
// was set aside, the proof of count and the conditions.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/run.h"
#include "engine/model/visit.h"

#include <string>
#include <vector>

namespace switchscope {

inline constexpr int table_columns = 100;

// UTF-8, ends with a newline, at most so many columns wide (60 and more; fewer are exceeded). In fewer than 100 the
// columns that matter less stand below their row. Needs no terminal; any thread.
[[nodiscard]] std::string result_table(const Run&, const std::vector<Visit>&, const RunEstimates&,
                                       const std::vector<ResumedOn>& = {}, int columns = table_columns);

} // namespace switchscope
