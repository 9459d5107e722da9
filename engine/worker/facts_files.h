// Which files of /proc, /sys and /boot describe a machine for the purpose of switch costs.
#pragma once

#include "engine/worker/sysroot.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace switchscope {

// Absolute path -> content. Shortened, because all of it travels in one line:
//   /proc/cpuinfo    the first block of each distinct processor model, and blocks that belong to no processor
//   kernel config    the lines about HZ, NO_HZ, PREEMPT and RT_GROUP_SCHED
//   /proc/stat       the lines of the CPUs and of the time of boot
//   /proc/interrupts one line with the sum of each CPU
//   /proc/self/status  the lines about allowed CPUs, capabilities and seccomp
//   a CPU's caches   once, below the first CPU that shares them
[[nodiscard]] std::map<std::string, std::string> collect_files(const Sysroot&);

[[nodiscard]] std::string one_block_per_model(std::string_view cpuinfo);
[[nodiscard]] std::string scheduling_options(std::string_view kernel_config);
[[nodiscard]] std::string cpu_times(std::string_view proc_stat);
[[nodiscard]] std::string interrupt_sums(std::string_view proc_interrupts);

// Where the control group of this /proc/self/cgroup may keep its limit on real time, in microseconds a period. There is
// none with the second generation of control groups.
[[nodiscard]] std::vector<std::string> group_real_time_files(std::string_view proc_self_cgroup);

} // namespace switchscope
