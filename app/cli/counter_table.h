// What the visits that counted events found, per switch, and the lines that explain it.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/run.h"
#include "engine/model/visit.h"

#include <string>
#include <vector>

namespace switchscope {

// A row for each point that was counted, a column for each event; several tables where so many columns hold not
// all events; empty when there is none.
[[nodiscard]] std::string counter_table(const Run&, const RunEstimates&, int columns);

// One sentence or list each, not yet wrapped: what could not be counted, what was counted for part of the time, or why
// there are no counts at all. Empty when the machine did not tell whether it can count.
[[nodiscard]] std::vector<std::string> counter_notes(const Run&, const std::vector<Visit>&, const RunEstimates&);

} // namespace switchscope
