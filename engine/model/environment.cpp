#include "engine/model/environment.h"

#include <algorithm>

namespace switchscope {
namespace {

bool serves(const Cache& cache, int cpu) {
  return (cache.kind == "data" || cache.kind == "unified") &&
         std::find(cache.cpus.begin(), cache.cpus.end(), cpu) != cache.cpus.end();
}

} // namespace

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
