#include "app/cli/plot_frame.h"

#include "app/cli/columns.h"
#include "engine/model/quantity.h"

#include <algorithm>
#include <cmath>

namespace switchscope {

namespace {

constexpr int most_label_columns = 30;

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

} // namespace

Signs signs_for(PlotCharacters characters) {
  if (characters == PlotCharacters::ascii)
    return {true, "|", "-", "|", "+", "-", "+", "+", "=", {"o", "x", "+", "*", "#", "@", "%", "&", "=", "$"}};
  return {false, "┊", "╌", "│", "┤", "─", "┬", "└", "═", {"●", "○", "■", "□", "▲", "△", "◆", "◇", "▼", "▽"}};
}

std::string mark_of(const Signs& signs, std::size_t curve) {
  if (curve < signs.marks.size()) return signs.marks[curve];
  return std::string(1, static_cast<char>('a' + static_cast<char>((curve - signs.marks.size()) % 26)));
}

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

int label_columns(const Drawing& drawing, const Signs& signs, int rows, int all_columns) {
  if (static_cast<int>(drawing.groups.curves.size()) + 1 > rows) return 0;
  int columns = width_of(signs.level + " C1 99.99 µs");
  for (const auto& curve : drawing.groups.curves) columns = std::max(columns, 2 + width_of(curve.label));
  return std::min({columns, most_label_columns, all_columns / 3});
}

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

} // namespace switchscope
