// How the kernel of the described machine schedules and ticks.
#pragma once

#include "engine/protocol/messages.h"

#include <optional>
#include <string>

namespace switchscope {

// "none", "voluntary", "full", "lazy", "rt"; "dynamic: full" where it can be switched at run time; "dynamic" when it is
// not told to what; "none or voluntary" where only the version string is readable; empty when nothing is told.
[[nodiscard]] std::string preemption_of(const Facts&);
// Timer interrupts per second: the configuration's, else from the resolution of the coarse clock (1e9 / HZ).
[[nodiscard]] std::optional<int> hz_of(const Facts&);
// "idle", "full", "periodic"; empty when not told.
[[nodiscard]] std::string no_hz_of(const Facts&);
// "6.1.0-13-amd64"; empty when not told.
[[nodiscard]] std::string kernel_release_of(const Facts&);
[[nodiscard]] std::string kernel_version_of(const Facts&);

} // namespace switchscope
