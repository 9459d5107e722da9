// The machine's topology as hwloc writes it.
#pragma once

#include "engine/worker/sysroot.h"

#include <string>

namespace switchscope {

// hwloc's XML of CPUs, caches, memory nodes and the allowed sets, without devices and serial numbers. Empty when hwloc
// cannot read the machine, or when the worker was built without it. Sets environment variables: one thread only.
[[nodiscard]] std::string topology_xml(const Sysroot&);
// "2.9.0"; empty without hwloc.
[[nodiscard]] std::string hwloc_version();

} // namespace switchscope
