#include "engine/worker/facts_calls.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <linux/perf_event.h>
#include <sched.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace switchscope {
namespace {

using Calls = std::map<std::string, std::string>;

std::string printable(std::string_view text) {
  std::string clean;
  for (const char c : text) clean += c >= ' ' && c <= '~' ? c : '?';
  return clean;
}

void keep_uname(Calls& calls) {
  utsname names{};
  if (::uname(&names) != 0) return;
  calls["uname.sysname"] = printable(names.sysname);
  calls["uname.nodename"] = printable(names.nodename);
  calls["uname.release"] = printable(names.release);
  calls["uname.version"] = printable(names.version);
  calls["uname.machine"] = printable(names.machine);
}

void keep_limit(Calls& calls, const char* key, __rlimit_resource resource) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return;
  calls[key] = limit.rlim_cur == RLIM_INFINITY ? "unlimited" : std::to_string(limit.rlim_cur);
}

// Whether cycles of this thread could be counted: the least that any use of the hardware's counters needs.
void keep_hardware_counters(Calls& calls) {
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_HARDWARE;
  wanted.config = PERF_COUNT_HW_CPU_CYCLES;
  wanted.disabled = 1;
  wanted.exclude_kernel = 1;
  wanted.exclude_hv = 1;
  const long counter = ::syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (counter < 0) {
    calls["hardware-counters"] = std::string("no: ") + std::strerror(errno);
    return;
  }
  ::close(static_cast<int>(counter));
  calls["hardware-counters"] = "yes";
}

// Tried for a moment and given back at once: limits, capabilities, control groups and seccomp may each forbid it.
void keep_real_time(Calls& calls) {
  const int policy = ::sched_getscheduler(0);
  sched_param parameters{};
  if (policy < 0 || ::sched_getparam(0, &parameters) != 0) return;
  sched_param lowest{};
  lowest.sched_priority = ::sched_get_priority_min(SCHED_FIFO);
  const bool allowed = ::sched_setscheduler(0, SCHED_FIFO, &lowest) == 0;
  calls["real-time"] = allowed ? "yes" : std::string("no: ") + std::strerror(errno);
  if (allowed) ::sched_setscheduler(0, policy, &parameters);
}

#if defined(__x86_64__)
// The signature at a hypervisor leaf; empty when the leaf holds none.
std::string signature_at(unsigned leaf) {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  __cpuid(leaf, eax, ebx, ecx, edx);
  if (eax != 0 && (eax < leaf || eax > leaf + 0xff)) return {};
  std::array<char, 12> text{};
  std::memcpy(text.data(), &ebx, 4);
  std::memcpy(text.data() + 4, &ecx, 4);
  std::memcpy(text.data() + 8, &edx, 4);
  std::size_t length = text.size();
  while (length > 0 && text[length - 1] == '\0') --length;
  return printable(std::string_view(text.data(), length));
}

void keep_hypervisor(Calls& calls) {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  __cpuid(1, eax, ebx, ecx, edx);
  constexpr unsigned hypervisor_present = 1u << 31;
  // Without that bit Intel answers the hypervisor leaves with those of the highest basic one.
  if ((ecx & hypervisor_present) == 0) return;
  const std::string first = signature_at(0x40000000);
  const std::string second = signature_at(0x40000100);
  if (!first.empty()) calls["cpuid.hypervisor"] = first;
  if (!second.empty() && second != first) calls["cpuid.hypervisor.40000100"] = second;
  const std::string_view kvm = "KVMKVMKVM";
  if (first == kvm || second == kvm) {
    __cpuid(first == kvm ? 0x40000001 : 0x40000101, eax, ebx, ecx, edx);
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%08x", eax);
    calls["cpuid.kvm_features"] = text.data();
  }
}

std::string registers_text(const char* name, unsigned leaf, unsigned subleaf) {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  __cpuid_count(leaf, subleaf, eax, ebx, ecx, edx);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s:%08x,%08x,%08x,%08x", name, eax, ebx, ecx, edx);
  return text.data();
}

// The registers as they are: what they mean is not this program's business. Which leaves: engine/machine/translation.h.
void keep_translation(Calls& calls) {
  std::string text;
  const auto keep = [&text](const char* name, unsigned leaf, unsigned subleaf) {
    text += (text.empty() ? "" : " ") + registers_text(name, leaf, subleaf);
  };
  const unsigned most = __get_cpuid_max(0, nullptr);
  if (most >= 2) keep("2", 2, 0);
  if (most >= 0x18) {
    unsigned last = 0, ebx = 0, ecx = 0, edx = 0;
    __cpuid_count(0x18, 0, last, ebx, ecx, edx);
    constexpr unsigned most_subleaves = 32;
    for (unsigned subleaf = 0; subleaf <= last && subleaf < most_subleaves; ++subleaf)
      keep(("18." + std::to_string(subleaf)).c_str(), 0x18, subleaf);
  }
  const unsigned most_extended = __get_cpuid_max(0x80000000, nullptr);
  if (most_extended >= 0x80000005) keep("80000005", 0x80000005, 0);
  if (most_extended >= 0x80000006) keep("80000006", 0x80000006, 0);
  if (most_extended >= 0x80000019) keep("80000019", 0x80000019, 0);
  if (!text.empty()) calls["tlb"] = text;
}
#endif

} // namespace

std::string allowed_cpus() {
  std::string list;
  // The kernel refuses a mask smaller than its own CPU limit, so grow until it is taken.
  for (int cpus = 1024; cpus <= 65536; cpus *= 2) {
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(cpus));
    std::vector<unsigned long> mask(bytes / sizeof(unsigned long));
    auto* const set = reinterpret_cast<cpu_set_t*>(mask.data());
    if (::sched_getaffinity(0, bytes, set) != 0) continue;
    for (int first = 0; first < cpus; ++first) {
      if (!CPU_ISSET_S(static_cast<std::size_t>(first), bytes, set)) continue;
      int last = first;
      while (last + 1 < cpus && CPU_ISSET_S(static_cast<std::size_t>(last + 1), bytes, set)) ++last;
      if (!list.empty()) list += ',';
      list += std::to_string(first);
      if (last > first) list += "-" + std::to_string(last);
      first = last;
    }
    break;
  }
  return list;
}

std::map<std::string, std::string> collect_calls() {
  Calls calls;
  keep_uname(calls);
  if (const std::string cpus = allowed_cpus(); !cpus.empty()) calls["affinity"] = cpus;
  keep_limit(calls, "rlimit.rtprio", RLIMIT_RTPRIO);
  keep_limit(calls, "rlimit.memlock", RLIMIT_MEMLOCK);
  keep_hardware_counters(calls);
  keep_real_time(calls);
  timespec resolution{};
  if (::clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) == 0 && resolution.tv_sec == 0)
    calls["coarse_clock_resolution_ns"] = std::to_string(resolution.tv_nsec);
  if (const long page = ::sysconf(_SC_PAGESIZE); page > 0) calls["page_bytes"] = std::to_string(page);
#if defined(__x86_64__)
  calls["compiled_for"] = "x86_64";
  keep_hypervisor(calls);
  keep_translation(calls);
#elif defined(__aarch64__)
  calls["compiled_for"] = "aarch64";
#endif
  return calls;
}

} // namespace switchscope
