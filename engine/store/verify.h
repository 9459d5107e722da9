// Whether a database is whole.
#pragma once

#include "engine/store/open.h"

#include <string>
#include <vector>

namespace switchscope {

// See Store::verify. Throws SQLite::Exception only when even the checks cannot run.
[[nodiscard]] std::vector<std::string> problems_in(OpenDatabase&);

} // namespace switchscope
