// The lines under the table about sessions: what the intervals speak of, and where the spread lies.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/run.h"

#include <string>
#include <vector>

namespace switchscope {

// One sentence or list each, not yet wrapped. None for a run without intervals that asked for one session.
[[nodiscard]] std::vector<std::string> session_notes(const Run&, const RunEstimates&);

// Of several sessions: one line for each placement.
void add_contention_by_session(std::vector<std::string>& notes, const RunEstimates&);

// "Variance of the direct cost: 62 % within visits, 30 % between visits, 8 % between sessions (...)"; empty where it
// cannot be told. A negative component stands as it is and counts as no share.
[[nodiscard]] std::string variance_note(const Run&, const RunEstimates&);

} // namespace switchscope
