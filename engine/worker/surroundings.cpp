#include "engine/worker/surroundings.h"

#include "engine/worker/proc_counters.h"
#include "engine/worker/task.h"

#include <algorithm>
#include <unistd.h>

namespace switchscope {

std::vector<int> measured_cpus(const Placement& placement) {
  std::vector<int> cpus;
  for (const TaskName name : {TaskName::a, TaskName::b})
    if (const int cpu = pinned_cpu_of(placement, name); cpu >= 0 && std::count(cpus.begin(), cpus.end(), cpu) == 0)
      cpus.push_back(cpu);
  return cpus;
}

Surroundings surroundings_of(const std::vector<int>& cpus) {
  return {steal_ticks(file_text("/proc/stat"), cpus), interrupt_count(file_text("/proc/interrupts"), cpus)};
}

std::int64_t steal_ns_between(const Surroundings& before, const Surroundings& after) {
  return (after.steal_ticks - before.steal_ticks) * (1'000'000'000 / sysconf(_SC_CLK_TCK));
}

std::optional<std::int64_t> available_memory_bytes(PageMode pages) {
  const std::string meminfo = file_text("/proc/meminfo");
  const auto available = number_after(meminfo, "MemAvailable");
  if (!available) return std::nullopt;
  std::int64_t kilobytes = *available;
  if (pages == PageMode::hugetlb) // the pool is set apart from available memory; its line has no unit but pages
    kilobytes +=
        number_after(meminfo, "HugePages_Free").value_or(0) * number_after(meminfo, "Hugepagesize").value_or(0);
  return kilobytes * 1024;
}

} // namespace switchscope
