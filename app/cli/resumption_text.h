// Whether a run was taken up again, and on what other machine.
#pragma once

#include "engine/model/run.h"

#include <string>
#include <vector>

namespace switchscope {

// "Resumed 2 times; the last on another machine: CPU model A then, B now; kernel 6.1 then, 6.2 now." Not yet wrapped;
// empty for a run that was never taken up again.
[[nodiscard]] std::vector<std::string> resumption_notes(const std::vector<ResumedOn>&);

} // namespace switchscope
