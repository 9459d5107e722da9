#include "engine/machine/fact_text.h"
#include "engine/machine/machine.h"
#include "engine/model/quantity.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace switchscope {
namespace {

template <class Wanted> std::string listed(const Environment& environment, Wanted wanted) {
  std::vector<int> numbers;
  for (const Cpu& cpu : environment.cpus)
    if (wanted(cpu)) numbers.push_back(cpu.number);
  return (numbers.size() == 1 ? "CPU " : "CPUs ") + cpu_list_text(numbers);
}

std::optional<PlanProblem> problem_with(const Environment& environment, int number) {
  const auto cpu =
      std::find_if(environment.cpus.begin(), environment.cpus.end(), [&](const Cpu& c) { return c.number == number; });
  if (cpu == environment.cpus.end())
    return PlanProblem{"cpu", fmt::format("CPU {} does not exist: this machine has {}", number,
                                          listed(environment, [](const Cpu&) { return true; }))};
  if (!cpu->online)
    return PlanProblem{"online",
                       fmt::format("CPU {} is offline (online: {}); to switch it on, write 1 to "
                                   "/sys/devices/system/cpu/cpu{}/online",
                                   number, listed(environment, [](const Cpu& c) { return c.online; }), number)};
  if (!cpu->allowed)
    return PlanProblem{"allowed",
                       fmt::format("CPU {} is outside the set this program may use: choose from {}, or "
                                   "widen its cpuset or affinity",
                                   number, listed(environment, [](const Cpu& c) { return c.online && c.allowed; }))};
  return std::nullopt;
}

std::string rounded_size(std::int64_t bytes) {
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  const auto size = static_cast<double>(bytes);
  return size >= gib ? fmt::format("{:.1f} GiB", size / gib) : fmt::format("{:.0f} MiB", size / (1024.0 * 1024.0));
}

} // namespace

std::vector<PlanProblem> problems_on(const Environment& environment, const Plan& plan) {
  std::vector<PlanProblem> problems;
  std::set<int> asked;
  for (const Placement& placement : plan.placements)
    for (const int cpu : {placement.cpu_a, placement.cpu_b})
      if (cpu >= 0) asked.insert(cpu);
  if (!environment.cpus.empty())
    for (const int cpu : asked)
      if (auto problem = problem_with(environment, cpu)) problems.push_back(std::move(*problem));

  const auto largest = std::max_element(plan.sizes_bytes.begin(), plan.sizes_bytes.end());
  const auto available = environment.memory_available_bytes;
  if (largest != plan.sizes_bytes.end() && available && *largest > *available / 2)
    problems.push_back(
        {"size", fmt::format("two tasks with an array of {} each do not fit into the {} of memory that are "
                             "available: the largest size that fits is {}",
                             bytes_text(*largest), rounded_size(*available), rounded_size(*available / 2))});
  return problems;
}

} // namespace switchscope
