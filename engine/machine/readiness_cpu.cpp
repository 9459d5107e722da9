#include "engine/machine/core_sharing.h"
#include "engine/machine/fact_text.h"
#include "engine/machine/readiness_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace switchscope {
namespace {

std::string named(const Cpu& cpu) {
  return "CPU " + std::to_string(cpu.number);
}

std::vector<int> usable_cpus(const Environment& environment) {
  std::vector<int> numbers;
  for (const Cpu& cpu : environment.cpus)
    if (cpu.online && cpu.allowed) numbers.push_back(cpu.number);
  return numbers;
}

std::string cpus_text(const std::vector<int>& sorted) {
  return (sorted.size() == 1 ? "CPU " : "CPUs ") + cpu_list_text(sorted);
}

bool any_busy(const Environment& environment, const std::vector<int>& numbers) {
  return std::any_of(environment.cpus.begin(), environment.cpus.end(), [&](const Cpu& cpu) {
    return is_busy(cpu) && std::find(numbers.begin(), numbers.end(), cpu.number) != numbers.end();
  });
}

std::string set_parameters(const std::string& parameters) {
  return "sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&" + parameters +
         " /' /etc/default/grub && sudo update-grub && sudo reboot";
}

std::string unset_parameters(const std::string& parameters) {
  return "sudo sed -i 's/" + parameters + " //' /etc/default/grub && sudo update-grub && sudo reboot";
}

// The figures of the probe, "3.79 adds a cycle while CPU 0 slept, 1.90 while it spun".
std::string figures(const CoreNeighbour& neighbour) {
  return fmt::format("{:.2f} adds a cycle while CPU {} slept, {:.2f} while it spun", neighbour.quiet_adds_per_cycle,
                     neighbour.cpu, neighbour.busy_adds_per_cycle);
}

std::vector<int> with_verdict(const CoreSharing& sharing, Sharing verdict) {
  std::vector<int> cpus;
  for (const CoreNeighbour& neighbour : sharing.neighbours)
    if (neighbour.verdict == verdict) cpus.push_back(neighbour.cpu);
  std::sort(cpus.begin(), cpus.end());
  return cpus;
}

// What the probe found, for the end of `here`: "probed 2026-11-30T19:22Z: ...".
std::string probe_words(const CoreSharing& sharing) {
  std::string text = "probed " + sharing.taken_at.substr(0, 16) + "Z: ";
  const auto sharers = with_verdict(sharing, Sharing::shares);
  const auto unclear = with_verdict(sharing, Sharing::cannot_tell);
  const auto apart = with_verdict(sharing, Sharing::does_not);
  if (!sharers.empty()) {
    const auto first = std::find_if(sharing.neighbours.begin(), sharing.neighbours.end(),
                                    [](const CoreNeighbour& each) { return each.verdict == Sharing::shares; });
    text += "with " + cpus_text(sharers) + " (" + figures(*first) + ")";
  } else if (!apart.empty()) {
    text += "not with " + cpus_text(apart);
    if (apart.size() == 1 && sharing.neighbours.size() == 1) text += " (" + figures(sharing.neighbours.front()) + ")";
  }
  if (!unclear.empty()) text += (text.ends_with(": ") ? "cannot tell of " : "; cannot tell of ") + cpus_text(unclear);
  if (sharing.not_tried > 0) text += fmt::format("; {} not tried", sharing.not_tried);
  return text;
}

std::string offline_command(const std::vector<int>& cpus, int value) {
  std::string text;
  for (const int cpu : cpus)
    text +=
        fmt::format("{}echo {} | sudo tee /sys/devices/system/cpu/cpu{}/online", text.empty() ? "" : "; ", value, cpu);
  return text;
}

} // namespace

Finding usable_cpus_finding(const Environment& environment) {
  Finding finding{"usable-cpus", Light::green, -1, "usable CPUs", "", "", "", ""};
  const auto usable = usable_cpus(environment);
  if (environment.cpus.empty()) {
    finding.light = Light::unknown;
    finding.here = "the machine does not tell which CPUs it has";
    return finding;
  }
  finding.here = usable.empty() ? "none" : cpu_list_text(usable);
  if (usable.empty()) {
    finding.light = Light::red;
    finding.means = "No CPU is online and allowed to this program: widen its cpuset or affinity.";
    finding.change = "taskset -c 0-" + std::to_string(environment.cpus.size() - 1) + " switchscope-cli doctor";
  } else if (usable.size() == 1) {
    finding.light = Light::yellow;
    finding.means = "Everything else that runs shares the one CPU with the measurement.";
  }
  return finding;
}

