// Which cache or translation cache a rise belongs to.
#pragma once

#include "engine/model/environment.h"
#include "engine/model/point.h"

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

// What two tasks so placed share, caches by size, then translation caches of the pages that were obtained.
[[nodiscard]] std::vector<CacheLevel> levels_for(const Placement&, PageMode obtained, const Environment&);

// Two arrays fill a level of C bytes between C/2 and C, so a rise whose middle lies there belongs to it;
// `tolerance_log2` is how well the middle is known. Of several the nearest to the middle of [C/2, C], caches before
// translation caches.
[[nodiscard]] std::optional<CacheLevel> level_near(const std::vector<CacheLevel>&, double middle_log2_bytes,
                                                   double tolerance_log2);

// Sentences: what may have caused a rise that belongs to none of the levels.
[[nodiscard]] std::vector<std::string> reasons_without_level(PageMode obtained, const Environment&,
                                                             const std::vector<CacheLevel>&, double middle_log2_bytes);

} // namespace switchscope
