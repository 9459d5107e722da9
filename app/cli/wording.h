// The words for points, costs and flags on the command line, and which points make a curve.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/environment.h"
#include "engine/model/point.h"
#include "engine/model/run.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace switchscope {

// Points that differ in size only, by size. `label` says what tells the curve from its neighbours; empty when nothing
// does.
struct CurvePoints {
  std::string label;
  std::vector<std::size_t> points; // indices
};
struct CurveGroups {
  std::string fixed;               // what all points share: "rmw · strided 128 B · CPU 1 · 4 KiB pages · vector"
  std::vector<CurvePoints> direct; // one point each, D = 0
  std::vector<CurvePoints> curves;
};
[[nodiscard]] CurveGroups group_curves(const std::vector<Point>&);

[[nodiscard]] std::string policy_words(Policy, int priority); // "FIFO 50", "ordinary scheduling"
[[nodiscard]] std::string pages_words(PageMode);              // "4 KiB pages"
[[nodiscard]] std::string state_words(RunState);              // "completed", "not ended"
// "384 KiB rmw strided 128 B", "no data": for a line about one point.
[[nodiscard]] std::string short_words(const Point&);

// "7.43 µs" and "(7.31 to 7.55)"; "(seen 7.31…7.55)" where the ends are only the range of few visits; no ends for one
// value.
struct CostWords {
  std::string value;
  std::string ends;
  [[nodiscard]] std::string together() const { return ends.empty() ? value : value + ' ' + ends; }
};
[[nodiscard]] CostWords cost_words(const Interval&);
[[nodiscard]] bool is_not_distinguishable_from_0(const Interval&);

[[nodiscard]] std::string short_word(Flag);  // "few": fits a column
[[nodiscard]] std::string explanation(Flag); // "too few visits to rely on; ..."

// Each line with a capital at its start and a stop at its end. Parts of the engine say what is wrong in half sentences,
// to be quoted; where nobody quotes them they are made whole. A first word that is no word (a path, a command) stays.
[[nodiscard]] std::string as_sentences(std::string_view lines);

// One sentence where the worker could not open a hardware counter; empty where it could, or did not tell.
[[nodiscard]] std::string no_counters_text(const Environment&);

// "6 of 40": the plan's combinations that were left out, for their stride is larger than the array. Added points are
// none of them. Empty where none was left out.
[[nodiscard]] std::string left_out_words(const Run&);

// A size to three digits where it is no whole KiB or MiB: "42.7 KiB". Files carry the exact bytes.
[[nodiscard]] std::string rounded_bytes_text(std::int64_t bytes);

} // namespace switchscope
