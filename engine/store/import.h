// Runs from another database.
#pragma once

#include "engine/store/open.h"

#include <string>
#include <vector>

namespace switchscope {

// See Store::import. Runs in the other database's trash stay there. Throws SQLite::Exception about `into` and
// StoreProblem.
std::vector<std::string> import_runs(OpenDatabase& into, OpenDatabase& from);

} // namespace switchscope
