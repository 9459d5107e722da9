// Runs, and what was found about machines, from another database.
#pragma once

#include "engine/store/open.h"
#include "engine/store/store.h"

namespace switchscope {

// See Store::import. Runs in the other database's trash stay there. Throws SQLite::Exception about `into`, and
// StoreProblem: about the other database where that is at fault.
Imported import_from(OpenDatabase& into, OpenDatabase& from);

} // namespace switchscope
