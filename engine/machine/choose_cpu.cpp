#include "engine/machine/machine.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace switchscope {
namespace {

bool is_usable(const Cpu& cpu) {
  return cpu.online && cpu.allowed;
}

// CPU 0 takes the interrupts nobody placed elsewhere, and its hyperthreads feel them.
bool shares_core_with_0(const Cpu& cpu) {
  return cpu.number == 0 || std::find(cpu.siblings.begin(), cpu.siblings.end(), 0) != cpu.siblings.end();
}

auto rank(const Cpu& cpu) { // smaller is better
  return std::tuple(cpu.core_type == "efficient", !cpu.isolated, shares_core_with_0(cpu), cpu.number == 0, cpu.number);
}

std::string kind_of(const Cpu& cpu) {
  std::string kind = cpu.isolated ? "isolated " : "";
  if (cpu.core_type == "performance") return kind + "performance core";
  if (cpu.core_type == "efficient") return kind + "efficient core";
  return kind + "CPU";
}

std::string sentence(const Environment& environment, const Cpu& chosen) {
  const auto is_as_good = [&](const Cpu& cpu) {
    return is_usable(cpu) && cpu.isolated == chosen.isolated && cpu.core_type == chosen.core_type;
  };
  const auto count = [&](auto&& wanted) {
    return std::count_if(environment.cpus.begin(), environment.cpus.end(), wanted);
  };
  const std::string name = "CPU " + std::to_string(chosen.number);
  if (count(is_usable) == 1) return name + " is the only CPU this program may use.";
  if (count(is_as_good) == 1) return name + " is the only " + kind_of(chosen) + " this program may use.";
  const bool avoids_0 = count([&](const Cpu& cpu) { return cpu.number == 0 && is_as_good(cpu); }) > 0;
  const std::string start = name + " is the first " + kind_of(chosen) + " this program may use";
  if (!avoids_0 || chosen.number == 0) return start + ".";
  if (shares_core_with_0(chosen)) return start + " besides CPU 0, which takes most interrupts; they share a core.";
  return start + " away from CPU 0, which takes most interrupts.";
}

} // namespace

CpuChoice choose_cpu(const Environment& environment) {
  const Cpu* best = nullptr;
  for (const Cpu& cpu : environment.cpus)
    if (is_usable(cpu) && (best == nullptr || rank(cpu) < rank(*best))) best = &cpu;
  if (best != nullptr) return {best->number, sentence(environment, *best)};
  if (environment.cpus.empty()) return {0, "CPU 0, because the machine does not tell which CPUs it has."};
  return {environment.cpus.front().number, "CPU " + std::to_string(environment.cpus.front().number) +
                                               ", although no CPU seems to be allowed to this program."};
}

Plan with_cpus_chosen(const Plan& plan, const Environment& environment) {
  Plan chosen = plan;
  chosen.placements.clear();
  for (Placement placement : plan.placements) {
    if (placement.kind == Placement::Kind::automatic) {
      const int cpu = choose_cpu(environment).cpu;
      placement = {Placement::Kind::same_cpu, cpu, cpu};
    }
    // `auto` may stand for a CPU that is in the list anyway.
    if (std::find(chosen.placements.begin(), chosen.placements.end(), placement) == chosen.placements.end())
      chosen.placements.push_back(placement);
  }
  return chosen;
}

} // namespace switchscope
