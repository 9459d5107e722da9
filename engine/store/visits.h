// Visits and their raw blocks as rows.
#pragma once

#include "engine/model/run_event.h"
#include "engine/store/open.h"

#include <cstdint>
#include <string>
#include <vector>

namespace switchscope {

// Both throw SQLite::Exception and StoreProblem, and must be called inside a transaction.
void insert_visit(OpenDatabase&, std::int64_t run_row, const VisitEnded&);
void write_set_aside(OpenDatabase&, std::int64_t run_row, int sequence, const std::vector<SetAside>& by_pair);

[[nodiscard]] std::vector<Visit> read_visits(OpenDatabase&, std::int64_t run_row); // by sequence

} // namespace switchscope