Finding load_finding(const Environment& environment, const Cpu& cpu) {
  Finding finding{"load", Light::green, cpu.number, "load", "", "", "", ""};
  if (!environment.load_1min && !cpu.busy_ratio) {
    finding.light = Light::unknown;
    finding.here = "not told";
    return finding;
  }
  const auto usable = static_cast<double>(std::max<std::size_t>(1, usable_cpus(environment).size()));
  const double load = environment.load_1min.value_or(0);
  if (environment.load_1min) finding.here = fmt::format("{:.1f} over the last minute", load);
  if (cpu.busy_ratio)
    finding.here += fmt::format("{}{} was {:.0f} % busy just now", finding.here.empty() ? "" : "; ", named(cpu),
                                100 * *cpu.busy_ratio);
  if (is_busy(cpu) || load >= usable)
    finding.light = Light::red;
  else if (load >= usable / 4)
    finding.light = Light::yellow;
  if (finding.light == Light::green) return finding;
  finding.means =
      "Other programs run: they evict the caches that are measured, and take turns with the tasks where real "
      "time is refused. See which with top -o %CPU, and end them.";
  return finding;
}

Finding shared_core_finding(const Environment& environment, const Cpu& cpu) {
  Finding finding{"shared-core", Light::unknown, cpu.number, "shared core", "", "", "", ""};
  const CoreSharing* sharing = sharing_of(environment, cpu.number);
  std::vector<int> reported = cpu.siblings;
  std::erase(reported, cpu.number);
  const auto mates = core_mates(environment, cpu.number);
  finding.here = cpu.siblings.empty() ? "nothing reported"
                 : reported.empty()   ? named(cpu) + " is reported alone on its core"
                                      : named(cpu) + " is reported to share its core with " + cpus_text(reported);
  if (sharing != nullptr) finding.here += "; " + probe_words(*sharing);
  if (!mates.empty()) {
    finding.light = any_busy(environment, mates) ? Light::red : Light::yellow;
    finding.means = "Work on " + cpus_text(mates) +
                    " raises every cost measured here by a third or so. Keep it idle, or "
                    "switch it off for the time of the run.";
    finding.change = offline_command(mates, 0);
    finding.undo = offline_command(mates, 1);
    return finding;
  }
  const bool all_apart = sharing != nullptr && sharing->not_tried == 0 && !sharing->neighbours.empty() &&
                         with_verdict(*sharing, Sharing::does_not).size() == sharing->neighbours.size();
  const bool told_by_hardware = environment.hypervisor.empty() && !cpu.siblings.empty();
  if (all_apart || told_by_hardware) {
    finding.light = Light::green;
    return finding;
  }
  finding.means =
      "A guest is often told that its CPUs are cores when they are hyperthreads. The probe tells, where the "
      "machine is quiet enough.";
  finding.change = "switchscope-cli doctor --cpu " + std::to_string(cpu.number);
  return finding;
}

Finding steal_finding(const Environment& environment, const Cpu& cpu) {
  Finding finding{"steal", Light::unknown, cpu.number, "stolen time", "not told", "", "", ""};
  if (environment.hypervisor.empty()) {
    finding.light = Light::green;
    finding.here = "no hypervisor takes any";
    return finding;
  }
  if (!cpu.steal_ratio) return finding;
  const double percent = 100 * *cpu.steal_ratio;
  finding.here = fmt::format("{:.2f} % of the time of {} since boot", percent, named(cpu));
  if (percent == 0) {
    finding.means = "Nothing was taken, or the hypervisor does not tell: many report none at all.";
    return finding;
  }
  finding.light = percent >= 5 ? Light::red : percent >= 0.5 ? Light::yellow : Light::green;
  if (finding.light != Light::green)
    finding.means =
        "The hypervisor runs others on this CPU. Blocks with stolen time are set aside; measure at a quieter "
        "time, or on a guest with CPUs of its own.";
  return finding;
}

