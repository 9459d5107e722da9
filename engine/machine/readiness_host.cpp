#include "engine/machine/fact_text.h"
#include "engine/machine/readiness_parts.h"

#include <algorithm>

namespace switchscope {
namespace {

bool is_guest(const Environment& environment) {
  return !environment.hypervisor.empty();
}

} // namespace

Finding emulation_finding(const Environment& environment) {
  Finding finding{"emulation", Light::green, -1, "instruction emulation", "none seen", "", "", ""};
  if (environment.emulation.empty()) return finding;
  finding.light = Light::red;
  finding.here = "instructions are translated by " + environment.emulation;
  finding.means = "Costs here are those of the translator and say nothing about a processor. A run is refused unless "
                  "--emulated-anyway is given. Use a program built for this machine's own architecture.";
  return finding;
}

Finding wsl_finding(const Environment& environment) {
  Finding finding{"wsl", Light::green, -1, "Windows subsystem", "no", "", "", ""};
  if (environment.hypervisor == "WSL1") {
    finding.light = Light::red;
    finding.here = "WSL1";
    finding.means = "Windows plays the Linux kernel: a switch here is a switch of Windows. Use the second generation.";
    finding.change = "wsl.exe --set-version \"$WSL_DISTRO_NAME\" 2";
    finding.undo = "wsl.exe --set-version \"$WSL_DISTRO_NAME\" 1";
  } else if (environment.hypervisor == "WSL2") {
    finding.light = Light::yellow;
    finding.here = "WSL2";
    finding.means =
        "Windows schedules this machine's CPUs as it likes, among its own programs. Close those, or start a "
        "Linux from a USB stick for figures of the bare machine.";
  }
  return finding;
}

Finding hypervisor_finding(const Environment& environment) {
  Finding finding{"hypervisor", Light::green, -1, "hypervisor", "none seen", "", "", ""};
  if (!is_guest(environment) || environment.hypervisor == "WSL1") return finding; // the first WSL is no machine
  finding.light = Light::yellow;
  finding.here =
      "guest of " + (environment.hypervisor == "WSL2" ? std::string("Windows (Hyper-V)") : environment.hypervisor);
  const bool nested = holds(lower_case(environment.hypervisor), "nested");
  finding.means = nested
                      ? "A guest inside a guest: interrupts and page tables pass through two hypervisors, so a switch "
                        "costs more than on either. Compare only with runs on guests like this one."
                      : "The switch is a guest's, and other guests disturb it unseen: blocks they disturb are set "
                        "aside. Compare only with runs on guests like this one.";
  return finding;
}

Finding container_finding(const Environment& environment) {
  Finding finding{"container", Light::green, -1, "container", "none seen", "", "", ""};
  if (environment.container.empty()) return finding;
  finding.here = environment.container;
  const bool refused = !environment.real_time.empty() && environment.real_time != "yes";
  const bool few = std::any_of(environment.cpus.begin(), environment.cpus.end(),
                               [](const Cpu& cpu) { return cpu.online && !cpu.allowed; });
  if (!refused && !few) {
    finding.means = "It shares the kernel, so that a switch costs the same inside and outside.";
    return finding;
  }
  finding.light = Light::yellow;
  finding.here += refused && few ? ", which forbids real time and some CPUs"
                  : refused      ? ", which forbids real time"
                                 : ", which forbids some CPUs";
  finding.means = "A switch costs the same inside and outside, but the container withholds what a measurement uses.";
  if (environment.container == "docker" || environment.container == "podman")
    finding.change = environment.container + " run --cap-add SYS_NICE --cap-add IPC_LOCK --ulimit rtprio=99 IMAGE";
  return finding;
}

Finding power_finding(const Environment& environment) {
  Finding finding{"power", Light::green, -1, "power", "mains", "", "", ""};
  if (environment.power == "battery") {
    finding.light = Light::yellow;
    finding.here = "battery";
    finding.means = "On battery the clock is held low and changes with the charge. Plug the machine in.";
  } else if (environment.power.empty()) {
    finding.here = "no battery seen";
  }
  return finding;
}

Finding turbo_finding(const Environment& environment) {
  Finding finding{"turbo", Light::unknown, -1, "turbo", "not told", "", "", ""};
  const std::string& driver = environment.scaling_driver;
  const bool by_pstate = driver == "intel_pstate" || driver == "intel_cpufreq";
  const std::string path =
      by_pstate ? "/sys/devices/system/cpu/intel_pstate/no_turbo" : "/sys/devices/system/cpu/cpufreq/boost";
  if (environment.boost == "off") {
    finding.light = Light::green;
    finding.here = "off";
  } else if (environment.boost == "on") {
    finding.light = Light::yellow;
    finding.here = "on";
    finding.means = "The clock rises above nominal as heat and the other cores allow: blocks whose clock moved are set "
                    "aside, and runs of different days differ.";
    finding.change = "echo " + std::string(by_pstate ? "1" : "0") + " | sudo tee " + path;
    finding.undo = "echo " + std::string(by_pstate ? "0" : "1") + " | sudo tee " + path;
  } else {
    finding.means = is_guest(environment)
                        ? "The hypervisor rules the clock and does not tell how. Each block's clock is "
                          "measured."
                        : "Each block's clock is measured, so that a change of it is seen.";
  }
  return finding;
}

Finding smt_finding(const Environment& environment) {
  Finding finding{"smt", Light::unknown, -1, "hyperthreads", "not told", "", "", ""};
  const bool many = std::any_of(environment.cpus.begin(), environment.cpus.end(),
                                [](const Cpu& cpu) { return cpu.siblings.size() > 1; });
  if (environment.smt == "on" || (environment.smt.empty() && many)) {
    finding.light = Light::yellow;
    finding.here = "on";
    finding.means = "Two CPUs share each core, and work on the one slows the other. Probes see it and set such blocks "
                    "aside; without hyperthreads there is nothing to set aside.";
    finding.change = "echo off | sudo tee /sys/devices/system/cpu/smt/control";
    finding.undo = "echo on | sudo tee /sys/devices/system/cpu/smt/control";
    return finding;
  }
  if (environment.smt.empty()) return finding;
  finding.here = environment.smt == "notsupported"     ? "not supported"
                 : environment.smt == "notimplemented" ? "not implemented"
                                                       : environment.smt;
  if (!is_guest(environment)) {
    finding.light = Light::green;
    return finding;
  }
  finding.here += ", as the guest is told";
  finding.means = "A hypervisor may hide that this guest's CPUs are hyperthreads, of each other or of strangers. See "
                  "\"shared core\".";
  return finding;
}

} // namespace switchscope
