#include "app/cli/terminal_plot.h"

#include "app/cli/canvas.h"
#include "app/cli/columns.h"
#include "app/cli/wording.h"
#include "engine/analysis/cliffs.h"
#include "engine/model/quantity.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace switchscope {

namespace {

constexpr int least_columns = 40;
constexpr int least_rows = 6;
constexpr int most_label_columns = 30;
constexpr std::size_t most_curves_with_intervals = 4; // more of them are a thicket

struct Signs {
  bool ascii = false;
  std::string upright, level, axis, axis_tick, floor, floor_tick, corner, cliff;
  std::vector<std::string> marks;
};

Signs signs_for(PlotCharacters characters) {
  if (characters == PlotCharacters::ascii)
    return {true, "|", "-", "|", "+", "-", "+", "+", "=", {"o", "x", "+", "*", "#", "@", "%", "&", "=", "$"}};
  return {false, "┊", "╌", "│", "┤", "─", "┬", "└", "═", {"●", "○", "■", "□", "▲", "△", "◆", "◇", "▼", "▽"}};
}

std::string mark_of(const Signs& signs, std::size_t curve) {
  if (curve < signs.marks.size()) return signs.marks[curve];
  return std::string(1, static_cast<char>('a' + static_cast<char>((curve - signs.marks.size()) % 26)));
}

bool is_shown(const Point& point, const PointEstimate& estimate) {
  return !point.is_direct() && estimate.state != EstimateState::failed && std::isfinite(estimate.total.estimate);
}

// What is drawn, in the user's units.
struct Drawing {
  CurveGroups groups;
  std::optional<double> direct_ns;                             // of the plan's first placement
  double least_log2 = std::numeric_limits<double>::infinity(); // of array bytes
  double most_log2 = -std::numeric_limits<double>::infinity();
  double least_ns = 0;
  double most_ns = -std::numeric_limits<double>::infinity();
  bool cuts_intervals = false;
  int shown = 0;
  int contended = 0;
};

Drawing drawing_of(const Run& run, const RunEstimates& estimates) {
  Drawing drawing;
  drawing.groups = group_curves(run.points);
  const auto include = [&](double ns) {
    drawing.least_ns = std::min(drawing.least_ns, ns);
    drawing.most_ns = std::max(drawing.most_ns, ns);
  };
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const auto& point = run.points[i];
    const auto& estimate = estimates.points.at(i);
    if (!is_shown(point, estimate)) continue;
    ++drawing.shown;
    if (estimate.state == EstimateState::contended) ++drawing.contended;
    const double log2_bytes = std::log2(static_cast<double>(point.array_bytes));
    drawing.least_log2 = std::min(drawing.least_log2, log2_bytes);
    drawing.most_log2 = std::max(drawing.most_log2, log2_bytes);
    include(estimate.total.estimate);
  }
  if (drawing.shown == 0) return drawing;
  if (!drawing.groups.direct.empty()) {
    const auto& direct = estimates.points.at(drawing.groups.direct.front().points.front());
    if (direct.state != EstimateState::failed) drawing.direct_ns = direct.total.estimate;
  }
  if (drawing.direct_ns) include(*drawing.direct_ns);

  // One wide interval must not press every curve flat: the frame follows intervals as far as half its height.
  const double room = (drawing.most_ns - drawing.least_ns) / 2;
  const double lowest = drawing.least_ns - room;
  const double highest = drawing.most_ns + room;
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const auto& total = estimates.points[i].total;
    if (!is_shown(run.points[i], estimates.points[i]) || !total.has_interval) continue;
    if (total.low < lowest || total.high > highest) drawing.cuts_intervals = true;
    include(std::max(total.low, lowest));
    include(std::min(total.high, highest));
  }
  if (drawing.most_ns <= drawing.least_ns) drawing.most_ns = drawing.least_ns + 1;
  return drawing;
}

// 1, 2, 2.5 or 5 times a power of ten, so that about `wanted` steps fill the span.
double tick_step(double span, int wanted) {
  const double rough = span / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (factor * power >= rough * 0.999) return factor * power;
  return 10 * power;
}

std::string tick_text(double ns, double step_ns, double most_ns) {
  const auto [unit_ns, unit] = most_ns >= 1e6   ? std::pair{1e6, "ms"}
                               : most_ns >= 1e3 ? std::pair{1e3, "µs"}
                                                : std::pair{1.0, "ns"};
  int decimals = 0; // until the step is whole in its last place
  for (double step = step_ns / unit_ns; decimals < 6 && std::abs(step - std::round(step)) > 1e-6 * step; step *= 10)
    ++decimals;
  const double value = std::abs(ns) < step_ns / 2 ? 0 : ns / unit_ns;
  return fmt::format("{}{:.{}f} {}", value < 0 ? "−" : "", std::abs(value), decimals, unit);
}

