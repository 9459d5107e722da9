// What earlier checks found about a machine, brought together with what it tells now.
#pragma once

#include "engine/model/environment.h"
#include "engine/store/store.h"

namespace switchscope {

// The environment with the last stored result on shared cores of each of its CPUs. Those from before the last boot are
// left out, and all where the time of boot is not told: hyperthreads may have been dealt anew.
[[nodiscard]] Environment with_stored_checks(Environment, const Store&);

void remember_sharing(const Environment&, const CoreSharing&, Store&);

// Throws SessionRefusal where instructions are emulated.
void refuse_emulation(const Environment&);

} // namespace switchscope
