// What no file tells of this machine: system calls and, on x86, cpuid.
#pragma once

#include <map>
#include <string>

namespace switchscope {

// The CPUs' times at the end of a pause of 50 ms are /proc/stat among the files; this is the reading before it.
inline constexpr const char* earlier_times_key = "proc-stat.earlier";

// CPUs the calling thread may run on, "0-3,8"; empty when the kernel does not tell.
[[nodiscard]] std::string allowed_cpus();

// Keys, each present only where the machine answers:
//   uname.sysname .nodename .release .version .machine
//   affinity                      allowed_cpus()
//   real-time                     "yes", or "no: " and why: whether this thread could become SCHED_FIFO
//   rlimit.rtprio rlimit.memlock  soft limits, a number (priority, bytes) or "unlimited"
//   hardware-counters             "yes", or "no: " and why: whether cycles of this thread can be counted
//   coarse_clock_resolution_ns    of CLOCK_MONOTONIC_COARSE: one tick of the kernel, 1e9 / HZ
//   page_bytes
//   compiled_for                  "x86_64", "aarch64": what this program's instructions are
//   cpuid.hypervisor              signature at 0x40000000, e.g. "KVMKVMKVM"
//   cpuid.hypervisor.40000100     a second interface that the hypervisor offers beside the first
//   cpuid.kvm_features            eax of the KVM leaf 0x...01, hexadecimal
//   tlb                           cpuid leaves about address translation, "leaf:eax,ebx,ecx,edx ..."
[[nodiscard]] std::map<std::string, std::string> collect_calls();

} // namespace switchscope
