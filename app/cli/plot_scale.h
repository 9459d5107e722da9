// What a plot draws and how large it is: the run's values in the user's units, and where they come to lie.
#pragma once

#include "app/cli/canvas.h"
#include "app/cli/wording.h"
#include "engine/analysis/estimate.h"
#include "engine/model/run.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace switchscope {

// Has data and was measured.
[[nodiscard]] bool is_shown(const Point&, const PointEstimate&);

// What is drawn, in the user's units.
struct Drawing {
  CurveGroups groups;
  std::optional<Interval> direct; // of the plan's first placement
  EstimateState direct_state = EstimateState::failed;
  double least_log2 = std::numeric_limits<double>::infinity(); // of array bytes
  double most_log2 = -std::numeric_limits<double>::infinity();
  double least_ns = 0;
  double most_ns = -std::numeric_limits<double>::infinity();
  bool cuts_intervals = false;
  int shown = 0;
  int contended = 0;
};
[[nodiscard]] Drawing drawing_of(const Run&, const RunEstimates&);

// From the user's units to dots and cells of the plot area. The drawing must outlive it.
class Scale {
public:
  Scale(const Drawing& drawing, const Canvas& canvas)
      : drawing_(drawing), dot_columns_(canvas.dot_columns()), dot_rows_(canvas.dot_rows()) {}
  [[nodiscard]] int x(double log2_bytes) const;
  [[nodiscard]] int y(double ns) const; // the ends of an interval that leave the frame stop at its edge
  [[nodiscard]] int column(double log2_bytes) const { return x(log2_bytes) / dots_per_column; }
  [[nodiscard]] int row(double ns) const { return y(ns) / dots_per_row; }

private:
  const Drawing& drawing_;
  int dot_columns_;
  int dot_rows_;
};

// The costs that stand at the left, and how wide they are.
struct CostAxis {
  double step_ns = 0;
  std::vector<double> ticks_ns;
  int columns = 0;
};
[[nodiscard]] CostAxis cost_axis(const Drawing&, int rows);
// "2.5 µs", with as many decimals as the step needs.
[[nodiscard]] std::string tick_text(double ns, double step_ns, double most_ns);

// Powers of two, in bytes, as many as have room for their texts.
[[nodiscard]] std::vector<std::int64_t> size_ticks(const Drawing&, int columns);

} // namespace switchscope