Finding governor_finding(const Cpu& cpu) {
  Finding finding{"governor", Light::unknown, cpu.number, "frequency governor", "not told", "", "", ""};
  if (cpu.governor.empty()) {
    finding.means = "The clock is not this kernel's to set. Each block's clock is measured.";
    return finding;
  }
  finding.here = cpu.governor + " on " + named(cpu);
  if (cpu.governor == "performance") {
    finding.light = Light::green;
    return finding;
  }
  finding.light = Light::yellow;
  finding.means = "The clock follows the load, and moves within a visit: such blocks are set aside.";
  finding.change = fmt::format("sudo cpupower -c {} frequency-set -g performance", cpu.number);
  finding.undo = fmt::format("sudo cpupower -c {} frequency-set -g {}", cpu.number, cpu.governor);
  return finding;
}

Finding core_type_finding(const Environment& environment, const Cpu& cpu) {
  Finding finding{"core-type", Light::green, cpu.number, "core type", "", "", "", ""};
  if (environment.cpus.size() > 1 && cpu.core_type.empty()) finding.here = "all alike";
  if (environment.cpus.size() == 1) finding.here = "the only one";
  if (cpu.core_type.empty()) return finding;
  finding.here = named(cpu) + (cpu.core_type == "efficient" ? " is an efficient core" : " is a performance core");
  if (cpu.core_type != "efficient") return finding;
  finding.light = Light::yellow;
  finding.means =
      "It is slower and has other caches than the fast cores, where most programs run. Costs differ: choose a "
      "fast core with --cpu, or --cpu auto.";
  return finding;
}

Finding interrupts_finding(const Environment& environment, const Cpu& cpu) {
  Finding finding{"interrupts", Light::unknown, cpu.number, "interrupts", "not told", "", "", ""};
  if (!cpu.interrupts_per_s) return finding;
  double fewest = *cpu.interrupts_per_s;
  std::vector<int> others;
  for (const Cpu& other : environment.cpus) {
    if (other.number == cpu.number || !other.online) continue;
    others.push_back(other.number);
    if (other.allowed && other.interrupts_per_s) fewest = std::min(fewest, *other.interrupts_per_s);
  }
  finding.here = fmt::format("{:.0f} a second on {} since boot; the quietest CPU has {:.0f}", *cpu.interrupts_per_s,
                             named(cpu), fewest);
  finding.light =
      *cpu.interrupts_per_s > 2000 || *cpu.interrupts_per_s > 500 + 2 * fewest ? Light::yellow : Light::green;
  if (finding.light == Light::green) return finding;
  finding.means =
      "Each takes some microseconds and evicts cache lines. Send devices' interrupts elsewhere; those of the "
      "timer and of the scheduler stay.";
  if (others.empty()) return finding;
  finding.change = "for f in /proc/irq/*/smp_affinity_list; do echo " + cpu_list_text(others) + " | sudo tee $f; done";
  others.push_back(cpu.number);
  std::sort(others.begin(), others.end());
  finding.undo = "for f in /proc/irq/*/smp_affinity_list; do echo " + cpu_list_text(others) + " | sudo tee $f; done";
  return finding;
}

Finding isolation_finding(const Cpu& cpu) {
  Finding finding{"isolation", Light::green, cpu.number, "isolated CPU", named(cpu) + " is isolated", "", "", ""};
  if (cpu.isolated) return finding;
  finding.light = Light::yellow;
  finding.here = named(cpu) + " is not isolated";
  finding.means =
      "The scheduler places other programs there too. An isolated CPU runs what is pinned to it and no more.";
  const std::string parameter = "isolcpus=" + std::to_string(cpu.number);
  finding.change = set_parameters(parameter);
  finding.undo = unset_parameters(parameter);
  return finding;
}

Finding ticks_finding(const Environment& environment, const Cpu& cpu) {
  Finding finding{"ticks", Light::green, cpu.number, "timer ticks", named(cpu) + " may stop its tick (nohz_full)",
                  "",      "",           ""};
  if (cpu.nohz_full) return finding;
  finding.light = Light::yellow;
  finding.here = environment.hz ? fmt::format("{} a second on {}", *environment.hz, named(cpu))
                                : named(cpu) + " ticks while it works";
  finding.means = "Each tick takes about a microsecond from a block; lengths of blocks are jittered so that none beats "
                  "with it. A nohz_full CPU may stop its tick.";
  const std::string parameter = fmt::format("nohz_full={0} rcu_nocbs={0}", cpu.number);
  finding.change = set_parameters(parameter);
  finding.undo = unset_parameters(parameter);
  return finding;
}

} // namespace switchscope
