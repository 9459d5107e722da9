// CPUs and caches out of the facts: from hwloc's XML where the worker could make it, else from the files of /sys.
#pragma once

#include "engine/model/environment.h"
#include "engine/protocol/messages.h"

#include <vector>

namespace switchscope {

struct Topology {
  std::vector<Cpu> cpus;     // every present CPU by number, without governor and frequency
  std::vector<Cache> caches; // data and unified ones whose size is told, by level, kind and first CPU
};

[[nodiscard]] Topology topology_from(const Facts&);

} // namespace switchscope
