// The lines under the table: what its signs mean, what was set aside, the proof of count, and the conditions.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/run.h"
#include "engine/model/visit.h"

#include <set>
#include <string>
#include <vector>

namespace switchscope {

// What the rows show that needs a word below them.
struct TableSigns {
  bool not_distinguishable_from_0 = false;
  bool depends_on_set_aside = false;
  bool range_seen = false;
  std::set<Flag> everywhere; // carried by every point: said once, not in the rows
  std::set<Flag> in_rows;
};

inline constexpr const char* zero_sign = "°";
inline constexpr const char* depends_sign = "†";

// One sentence or list each, not yet wrapped.
[[nodiscard]] std::vector<std::string> table_notes(const Run&, const std::vector<Visit>&, const RunEstimates&,
                                                   const TableSigns&);

// "FIFO 50", what the visits obtained; several joined by "or"; what was asked when nothing was measured.
[[nodiscard]] std::string policies_obtained(const Run&, const std::vector<Visit>&);

} // namespace switchscope
