// The findings by what they look at. Each function adds what it finds, in order of harm. Private to engine/machine.
#pragma once

#include "engine/machine/readiness.h"

#include <string>
#include <vector>

namespace switchscope {

using Findings = std::vector<Finding>;

// readiness_host.cpp: what stands between the program and the processor.
[[nodiscard]] Finding emulation_finding(const Environment&);
[[nodiscard]] Finding wsl_finding(const Environment&);
[[nodiscard]] Finding hypervisor_finding(const Environment&);
[[nodiscard]] Finding container_finding(const Environment&);
[[nodiscard]] Finding power_finding(const Environment&);
[[nodiscard]] Finding turbo_finding(const Environment&);
[[nodiscard]] Finding smt_finding(const Environment&);

// readiness_cpu.cpp: the chosen CPU.
[[nodiscard]] Finding usable_cpus_finding(const Environment&);
[[nodiscard]] Finding load_finding(const Environment&, const Cpu&);
[[nodiscard]] Finding shared_core_finding(const Environment&, const Cpu&);
[[nodiscard]] Finding steal_finding(const Environment&, const Cpu&);
[[nodiscard]] Finding governor_finding(const Cpu&);
[[nodiscard]] Finding core_type_finding(const Environment&, const Cpu&);
[[nodiscard]] Finding interrupts_finding(const Environment&, const Cpu&);
[[nodiscard]] Finding isolation_finding(const Cpu&);
[[nodiscard]] Finding ticks_finding(const Environment&, const Cpu&);

// readiness_kernel.cpp: what the kernel allows and how it is set up.
[[nodiscard]] Finding real_time_finding(const Environment&, const std::string& worker);
[[nodiscard]] Finding throttling_finding(const Environment&);
[[nodiscard]] Finding huge_pages_finding(const Environment&);
[[nodiscard]] Finding aslr_finding(const Environment&);
[[nodiscard]] Finding counters_finding(const Environment&);

// readiness_caches.cpp
[[nodiscard]] Finding caches_finding(const Environment&, const Cpu&);
// Why a reported size cannot be: sentences' ends such as "L2 of 16 KiB is smaller than L1d of 32 KiB". Empty: none.
[[nodiscard]] std::vector<std::string> implausible_caches(const Environment&, int cpu);

} // namespace switchscope
