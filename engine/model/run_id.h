// The identity of a run: unique wherever it was made, and sorted by name it is sorted by time.
#pragma once

#include <string>

namespace switchscope {

// 26 characters of lower-case Crockford base32 (no i, l, o, u): 48 bits of milliseconds since 1970, then 80 random
// bits. Ids made in the same millisecond are in no particular order. Any thread. Throws std::system_error without
// randomness.
[[nodiscard]] std::string new_run_id();

} // namespace switchscope
