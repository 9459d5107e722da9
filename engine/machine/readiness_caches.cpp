#include "engine/machine/readiness_parts.h"
#include "engine/model/quantity.h"

#include <algorithm>
#include <fmt/format.h>

namespace switchscope {
namespace {

// Data and unified caches that serve the CPU, by level.
std::vector<Cache> caches_of(const Environment& environment, int cpu) {
  std::vector<Cache> caches;
  for (const Cache& cache : environment.caches)
    if (std::find(cache.cpus.begin(), cache.cpus.end(), cpu) != cache.cpus.end()) caches.push_back(cache);
  std::stable_sort(caches.begin(), caches.end(), [](const Cache& a, const Cache& b) { return a.level < b.level; });
  return caches;
}

std::string name_of(const Cache& cache) {
  return cache.level == 1 ? std::string("L1d") : fmt::format("L{}", cache.level);
}

std::string named_size(const Cache& cache) {
  return name_of(cache) + " of " + bytes_text(cache.size_bytes);
}

} // namespace

std::vector<std::string> implausible_caches(const Environment& environment, int cpu) {
  constexpr std::int64_t largest_private_bytes = std::int64_t{1} << 30;
  const auto caches = caches_of(environment, cpu);
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < caches.size(); ++i) {
    const Cache& cache = caches[i];
    if (cache.size_bytes <= 0) {
      reasons.push_back(name_of(cache) + " has no size");
      continue;
    }
    if (cache.line_bytes > 0 && cache.size_bytes % cache.line_bytes != 0)
      reasons.push_back(fmt::format("{} is no multiple of its line of {} B", named_size(cache), cache.line_bytes));
    if (cache.level <= 2 && cache.size_bytes > largest_private_bytes)
      reasons.push_back(named_size(cache) + " is larger than any that was built");
    if (i > 0 && cache.level > caches[i - 1].level && cache.size_bytes < caches[i - 1].size_bytes)
      reasons.push_back(named_size(cache) + " is smaller than " + named_size(caches[i - 1]));
  }
  return reasons;
}

Finding caches_finding(const Environment& environment, const Cpu& cpu) {
  Finding finding{"cache-sizes", Light::green, cpu.number, "cache sizes", "", "", "", ""};
  const auto caches = caches_of(environment, cpu.number);
  for (const Cache& cache : caches)
    finding.here += fmt::format("{}{} {} ({})", finding.here.empty() ? "" : ", ", name_of(cache),
                                bytes_text(cache.size_bytes), cache.source);
  const bool has_l2 = std::any_of(caches.begin(), caches.end(), [](const Cache& cache) { return cache.level == 2; });
  if (!has_l2) {
    finding.light = Light::yellow;
    finding.here = finding.here.empty() ? "the machine tells none" : finding.here + ", no L2 is told";
    finding.means =
        "Presets sweep from 16 KiB to 64 MiB instead of around the second level. Give sizes with --size where "
        "you know them.";
    return finding;
  }
  const auto reasons = implausible_caches(environment, cpu.number);
  if (reasons.empty()) return finding;
  finding.light = Light::yellow;
  finding.here += "; " + reasons.front();
  finding.means =
      "Such sizes are a hypervisor's or firmware's invention. Presets are built on them: give --size, and rely "
      "on the cliffs that are measured.";
  return finding;
}

} // namespace switchscope