// From the user's units to dots and cells of the plot area.
class Scale {
public:
  Scale(const Drawing& drawing, const Canvas& canvas)
      : drawing_(drawing), dot_columns_(canvas.dot_columns()), dot_rows_(canvas.dot_rows()) {}
  [[nodiscard]] int x(double log2_bytes) const {
    const double span = drawing_.most_log2 - drawing_.least_log2;
    // A margin of one cell on both sides, for the marks.
    const double share = span > 0 ? (log2_bytes - drawing_.least_log2) / span : 0.5;
    return dots_per_column + static_cast<int>(std::lround(share * (dot_columns_ - 1 - 2 * dots_per_column)));
  }
  // The ends of an interval that leave the frame stop at its edge; everything else lies inside.
  [[nodiscard]] int y(double ns) const {
    const double inside = std::clamp(ns, drawing_.least_ns, drawing_.most_ns);
    const double share = (inside - drawing_.least_ns) / (drawing_.most_ns - drawing_.least_ns);
    return static_cast<int>(std::lround((1 - share) * (dot_rows_ - 1)));
  }
  [[nodiscard]] int column(double log2_bytes) const { return x(log2_bytes) / dots_per_column; }
  [[nodiscard]] int row(double ns) const { return y(ns) / dots_per_row; }

private:
  const Drawing& drawing_;
  int dot_columns_;
  int dot_rows_;
};

struct CacheMark {
  std::string name; // "L2/2", "L2"
  double log2_bytes = 0;
};

// The paper's three spans part at C/2 and C.
std::vector<CacheMark> cache_marks(const Run& run, const Drawing& drawing) {
  std::vector<CacheMark> marks;
  const int cpu = run.points.front().placement.cpu_a;
  for (const auto& [level, name] : {std::pair{1, "L1d"}, std::pair{2, "L2"}, std::pair{3, "L3"}}) {
    const auto bytes = cache_bytes(run.before, cpu, level);
    if (!bytes || *bytes <= 0) continue;
    const double log2_bytes = std::log2(static_cast<double>(*bytes));
    marks.push_back({std::string(name) + "/2", log2_bytes - 1});
    marks.push_back({name, log2_bytes});
  }
  std::erase_if(marks, [&](const CacheMark& mark) {
    return mark.log2_bytes < drawing.least_log2 || mark.log2_bytes > drawing.most_log2;
  });
  return marks;
}

void draw_background(Canvas& canvas, const Scale& scale, const Drawing& drawing, const std::vector<CacheMark>& caches,
                     const Signs& signs) {
  if (drawing.direct_ns)
    for (int column = 0; column < canvas.columns(); column += signs.ascii ? 2 : 1)
      canvas.put_behind(column, scale.row(*drawing.direct_ns), signs.level);
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

struct Label {
  int row = 0;
  std::string text;
};

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
  if (drawing.direct_ns)
    labels.push_back({scale.row(*drawing.direct_ns), signs.level + " C1 " + cost_text(*drawing.direct_ns)});
  return labels;
}

// Each label on a row of its own, near where its curve ends, in the order of the curves' ends.
std::vector<std::string> labels_by_row(std::vector<Label> labels, int rows) {
  std::stable_sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.row < b.row; });
  int next_free = 0;
  for (auto& label : labels) {
    label.row = std::max(label.row, next_free);
    next_free = label.row + 1;
  }
  int last_free = rows - 1;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    label->row = std::min(label->row, last_free);
    last_free = label->row - 1;
  }
  std::vector<std::string> by_row(static_cast<std::size_t>(rows));
  for (const auto& label : labels) by_row[static_cast<std::size_t>(label.row)] = label.text;
  return by_row;
}

// Centred texts on as many lines as they need to stay apart.
class TextRows {
public:
  explicit TextRows(int columns) : columns_(columns) {}
  void add(int middle, const std::string& text) {
    const int start = std::max(0, std::min(middle - width_of(text) / 2, columns_ - width_of(text)));
    for (auto& line : lines_)
      if (width_of(line) == 0 || width_of(line) < start) {
        line = padded_right(line, start) + text;
        return;
      }
    lines_.push_back(padded_right("", start) + text);
  }
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

private:
  int columns_;
  std::vector<std::string> lines_;
};

