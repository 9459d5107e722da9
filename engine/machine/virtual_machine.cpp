#include "engine/machine/virtual_machine.h"

#include "engine/machine/fact_text.h"
#include "engine/machine/kernel_facts.h"
#include "engine/machine/processor.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace switchscope {
namespace {

struct Name {
  std::string_view sign;
  std::string_view word;
};

constexpr std::array signatures{
    Name{"KVMKVMKVM", "KVM"},       Name{"Microsoft Hv", "Hyper-V"},    Name{"VMwareVMware", "VMware"},
    Name{"XenVMMXenVMM", "Xen"},    Name{"VBoxVBoxVBox", "VirtualBox"}, Name{"bhyve bhyve", "bhyve"},
    Name{"TCGTCGTCGTCG", "QEMU"},   Name{"prl hyperv", "Parallels"},    Name{"lrpepyh vr", "Parallels"},
    Name{"ACRNACRNACRN", "ACRN"},   Name{"SRESRESRESRE", "LMHS"},       Name{"Apple VZ", "Apple Virtualization"},
    Name{"Jailhouse", "Jailhouse"},
};

// Firmware strings, for machines without cpuid: only makers that make nothing but virtual machines.
constexpr std::array makers{
    Name{"QEMU", "QEMU or KVM"},
    Name{"KVM", "KVM"},
    Name{"VMware", "VMware"},
    Name{"innotek", "VirtualBox"},
    Name{"Xen", "Xen"},
    Name{"Parallels", "Parallels"},
    Name{"Apple Virtualization", "Apple Virtualization"},
    Name{"Amazon EC2", "Nitro"},
    Name{"Google Compute Engine", "KVM"},
};

template <std::size_t N> std::string_view word_for(const std::array<Name, N>& names, std::string_view text) {
  for (const Name& name : names)
    if (holds(text, name.sign)) return name.word;
  return {};
}

std::string_view windows_subsystem(const Facts& facts) {
  const std::string release = lower_case(kernel_release_of(facts));
  if (!holds(release, "microsoft")) return {};
  // "5.15.90.1-microsoft-standard-WSL2"; the first generation translates system calls and says "4.4.0-19041-Microsoft".
  return release.starts_with("4.4.0") ? "WSL1" : "WSL2";
}

std::string_view base_of(const Facts& facts) {
  const std::string_view first = word_for(signatures, call_text(facts, "cpuid.hypervisor"));
  const std::string_view second = word_for(signatures, call_text(facts, "cpuid.hypervisor.40000100"));
  // KVM and Xen put Microsoft's interface first for Windows guests, and their own behind it.
  if (!second.empty() && second != "Hyper-V") return second;
  if (!first.empty()) return first;
  const std::string_view type = file_text(facts, "/sys/hypervisor/type");
  if (type == "xen") return "Xen";
  const std::string_view tree = file_text(facts, "/proc/device-tree/hypervisor/compatible");
  if (holds(tree, "kvm")) return "KVM";
  if (holds(tree, "xen")) return "Xen";
  const std::string_view clock = file_text(facts, "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  if (clock == "kvm-clock") return "KVM";
  if (clock.starts_with("hyperv_clocksource")) return "Hyper-V";
  const std::string_view vendor = file_text(facts, "/sys/class/dmi/id/sys_vendor");
  const std::string_view product = file_text(facts, "/sys/class/dmi/id/product_name");
  if (holds(vendor, "Microsoft") && product == "Virtual Machine") return "Hyper-V";
  // Amazon's bare-metal machines carry the same vendor, and say so in the product: "c6g.metal".
  if (!holds(product, "metal"))
    for (const std::string_view text : {product, vendor})
      if (const auto word = word_for(makers, text); !word.empty()) return word;
  if (!type.empty()) return type;
  if (!call_text(facts, "cpuid.hypervisor").empty() || has_cpu_flag(facts, "hypervisor")) return "unknown hypervisor";
  return {};
}

} // namespace

std::string hypervisor_of(const Facts& facts) {
  if (const auto wsl = windows_subsystem(facts); !wsl.empty()) return std::string(wsl);
  std::string text(base_of(facts));
  if (text.empty()) return text;
  const std::string command_line = lower_case(file_text(facts, "/proc/cmdline"));
  std::vector<std::string> details;
  if (holds(command_line, "firecracker")) details.emplace_back("Firecracker");
  if (holds(command_line, "nested_pvm"))
    details.emplace_back("nested, PVM");
  else if (holds(lower_case(file_text(facts, "/sys/class/dmi/id/product_name")), "nested"))
    details.emplace_back("nested");
  for (std::size_t i = 0; i < details.size(); ++i) text += (i == 0 ? " (" : ", ") + details[i];
  return details.empty() ? text : text + ")";
}

std::string container_of(const Facts& facts) {
  const std::string_view groups = file_text(facts, "/proc/1/cgroup");
  if (holds(groups, "kubepods")) return "kubernetes";
  if (const auto told = file_text(facts, "/run/systemd/container"); !told.empty()) return std::string(told);
  if (has_file(facts, "/run/.containerenv") || holds(groups, "libpod")) return "podman";
  if (has_file(facts, "/.dockerenv") || holds(groups, "docker")) return "docker";
  if (holds(groups, "lxc")) return "lxc";
  if (holds(groups, "containerd")) return "containerd";
  return {};
}

std::string emulation_of(const Facts& facts) {
  if (holds(cpu_model_of(facts), "VirtualApple")) return "rosetta";
  const std::string kernel = architecture_family(file_text(facts, "/proc/sys/kernel/arch"));
  const std::string shown = architecture_in_cpuinfo(facts);
  const std::string program = architecture_family(call_text(facts, "compiled_for"));
  // Under qemu-user the kernel and /proc are the host's; only the instructions are another machine's.
  for (const std::string& real : {kernel, shown})
    if (!program.empty() && !real.empty() && real != program) return "qemu-user";
  if (call_text(facts, "cpuid.hypervisor") == "TCGTCGTCGTCG") return "qemu";
  return {};
}

std::string paravirt_of(const Facts& facts) {
  // Documentation/virt/kvm/x86/cpuid.rst of the kernel.
  constexpr std::array features{std::pair{3, "clock"},      std::pair{4, "async page faults"},
                                std::pair{5, "steal time"}, std::pair{6, "end of interrupt"},
                                std::pair{7, "unhalt"},     std::pair{9, "TLB flush"},
                                std::pair{11, "IPI"},       std::pair{12, "halt polling"},
                                std::pair{13, "yield"}};
  const std::string_view text = call_text(facts, "cpuid.kvm_features");
  std::uint32_t bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  std::string listed;
  for (const auto& [bit, word] : features)
    if ((bits >> bit) & 1u) listed += (listed.empty() ? "" : ", ") + std::string(word);
  return listed;
}

} // namespace switchscope
