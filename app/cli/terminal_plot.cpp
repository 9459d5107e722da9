#include "app/cli/terminal_plot.h"

#include "app/cli/canvas.h"
#include "app/cli/columns.h"
#include "app/cli/plot_frame.h"
#include "app/cli/plot_scale.h"
#include "app/cli/wording.h"
#include "engine/analysis/cliffs.h"
#include "engine/model/quantity.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace switchscope {

namespace {

constexpr int least_columns = 40;
constexpr int least_rows = 6;
constexpr std::size_t most_curves_with_intervals = 4; // more of them are a thicket

void draw_background(Canvas& canvas, const Scale& scale, const Drawing& drawing, const std::vector<CacheMark>& caches,
                     const Signs& signs) {
  if (drawing.direct)
    for (int column = 0; column < canvas.columns(); column += signs.ascii ? 2 : 1)
      canvas.put_behind(column, scale.row(drawing.direct->estimate), signs.level);
  for (const auto& cache : caches)
    for (int row = 0; row < canvas.rows(); row += signs.ascii ? 2 : 1)
      canvas.put_behind(scale.column(cache.log2_bytes), row, signs.upright);
}

void draw_curve(Canvas& canvas, const Scale& scale, const Run& run, const RunEstimates& estimates,
                const CurvePoints& curve, const std::string& mark, bool with_intervals) {
  struct Dot {
    int x = 0;
    int y = 0;
  };
  std::optional<Dot> before; // a point that could not be measured leaves a gap
  for (const auto i : curve.points) {
    const auto& total = estimates.points[i].total;
    if (!is_shown(run.points[i], estimates.points[i])) {
      before.reset();
      continue;
    }
    const Dot here{scale.x(std::log2(static_cast<double>(run.points[i].array_bytes))), scale.y(total.estimate)};
    if (before) canvas.line(before->x, before->y, here.x, here.y);
    if (with_intervals && total.has_interval) canvas.line(here.x, scale.y(total.low), here.x, scale.y(total.high));
    canvas.put_before(here.x / dots_per_column, here.y / dots_per_row, mark);
    before = here;
  }
}

std::vector<Label> labels_of(const Run& run, const RunEstimates& estimates, const Drawing& drawing, const Scale& scale,
                             const Signs& signs) {
  std::vector<Label> labels;
  for (std::size_t curve = 0; curve < drawing.groups.curves.size(); ++curve) {
    const auto& points = drawing.groups.curves[curve].points;
    const auto last = std::find_if(points.rbegin(), points.rend(),
                                   [&](std::size_t i) { return is_shown(run.points[i], estimates.points[i]); });
    if (last == points.rend()) continue;
    const auto& name = drawing.groups.curves[curve].label;
    labels.push_back({scale.row(estimates.points[*last].total.estimate),
                      mark_of(signs, curve) + ' ' + (name.empty() ? "total" : name)});
  }
  if (drawing.direct)
    labels.push_back({scale.row(drawing.direct->estimate), signs.level + " C1 " + cost_text(drawing.direct->estimate)});
  return labels;
}

std::string title(const Drawing& drawing) {
  return "Total cost per switch against array size per task" +
         (drawing.groups.fixed.empty() ? std::string() : " · " + drawing.groups.fixed);
}

// Some interval is longer than the mark that stands on it.
bool intervals_show(const Run& run, const RunEstimates& estimates, const Scale& scale) {
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const auto& total = estimates.points[i].total;
    if (is_shown(run.points[i], estimates.points[i]) && total.has_interval &&
        scale.row(total.low) != scale.row(total.high))
      return true;
  }
  return false;
}

CliffColumns cliff_columns(const Run& run, const RunEstimates& estimates, const Scale& scale) {
  CliffColumns columns;
  for (const auto& found : cliffs_of(run, estimates))
    for (const auto& cliff : found.cliffs)
      columns.emplace_back(scale.column(std::log2(static_cast<double>(cliff.from_bytes))),
                           scale.column(std::log2(static_cast<double>(cliff.to_bytes))));
  return columns;
}

std::vector<std::string> foot_notes(const Drawing& drawing, const std::vector<CacheMark>& caches, bool intervals_seen,
                                    bool intervals_left_out, bool cliffs_marked) {
  std::vector<std::string> notes;
  if (intervals_seen)
    notes.emplace_back(drawing.cuts_intervals ? "Uprights through the marks: 95 % intervals, cut at the frame."
                                              : "Uprights through the marks: 95 % intervals.");
  if (intervals_left_out)
    notes.push_back(fmt::format("Intervals are not drawn for more than {} curves.", most_curves_with_intervals));
  if (drawing.direct)
    notes.push_back(fmt::format(
        "C1: direct cost, without data: {}{}.", cost_words(*drawing.direct).together(),
        drawing.direct_state == EstimateState::clean ? "" : ", " + std::string(name_of(drawing.direct_state))));
  if (cliffs_marked) notes.emplace_back("Double floor: from the beginning to the end of a cliff.");
  if (!caches.empty()) notes.emplace_back("Caches at half and at all of their size.");
  if (drawing.contended > 0)
    notes.push_back(fmt::format("Too few clean pairs: {} of {} points.", drawing.contended, drawing.shown));
  return notes;
}

} // namespace

std::string terminal_plot(const Run& run, const RunEstimates& estimates, PlotSize size, PlotCharacters characters) {
  const auto drawing = drawing_of(run, estimates);
  if (drawing.shown == 0) return "Nothing to draw: no point with data was measured.\n";
  const auto signs = signs_for(characters);
  const int all_columns = std::max(size.columns, least_columns);
  const int rows = std::max(size.rows, least_rows);
  const auto axis = cost_axis(drawing, rows);
  const int beside_columns = label_columns(drawing, signs, rows, all_columns);

  Canvas canvas(all_columns - axis.columns - 2 - (beside_columns > 0 ? beside_columns + 1 : 0), rows, signs.ascii);
  const Scale scale(drawing, canvas);
  const auto caches = cache_marks(run, drawing);
  draw_background(canvas, scale, drawing, caches, signs);
  const auto& curves = drawing.groups.curves;
  const bool with_intervals = curves.size() <= most_curves_with_intervals;
  for (std::size_t i = curves.size(); i-- > 0;) // the first lies on top
    draw_curve(canvas, scale, run, estimates, curves[i], mark_of(signs, i), with_intervals);

  const auto labels = labels_of(run, estimates, drawing, scale, signs);
  const auto beside =
      beside_columns > 0 ? labels_by_row(labels, rows) : std::vector<std::string>(static_cast<std::size_t>(rows));
  std::vector<std::string> lines = wrapped(title(drawing), all_columns, 2);
  add_plot_rows(lines, canvas, scale, drawing, axis, beside, beside_columns, signs);
  const CliffColumns cliffs = cliff_columns(run, estimates, scale);
  add_size_axis(lines, canvas, scale, drawing, caches, cliffs, axis.columns + 2, all_columns, signs);
  std::vector<std::string> legend;
  if (beside_columns == 0)
    for (const auto& label : labels) legend.push_back(label.text);
  const auto add_below = [&](const std::string& words) {
    for (auto& line : wrapped(words, all_columns)) lines.push_back(std::move(line));
  };
  add_below(joined(legend, "   "));
  const bool intervals_show_here = intervals_show(run, estimates, scale);
  add_below(joined(foot_notes(drawing, caches, with_intervals && intervals_show_here,
                              !with_intervals && intervals_show_here, !cliffs.empty()),
                   " "));

  std::string text;
  for (auto& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return signs.ascii ? in_ascii(text) : text;
}

} // namespace switchscope
