// Cost of a switch against array size, drawn with characters, because over ssh there is no window.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/run.h"

#include <string>

namespace switchscope {

struct PlotSize {
  int columns = 100; // at least 40 are used
  int rows = 20;     // of the plot area; at least 6 are used
};
enum class PlotCharacters { braille, ascii };

// x: array bytes per task, logarithmic; y: total cost of a switch, linear, from 0 or below to the largest value. The
// direct cost is a dashed level, caches of the first placement's CPU are dashed uprights at C/2 and C. Without a
// measured point that holds data: one sentence. UTF-8 (braille) or ASCII only, ends with a newline; the same input
// gives the same text.
[[nodiscard]] std::string terminal_plot(const Run&, const RunEstimates&, PlotSize = {},
                                        PlotCharacters = PlotCharacters::braille);

} // namespace switchscope
