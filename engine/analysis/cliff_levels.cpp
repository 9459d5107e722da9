#include "engine/analysis/cliff_levels.h"

#include "engine/model/quantity.h"

#include <algorithm>
#include <cmath>

namespace switchscope {
namespace {

constexpr std::int64_t base_page_bytes = 4096;

// Free tasks may meet any cache; two CPUs share only what serves both.
bool is_shared_by_tasks(const Cache& cache, const Placement& placement) {
  switch (placement.kind) {
  case Placement::Kind::same_cpu:
    return serves(cache, placement.cpu_a);
  case Placement::Kind::two_cpus:
    return serves(cache, placement.cpu_a) && serves(cache, placement.cpu_b);
  case Placement::Kind::automatic:
  case Placement::Kind::free:
    return true;
  }
  return false;
}

double distance_from(const CacheLevel& level, double middle_log2_bytes) {
  return std::abs(middle_log2_bytes - (std::log2(static_cast<double>(level.bytes)) - 0.5));
}

bool has_translation(const std::vector<CacheLevel>& levels) {
  return std::any_of(levels.begin(), levels.end(), [](const CacheLevel& level) { return level.is_translation; });
}

std::string size_near(double log2_bytes) {
  return bytes_text(static_cast<std::int64_t>(std::llround(std::exp2(std::round(log2_bytes)))));
}

} // namespace

std::vector<CacheLevel> levels_for(const Placement& placement, PageMode obtained, const Environment& environment) {
  std::vector<CacheLevel> levels;
  const auto add = [&levels](CacheLevel level) {
    const bool known = std::any_of(levels.begin(), levels.end(), [&level](const CacheLevel& other) {
      return other.name == level.name && other.bytes == level.bytes;
    });
    if (!known) levels.push_back(std::move(level));
  };
  for (const Cache& cache : environment.caches)
    if (is_shared_by_tasks(cache, placement))
      add({"L" + std::to_string(cache.level) + (cache.level == 1 ? "d" : ""), cache.size_bytes, false});
  std::stable_sort(levels.begin(), levels.end(),
                   [](const CacheLevel& a, const CacheLevel& b) { return a.bytes < b.bytes; });
  if (placement.kind == Placement::Kind::two_cpus) return levels; // each CPU translates for itself
  for (const TranslationReach& translation : environment.translation) {
    const bool is_base = translation.page_bytes == base_page_bytes;
    if (is_base == (obtained == PageMode::base_4k) && translation.page_bytes <= (1 << 21))
      add({"L" + std::to_string(translation.level) + " dTLB", translation.reach_bytes(), true});
  }
  return levels;
}

std::optional<CacheLevel> level_near(const std::vector<CacheLevel>& levels, double middle_log2_bytes,
                                     double tolerance_log2) {
  std::optional<CacheLevel> nearest;
  for (const CacheLevel& level : levels) {
    if (distance_from(level, middle_log2_bytes) > 0.5 + tolerance_log2) continue;
    const bool nearer =
        !nearest || (level.is_translation == nearest->is_translation &&
                     distance_from(level, middle_log2_bytes) < distance_from(*nearest, middle_log2_bytes));
    if (nearer) nearest = level;
  }
  return nearest;
}

std::vector<std::string> reasons_without_level(PageMode obtained, const Environment& environment,
                                               const std::vector<CacheLevel>& levels, double middle_log2_bytes) {
  std::vector<std::string> reasons;
  const bool is_guest = !environment.hypervisor.empty();
  const CacheLevel* largest = nullptr;
  const CacheLevel* above = nullptr; // the smallest cache whose C/2 lies above
  for (const CacheLevel& level : levels) {
    if (level.is_translation) continue;
    if (largest == nullptr || level.bytes > largest->bytes) largest = &level;
    const bool is_above = std::log2(static_cast<double>(level.bytes)) - 1 > middle_log2_bytes;
    if (is_above && (above == nullptr || level.bytes < above->bytes)) above = &level;
  }
  if (above != nullptr) {
    if (obtained == PageMode::base_4k)
      reasons.push_back("Page placement: 4 KiB pages lie where the kernel had room, so parts of the " + above->name +
                        " may fill up before it is full; compare with --pages thp.");
    reasons.push_back("A neighbour: others who use the " + above->name + " leave less than its " +
                      bytes_text(above->bytes) + " to these tasks.");
  } else {
    reasons.push_back("A cache whose size this machine does not tell, of about " + size_near(middle_log2_bytes + 0.5) +
                      (is_guest ? ": a guest often does not see the shared L3." : "."));
    if (largest != nullptr && largest->name != "L2")
      reasons.push_back("A part of the shared " + largest->name + ", where others leave less or more than it says.");
  }
  if (!has_translation(levels))
    reasons.emplace_back("Translation reach: this machine does not tell how many pages it keeps translated.");
  return reasons;
}

} // namespace switchscope
