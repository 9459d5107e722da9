// Which cache or translation cache a rise belongs to.
#pragma once

#include "engine/analysis/curve.h"
#include "engine/model/environment.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace switchscope {

struct CacheLevel {
  std::string name;       // "L1d", "L2", "L3", "L1 dTLB", "L2 dTLB"
  std::int64_t bytes = 0; // its size, or the memory it translates
  bool is_translation = false;
};

// What both tasks of the curve share, caches by level, then translation caches of the curve's page size.
[[nodiscard]] std::vector<CacheLevel> levels_for(const Curve&, const Environment&);

// Two arrays fill a level of C bytes between C/2 and C, so a rise whose middle lies there belongs to it;
// `tolerance_log2` is one grid step of the sweep. Of several the nearest to the middle of [C/2, C], caches before
// translation caches.
[[nodiscard]] std::optional<CacheLevel> level_near(const std::vector<CacheLevel>&, double middle_log2_bytes,
                                                   double tolerance_log2);

// Sentences: what may have caused a rise that belongs to none of the levels.
[[nodiscard]] std::vector<std::string> reasons_without_level(const Curve&, const Environment&,
                                                             const std::vector<CacheLevel>&, double middle_log2_bytes);

} // namespace switchscope
