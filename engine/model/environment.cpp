#include "engine/model/environment.h"

#include <algorithm>

namespace switchscope {

bool serves(const Cache& cache, int cpu) {
  return (cache.kind == "data" || cache.kind == "unified") &&
         std::find(cache.cpus.begin(), cache.cpus.end(), cpu) != cache.cpus.end();
}

std::optional<std::int64_t> lower_rt_runtime_us(std::optional<std::int64_t> of_machine,
                                                std::optional<std::int64_t> of_group) {
  const bool group_has_none = !of_group || *of_group < 0;
  if (group_has_none || (of_machine && *of_machine < 0)) return of_machine;
  return std::min(*of_group, of_machine.value_or(*of_group));
}

std::optional<std::int64_t> cache_bytes(const Environment& environment, int cpu, int level) {
  for (const Cache& cache : environment.caches)
    if (cache.level == level && serves(cache, cpu)) return cache.size_bytes;
  return std::nullopt;
}

std::optional<std::int64_t> last_level_cache_bytes(const Environment& environment, int cpu) {
  int level = 0;
  std::optional<std::int64_t> bytes;
  for (const Cache& cache : environment.caches)
    if (cache.level > level && serves(cache, cpu)) {
      level = cache.level;
      bytes = cache.size_bytes;
    }
  return bytes;
}

} // namespace switchscope
