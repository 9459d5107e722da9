#include "engine/machine/core_sharing.h"
#include "engine/machine/machine.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

namespace switchscope {
namespace {

bool is_usable(const Cpu& cpu) {
  return cpu.online && cpu.allowed;
}

// What the choice depends on beside the CPU itself, found once: there may be thousands of CPUs.
struct Surroundings {
  std::set<int> core_of_0;       // CPU 0 takes the interrupts nobody placed elsewhere, and its whole core feels them
  std::set<int> with_busy_mates; // another CPU of the core is kept by somebody
};

Surroundings surroundings_in(const Environment& environment) {
  Surroundings around;
  const auto mates = core_mates(environment, 0);
  around.core_of_0.insert(mates.begin(), mates.end());
  around.core_of_0.insert(0);
  for (const Cpu& cpu : environment.cpus)
    if (is_busy(cpu))
      for (const int mate : core_mates(environment, cpu.number)) around.with_busy_mates.insert(mate);
  return around;
}

auto rank(const Surroundings& around, const Cpu& cpu) { // smaller is better
  return std::tuple(cpu.core_type == "efficient", !cpu.isolated, is_busy(cpu),
                    around.with_busy_mates.contains(cpu.number), around.core_of_0.contains(cpu.number), cpu.number == 0,
                    cpu.number);
}

std::string kind_of(const Cpu& cpu) {
  std::string kind = cpu.isolated ? "isolated " : "";
  if (cpu.core_type == "performance") return kind + "performance core";
  if (cpu.core_type == "efficient") return kind + "efficient core";
  return kind + "CPU";
}

std::string sentence(const Environment& environment, const Surroundings& around, const Cpu& chosen) {
  const auto has_busy_mate = [&](const Cpu& cpu) { return around.with_busy_mates.contains(cpu.number); };
  const auto is_as_good = [&](const Cpu& cpu) {
    return is_usable(cpu) && cpu.isolated == chosen.isolated && cpu.core_type == chosen.core_type &&
           is_busy(cpu) == is_busy(chosen) && has_busy_mate(cpu) == has_busy_mate(chosen);
  };
  const auto count = [&](auto&& wanted) {
    return std::count_if(environment.cpus.begin(), environment.cpus.end(), wanted);
  };
  const std::string name = "CPU " + std::to_string(chosen.number);
  if (count(is_usable) == 1) return name + " is the only CPU this program may use.";
  const auto is_set_back = [&](const Cpu& cpu) {
    return is_usable(cpu) && cpu.isolated == chosen.isolated && cpu.core_type == chosen.core_type && !is_as_good(cpu);
  };
  const std::string busy =
      count(is_set_back) == 0 || is_busy(chosen) ? "" : " Others are busy, or share a core with a busy one.";
  if (count(is_as_good) == 1 && !busy.empty()) return name + " is the only idle " + kind_of(chosen) + "." + busy;
  if (count(is_as_good) == 1) return name + " is the only " + kind_of(chosen) + " this program may use.";
  const bool avoids_0 = count([&](const Cpu& cpu) { return cpu.number == 0 && is_as_good(cpu); }) > 0;
  const std::string start = name + " is the first " + kind_of(chosen) + " this program may use";
  if (!avoids_0 || chosen.number == 0) return start + "." + busy;
  if (around.core_of_0.contains(chosen.number))
    return start + " besides CPU 0, which takes most interrupts; they share a core." + busy;
  return start + " away from CPU 0, which takes most interrupts." + busy;
}

} // namespace

CpuChoice choose_cpu(const Environment& environment) {
  const Surroundings around = surroundings_in(environment);
  const Cpu* best = nullptr;
  for (const Cpu& cpu : environment.cpus)
    if (is_usable(cpu) && (best == nullptr || rank(around, cpu) < rank(around, *best))) best = &cpu;
  if (best != nullptr) return {best->number, sentence(environment, around, *best)};
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
