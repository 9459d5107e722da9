// A stored run as the standard output shows it.
#pragma once

#include "engine/session/session.h"

#include <string>

namespace switchscope {

[[nodiscard]] std::string document_text(const LoadedRun&);
[[nodiscard]] std::string table_text(const LoadedRun&); // as wide as the terminal, else 100 columns

} // namespace switchscope
