// The measured machine as it stood before (and after) a run. Every reading that may be missing is optional.
#pragma once

#include "engine/model/core_sharing.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace switchscope {

struct Cache {
  int level = 0;               // 1, 2, 3, ...
  std::string kind;            // "data", "unified"
  std::int64_t size_bytes = 0; // > 0
  int line_bytes = 64;
  std::vector<int> cpus; // that share it
  std::string source;    // "reported", "measured" or "entered"
  friend bool operator==(const Cache&, const Cache&) = default;
};

// How much memory a data translation cache (TLB) covers: entries x page_bytes.
struct TranslationReach {
  int level = 0;    // 1, 2
  std::string kind; // "data", or "unified" when instructions share it
  int entries = 0;  // > 0
  std::int64_t page_bytes = 0;
  [[nodiscard]] std::int64_t reach_bytes() const { return entries * page_bytes; }
  friend bool operator==(const TranslationReach&, const TranslationReach&) = default;
};

struct Cpu {
  int number = 0;
  bool online = true;
  bool allowed = true; // in the cpuset and affinity of the worker
  bool isolated = false;
  bool nohz_full = false;
  int core = -1; // -1: not told
  int package = -1;
  std::vector<int> siblings; // hyperthreads of the same core, itself included
  std::string core_type;     // "performance", "efficient"; empty where all are alike
  std::string governor;      // empty where there is no cpufreq
  std::optional<double> max_ghz;
  std::optional<double> busy_ratio;       // 0..1, over the 50 ms before the machine was described
  std::optional<double> steal_ratio;      // 0..1 of its time since boot, taken by the hypervisor
  std::optional<double> interrupts_per_s; // since boot
  friend bool operator==(const Cpu&, const Cpu&) = default;
};

struct Environment {
  std::string host_name;
  std::string boot_id;      // of the kernel, another after each boot; empty when not told
  std::string architecture; // "x86_64", "aarch64"
  std::string cpu_model;
  std::string microcode; // "0x0" in many guests
  std::string kernel_release;
  std::string kernel_version;
  std::string kernel_command_line;
  std::string hypervisor;   // "KVM (nested)", "WSL2", ...; empty on bare metal
  std::string container;    // "docker", ...; empty outside
  std::string emulation;    // "qemu-user": instructions are emulated; empty otherwise
  std::string clock_source; // the kernel's: "tsc", "kvm-clock", ...
  std::string preemption;   // "none", "voluntary", "full", "dynamic: full", ...; empty when not told
  std::string no_hz;        // "idle", "full", "periodic"; empty when not told
  std::string paravirt;
  std::string transparent_huge_pages; // "madvise", "always", "never"
  std::string smt;                    // "on", "off", "notsupported", ...
  std::string boost;                  // "on", "off"; empty when not told
  std::string scaling_driver;
  std::string power;     // "mains", "battery"; empty where neither is told
  std::string real_time; // "yes", or why the kernel refuses the worker SCHED_FIFO; empty when not tried
  std::optional<int> hz;
  std::optional<std::int64_t> rt_period_us;
  std::optional<std::int64_t> rt_runtime_us;       // -1: no limit
  std::optional<std::int64_t> rt_priority_limit;   // RLIMIT_RTPRIO
  std::optional<std::int64_t> rt_group_runtime_us; // of the worker's control group, where groups share real time out
  std::optional<std::int64_t> booted_at_s;         // Unix time
  std::optional<std::int64_t> memory_total_bytes;
  std::optional<std::int64_t> memory_available_bytes;
  std::optional<std::int64_t> locked_memory_limit_bytes; // RLIMIT_MEMLOCK; absent: unlimited
  std::optional<std::int64_t> hugetlb_free_pages;
  std::optional<double> load_1min;
  std::optional<int> perf_event_paranoid;
  std::optional<int> randomize_va_space;
  std::string hardware_counters; // "yes", or why cycles cannot be counted; empty when not told
  std::string package_energy;    // "yes", or why the energy meter (RAPL) cannot be read; empty where there is none
  std::map<std::string, std::string> mitigations; // file name under vulnerabilities -> text
  std::map<std::string, std::string> versions;    // "switchscope", "worker", "worker build", "hwloc", ...
  std::vector<Cpu> cpus;                          // every present CPU, by number
  std::vector<Cache> caches;                      // data and unified
  std::vector<CoreSharing> core_sharing;          // what was measured of its CPUs since it was booted; by CPU
  std::vector<TranslationReach> translation;      // of the CPU that described the machine; empty when not told
  std::string topology_xml;                       // all that hwloc made out, as it writes it; empty when it could not
  friend bool operator==(const Environment&, const Environment&) = default;
};

// What real-time tasks may use of a period, by the machine's limit and their control group's (each: -1 is none, absent
// is not told). A machine without a limit keeps none for groups either.
[[nodiscard]] std::optional<std::int64_t> lower_rt_runtime_us(std::optional<std::int64_t> of_machine,
                                                              std::optional<std::int64_t> of_group);

[[nodiscard]] bool serves(const Cache&, int cpu); // the CPU's data go through it

// Size of the data cache of that level that serves the CPU; absent when the machine does not tell.
[[nodiscard]] std::optional<std::int64_t> cache_bytes(const Environment&, int cpu, int level);
// The largest level that serves the CPU.
[[nodiscard]] std::optional<std::int64_t> last_level_cache_bytes(const Environment&, int cpu);

} // namespace switchscope
