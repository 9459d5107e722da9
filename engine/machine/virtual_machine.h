// What stands between the described machine and its hardware: hypervisor, container, emulation.
#pragma once

#include "engine/protocol/messages.h"

#include <string>

namespace switchscope {

// "KVM", "KVM (Firecracker, nested)", "Hyper-V", "WSL2", "Xen", ...; "unknown hypervisor" when only its presence is
// told; empty on bare metal. "nested" only where something says so: most guests of guests cannot tell.
[[nodiscard]] std::string hypervisor_of(const Facts&);
// "docker", "podman", "kubernetes", "lxc", ...; empty outside.
[[nodiscard]] std::string container_of(const Facts&);
// "qemu-user", "qemu", "rosetta": instructions are translated by software; empty otherwise.
[[nodiscard]] std::string emulation_of(const Facts&);
// What the guest's kernel leaves to the hypervisor under KVM, "clock, steal time, ..."; empty when not told.
[[nodiscard]] std::string paravirt_of(const Facts&);

} // namespace switchscope
