// Runs as rows: written once, then only their state and their end change.
#pragma once

#include "engine/model/run_event.h"
#include "engine/store/open.h"
#include "engine/store/store.h"

#include <cstdint>
#include <string>
#include <vector>

namespace switchscope {

// All throw SQLite::Exception, and StoreProblem where a run is not there or its rows cannot be read.
[[nodiscard]] std::int64_t row_of_run(OpenDatabase&, const std::string& id);
// Inserts the run, or sets a stored one to running again. Returns its row.
std::int64_t start_run(OpenDatabase&, const RunStarted&);
// Appends to the run's points.
void add_points(OpenDatabase&, std::int64_t run_row, const PointsAdded&);
void end_run(OpenDatabase&, std::int64_t run_row, const RunEnded&);
void set_deleted(OpenDatabase&, const std::string& id, bool deleted);

[[nodiscard]] std::vector<RunSummary> list_runs(OpenDatabase&, bool with_deleted);
[[nodiscard]] Run read_run(OpenDatabase&, const std::string& id);
[[nodiscard]] std::vector<RunResumed> read_resumptions(OpenDatabase&, std::int64_t run_row);

} // namespace switchscope