std::vector<std::int64_t> size_ticks(const Drawing& drawing, int columns) {
  constexpr double label_columns = 9; // "512 KiB" and some air
  const double octaves = drawing.most_log2 - drawing.least_log2;
  const int step = std::max(1, static_cast<int>(std::ceil(octaves * label_columns / columns)));
  std::vector<std::int64_t> ticks;
  for (int exponent = static_cast<int>(std::ceil(drawing.least_log2)); exponent <= std::floor(drawing.most_log2);
       exponent += step)
    ticks.push_back(std::int64_t{1} << exponent);
  if (ticks.empty()) ticks.push_back(std::llround(std::exp2(drawing.least_log2)));
  return ticks;
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

// The floor is doubled from where a cliff begins to where it ends.
using CliffColumns = std::vector<std::pair<int, int>>; // first and last

CliffColumns cliff_columns(const Run& run, const RunEstimates& estimates, const Scale& scale) {
  CliffColumns columns;
  for (const auto& found : cliffs_of(run, estimates))
    for (const auto& cliff : found.cliffs)
      columns.emplace_back(scale.column(std::log2(static_cast<double>(cliff.from_bytes))),
                           scale.column(std::log2(static_cast<double>(cliff.to_bytes))));
  return columns;
}

std::vector<std::string> foot_notes(const Drawing& drawing, const std::vector<CacheMark>& caches, bool intervals_seen,
                                    bool cliffs_marked) {
  std::vector<std::string> notes;
  if (intervals_seen)
    notes.emplace_back(drawing.cuts_intervals ? "Uprights through the marks: 95 % intervals, cut at the frame."
                                              : "Uprights through the marks: 95 % intervals.");
  if (drawing.direct_ns) notes.emplace_back("C1: direct cost, without data.");
  if (cliffs_marked) notes.emplace_back("Double floor: from the beginning to the end of a cliff.");
  if (!caches.empty()) notes.emplace_back("Caches at half and at all of their size.");
  if (drawing.contended > 0)
    notes.push_back(fmt::format("Too few clean pairs: {} of {} points.", drawing.contended, drawing.shown));
  return notes;
}

// The costs that stand at the left, and how wide they are.
struct CostAxis {
  double step_ns = 0;
  std::vector<double> ticks_ns;
  int columns = 0;
};

CostAxis cost_axis(const Drawing& drawing, int rows) {
  CostAxis axis;
  axis.step_ns = tick_step(drawing.most_ns - drawing.least_ns, std::max(2, rows / 3));
  for (double tick = std::ceil(drawing.least_ns / axis.step_ns) * axis.step_ns; tick <= drawing.most_ns * 1.0001;
       tick += axis.step_ns) {
    axis.ticks_ns.push_back(tick);
    axis.columns = std::max(axis.columns, width_of(tick_text(tick, axis.step_ns, drawing.most_ns)));
  }
  return axis;
}

// Labels stand at the curves' ends; 0 where there are too many for that: then they stand below the plot.
int label_columns(const Drawing& drawing, const Signs& signs, int rows, int all_columns) {
  if (static_cast<int>(drawing.groups.curves.size()) + 1 > rows) return 0;
  int columns = width_of(signs.level + " C1 99.99 µs");
  for (const auto& curve : drawing.groups.curves) columns = std::max(columns, 2 + width_of(curve.label));
  return std::min({columns, most_label_columns, all_columns / 3});
}

// The canvas's rows between the costs and the labels.
void add_plot_rows(std::vector<std::string>& lines, const Canvas& canvas, const Scale& scale, const Drawing& drawing,
                   const CostAxis& axis, const std::vector<std::string>& beside, int beside_columns,
                   const Signs& signs) {
  std::vector<std::string> ticks(static_cast<std::size_t>(canvas.rows()));
  for (const double tick_ns : axis.ticks_ns)
    ticks[static_cast<std::size_t>(scale.row(tick_ns))] = tick_text(tick_ns, axis.step_ns, drawing.most_ns);
  for (std::size_t row = 0; row < ticks.size(); ++row)
    lines.push_back(padded_left(ticks[row], axis.columns) + ' ' + (ticks[row].empty() ? signs.axis : signs.axis_tick) +
                    canvas.row_text(static_cast<int>(row)) + ' ' + cut_to(beside[row], beside_columns));
}

// The axis of sizes, and below it the sizes and the caches' names.
void add_size_axis(std::vector<std::string>& lines, const Canvas& canvas, const Scale& scale, const Drawing& drawing,
                   const std::vector<CacheMark>& caches, const CliffColumns& cliffs, int left_columns, int all_columns,
                   const Signs& signs) {
  std::vector<std::string> floor(static_cast<std::size_t>(canvas.columns()), signs.floor);
  for (const auto& [first, last] : cliffs)
    for (int column = first; column <= last; ++column) floor[static_cast<std::size_t>(column)] = signs.cliff;
  TextRows sizes(all_columns), names(all_columns);
  for (const auto bytes : size_ticks(drawing, canvas.columns())) {
    const int column = scale.column(std::log2(static_cast<double>(bytes)));
    floor[static_cast<std::size_t>(column)] = signs.floor_tick;
    sizes.add(left_columns + column, bytes_text(bytes));
  }
  for (const auto& cache : caches) names.add(left_columns + scale.column(cache.log2_bytes), cache.name);
  lines.push_back(std::string(static_cast<std::size_t>(left_columns - 1), ' ') + signs.corner + joined(floor, ""));
  lines.insert(lines.end(), sizes.lines().begin(), sizes.lines().end());
  lines.insert(lines.end(), names.lines().begin(), names.lines().end());
}

void add_wrapped(std::vector<std::string>& lines, const std::string& text, int columns) {
  const auto more = wrapped(text, columns);
  lines.insert(lines.end(), more.begin(), more.end());
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
  add_wrapped(lines, joined(legend, "   "), all_columns);
  const bool intervals_seen = with_intervals && intervals_show(run, estimates, scale);
  add_wrapped(lines, joined(foot_notes(drawing, caches, intervals_seen, !cliffs.empty()), " "), all_columns);

  std::string text;
  for (auto& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return signs.ascii ? in_ascii(text) : text;
}

} // namespace switchscope
