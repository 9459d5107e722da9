// What stands around the curves of a plot: both axes, the caches' names, and the labels at the curves' ends.
#pragma once

#include "app/cli/canvas.h"
#include "app/cli/plot_scale.h"
#include "app/cli/terminal_plot.h"

#include <string>
#include <utility>
#include <vector>

namespace switchscope {

struct Signs {
  bool ascii = false;
  std::string upright, level, axis, axis_tick, floor, floor_tick, corner, cliff;
  std::vector<std::string> marks;
};
[[nodiscard]] Signs signs_for(PlotCharacters);
[[nodiscard]] std::string mark_of(const Signs&, std::size_t curve); // letters once the marks are used up

struct CacheMark {
  std::string name; // "L2/2", "L2"
  double log2_bytes = 0;
};
// At half and at all of each cache, where the paper's three spans part; those inside the drawing only.
[[nodiscard]] std::vector<CacheMark> cache_marks(const Run&, const Drawing&);

struct Label {
  int row = 0;
  std::string text;
};
// Columns for labels at the curves' ends; 0 where there are too many for that: then they stand below the plot.
[[nodiscard]] int label_columns(const Drawing&, const Signs&, int rows, int all_columns);
// Each label on a row of its own, near where its curve ends, in the order of the curves' ends.
[[nodiscard]] std::vector<std::string> labels_by_row(std::vector<Label>, int rows);

// The canvas's rows between the costs and the labels.
void add_plot_rows(std::vector<std::string>& lines, const Canvas&, const Scale&, const Drawing&, const CostAxis&,
                   const std::vector<std::string>& beside, int beside_columns, const Signs&);

// The floor is doubled from where a cliff begins to where it ends.
using CliffColumns = std::vector<std::pair<int, int>>; // first and last
// The axis of sizes, and below it the sizes and the caches' names.
void add_size_axis(std::vector<std::string>& lines, const Canvas&, const Scale&, const Drawing&,
                   const std::vector<CacheMark>&, const CliffColumns&, int left_columns, int all_columns, const Signs&);

} // namespace switchscope
