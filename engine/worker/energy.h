// The energy a processor package has used, as the kernel's powercap tree tells it (RAPL, Intel and AMD).
#pragma once

#include "engine/worker/sysroot.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace switchscope {

struct EnergyDomain {
  std::string file;            // of its running sum in microjoules, as a path below the root
  std::int64_t largest_uj = 0; // after which the sum begins again at 0
};

// The domains of that package; of all packages for -1. Parts of a package (core, dram) are not among them.
[[nodiscard]] std::vector<EnergyDomain> energy_domains(const Sysroot&, int package);
// The package of a CPU; -1 when it is not told, and for -1.
[[nodiscard]] int package_of(const Sysroot&, int cpu);

// One sum per domain; absent when one cannot be read (only root may, since it tells too much about other programs).
[[nodiscard]] std::optional<std::vector<std::int64_t>> energy_now_uj(const Sysroot&, const std::vector<EnergyDomain>&);
// Used between two readings, which must lie less than one wrap-around apart (minutes).
[[nodiscard]] double joules_between(const std::vector<EnergyDomain>&, const std::vector<std::int64_t>& before_uj,
                                    const std::vector<std::int64_t>& after_uj);

} // namespace switchscope
