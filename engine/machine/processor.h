// The processor's name and kind.
#pragma once

#include "engine/protocol/messages.h"

#include <string>
#include <string_view>

namespace switchscope {

// "AMD EPYC 7763 64-Core Processor"; on Arm the part, "Arm Neoverse-N1" or "implementer 0x48, part 0xd01"; several
// designs of one machine joined with " + ". Empty when not told.
[[nodiscard]] std::string cpu_model_of(const Facts&);
[[nodiscard]] bool has_cpu_flag(const Facts&, std::string_view flag); // of /proc/cpuinfo, x86

// One word per family, so that "amd64" equals "x86_64" and "arm64" "aarch64"; "i686" counts as x86_64, for one kernel
// runs both. Empty for an empty text.
[[nodiscard]] std::string architecture_family(std::string_view);
[[nodiscard]] std::string architecture_in_cpuinfo(const Facts&); // a family; empty when not recognised

} // namespace switchscope
