#include "engine/worker/core_pmu.h"

#include <algorithm>
#include <charconv>
#include <linux/perf_event.h>
#include <optional>
#include <string>

namespace switchscope {
namespace {

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

} // namespace

bool list_holds(std::string_view cpu_list, int cpu) {
  while (!cpu_list.empty()) {
    const std::string_view part = cpu_list.substr(0, cpu_list.find(','));
    cpu_list.remove_prefix(std::min(part.size() + 1, cpu_list.size()));
    const std::size_t dash = part.find('-');
    const auto first = number_in(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number_in(part.substr(dash + 1));
    if (first && last && *first <= cpu && cpu <= *last) return true;
  }
  return false;
}

std::uint64_t core_pmu_bits(const Sysroot& root, int cpu) {
  if (cpu < 0) return 0;
  for (const std::string pmu : {"/sys/devices/cpu_core", "/sys/devices/cpu_atom"}) {
    if (!list_holds(root.text(pmu + "/cpus").value_or(""), cpu)) continue;
    if (const auto type = number_in(root.text(pmu + "/type").value_or("")))
      return static_cast<std::uint64_t>(*type) << PERF_PMU_TYPE_SHIFT;
  }
  return 0;
}

} // namespace switchscope
