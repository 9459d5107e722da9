#include "engine/machine/core_sharing.h"
#include "engine/machine/machine.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace switchscope {
namespace {

bool is_usable(const Cpu& cpu) {
  return cpu.online && cpu.allowed;
}

// CPU 0 takes the interrupts nobody placed elsewhere, and the CPUs of its core feel them.
bool shares_core_with_0(const Environment& environment, const Cpu& cpu) {
  const auto mates = core_mates(environment, cpu.number);
  return cpu.number == 0 || std::find(mates.begin(), mates.end(), 0) != mates.end();
}

bool has_busy_mate(const Environment& environment, const Cpu& cpu) {
  const auto mates = core_mates(environment, cpu.number);
  return std::any_of(environment.cpus.begin(), environment.cpus.end(), [&](const Cpu& other) {
    return is_busy(other) && std::find(mates.begin(), mates.end(), other.number) != mates.end();
  });
}

auto rank(const Environment& environment, const Cpu& cpu) { // smaller is better
  return std::tuple(cpu.core_type == "efficient", !cpu.isolated, is_busy(cpu), has_busy_mate(environment, cpu),
                    shares_core_with_0(environment, cpu), cpu.number == 0, cpu.number);
}

std::string kind_of(const Cpu& cpu) {
  std::string kind = cpu.isolated ? "isolated " : "";
  if (cpu.core_type == "performance") return kind + "performance core";
  if (cpu.core_type == "efficient") return kind + "efficient core";
  return kind + "CPU";
}

std::string sentence(const Environment& environment, const Cpu& chosen) {
  const auto is_as_good = [&](const Cpu& cpu) {
    return is_usable(cpu) && cpu.isolated == chosen.isolated && cpu.core_type == chosen.core_type &&
           is_busy(cpu) == is_busy(chosen) && has_busy_mate(environment, cpu) == has_busy_mate(environment, chosen);
  };
  const auto count = [&](auto&& wanted) {
    return std::count_if(environment.cpus.begin(), environment.cpus.end(), wanted);
  };
  const std::string name = "CPU " + std::to_string(chosen.number);
  if (count(is_usable) == 1) return name + " is the only CPU this program may use.";
  const auto is_set_back = [&](const Cpu& cpu) {
    return is_usable(cpu) && cpu.isolated == chosen.isolated && cpu.core_type == chosen.core_type && !is_as_good(cpu);
  };
  const std::string busy = count(is_set_back) == 0 ? "" : " Others are busy, or share a core with a busy one.";
  if (count(is_as_good) == 1 && !busy.empty()) return name + " is the only idle " + kind_of(chosen) + "." + busy;
  if (count(is_as_good) == 1) return name + " is the only " + kind_of(chosen) + " this program may use.";
  const bool avoids_0 = count([&](const Cpu& cpu) { return cpu.number == 0 && is_as_good(cpu); }) > 0;
  const std::string start = name + " is the first " + kind_of(chosen) + " this program may use";
  if (!avoids_0 || chosen.number == 0) return start + "." + busy;
  if (shares_core_with_0(environment, chosen))
    return start + " besides CPU 0, which takes most interrupts; they share a core." + busy;
  return start + " away from CPU 0, which takes most interrupts." + busy;
}

} // namespace

CpuChoice choose_cpu(const Environment& environment, std::optional<int> baseline) {
  for (const Cpu& cpu : environment.cpus)
    if (baseline == cpu.number && is_usable(cpu))
      return {cpu.number, "CPU " + std::to_string(cpu.number) + " was the baseline's."};
  const Cpu* best = nullptr;
  for (const Cpu& cpu : environment.cpus)
    if (is_usable(cpu) && (best == nullptr || rank(environment, cpu) < rank(environment, *best))) best = &cpu;
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
