// What a point asked for, what its visits obtained, and which core it ran on: shared by every format and by the table.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/environment.h"
#include "engine/model/visit.h"

#include <optional>
#include <string>
#include <vector>

namespace switchscope {

// Words of engine/model/names.h, or "mixed" when the visits of the point differ; absent without a measured visit.
struct Obtained {
  std::optional<std::string> policy;
  std::optional<std::string> pages;
  friend bool operator==(const Obtained&, const Obtained&) = default;
};

// Index = point_index. Failed visits obtained nothing; visits that counted events are left out.
[[nodiscard]] std::vector<Obtained> obtained_by_point(std::size_t points, const std::vector<Visit>&);

// "performance", or "performance:efficient" for two CPUs that differ; absent where the machine does not tell, or where
// a free task may have run on several types.
[[nodiscard]] std::optional<std::string> core_type_of(const Placement&, const Environment&);

// What the point's intervals speak of: "visits" (within one session) or "sessions"; absent without an estimate.
[[nodiscard]] std::optional<std::string> interval_over(const PointEstimate&);

} // namespace switchscope
