// How far the data translation caches (TLBs) of the CPU reach, out of the worker's fact "tlb".
#pragma once

#include "engine/model/environment.h"
#include "engine/protocol/messages.h"

#include <vector>

namespace switchscope {

// By level, then page size. Empty where the processor does not tell (Arm has no such register; some guests hide it) and
// for what is not understood. Sources: Intel SDM vol. 2A, CPUID leaves 02H and 18H; AMD APM vol. 3, CPUID functions
// 8000_0005, 8000_0006 and 8000_0019.
[[nodiscard]] std::vector<TranslationReach> translation_from(const Facts&);

} // namespace switchscope
