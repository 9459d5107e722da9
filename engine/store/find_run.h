// From what a user types to one run.
#pragma once

#include "engine/store/open.h"

#include <string>

namespace switchscope {

// See Store::resolve.
[[nodiscard]] std::string find_run(OpenDatabase&, const std::string& reference, bool among_deleted);

} // namespace switchscope
