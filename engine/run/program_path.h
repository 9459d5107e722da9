// Which file a command word means, and whether it can be executed at all.
#pragma once

#include <string>

namespace switchscope {

// A word with a slash is a path; any other is looked for in PATH. Throws WorkerProblem (missing, not_executable) with
// what is wrong with which file.
[[nodiscard]] std::string program_path(const std::string& word);

} // namespace switchscope
