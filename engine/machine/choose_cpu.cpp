#include "engine/machine/machine.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace switchscope {
namespace {

bool is_usable(const Cpu& cpu) { return cpu.online && cpu.allowed; }

// Smaller is better. CPU 0 comes last among equals: it takes the interrupts nobody placed elsewhere.
auto rank(const Cpu& cpu) {
  return std::tuple(cpu.core_type == "efficient", !cpu.isolated, cpu.number == 0, cpu.number);
}

std::string sentence(const Environment& environment, const Cpu& chosen) {
  const auto count = [&](auto&& wanted) { return std::count_if(environment.cpus.begin(), environment.cpus.end(), wanted); };
  const std::string name = "CPU " + std::to_string(chosen.number);
  if (count(is_usable) == 1) return name + " is the only CPU this program may use.";
  std::string kind = chosen.isolated ? "isolated " : "";
  kind += chosen.core_type == "performance" ? "performance core" : chosen.core_type == "efficient" ? "efficient core" : "CPU";
  const auto is_as_good = [&](const Cpu& cpu) {
    return is_usable(cpu) && cpu.isolated == chosen.isolated && cpu.core_type == chosen.core_type;
  };
  const bool alone = count(is_as_good) == 1;
  std::string text = name + " is the " + (alone ? "only " : "first ") + kind + " this program may use";
  const bool passed_over_0 = !alone && chosen.number != 0 && std::any_of(environment.cpus.begin(), environment.cpus.end(),
                                                                         [&](const Cpu& c) { return c.number == 0 && is_as_good(c); });
  return text + (passed_over_0 ? " besides CPU 0, which takes most interrupts." : ".");
}

} // namespace

CpuChoice choose_cpu(const Environment& environment) {
  const Cpu* best = nullptr;
  for (const Cpu& cpu : environment.cpus)
    if (is_usable(cpu) && (best == nullptr || rank(cpu) < rank(*best))) best = &cpu;
  if (best != nullptr) return {best->number, sentence(environment, *best)};
  if (environment.cpus.empty()) return {0, "CPU 0, because the machine does not tell which CPUs it has."};
  return {environment.cpus.front().number,
          "CPU " + std::to_string(environment.cpus.front().number) + ", although no CPU seems to be allowed to this program."};
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
