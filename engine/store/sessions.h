// Sessions as rows: written when they begin, then only what they have used and their end change.
#pragma once

#include "engine/model/session.h"
#include "engine/store/open.h"

#include <cstdint>
#include <vector>

namespace switchscope {

// All throw SQLite::Exception, and StoreProblem where rows cannot be read.
void start_session(OpenDatabase&, std::int64_t run_row, const Session&);               // a stored one stays as it is
void end_session(OpenDatabase&, std::int64_t run_row, const Session&);                 // also one that ended early
[[nodiscard]] std::vector<Session> read_sessions(OpenDatabase&, std::int64_t run_row); // by number

} // namespace switchscope
