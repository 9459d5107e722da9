// Notes under the table on the machine: its neighbours, its clock, what changed, and what limits it.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/run.h"
#include "engine/model/visit.h"

#include <map>
#include <string>
#include <vector>

namespace switchscope {

// One sentence or list each, not yet wrapped.

// Of a run of one session: how its probes tell a busy core, by placement.
void add_contention(std::vector<std::string>& notes, const std::map<std::string, ContentionSplit>&);
// What the visits ran with, and why where that is not what was asked.
void add_conditions(std::vector<std::string>& notes, const std::vector<Visit>&);
// What the neighbours and the clock were doing.
void add_surroundings(std::vector<std::string>& notes, const Run&, const std::vector<Visit>&, const RunEstimates&);
void add_changes(std::vector<std::string>& notes, const Run&); // of the machine, during the run
void add_limit(std::vector<std::string>& notes, const Run&);   // what is worst about this machine

} // namespace switchscope
