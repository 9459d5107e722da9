#include "app/cli/table_layout.h"

#include "app/cli/columns.h"

#include <algorithm>
#include <vector>

namespace switchscope {

namespace {

constexpr std::array<bool, table_column_count> left_aligned{false, false, true, false, false, true, false, false, true};
constexpr int least_state_columns = 9; // "contended" and "corrected"

const std::array<TableCells, 2> header{
    TableCells{"size", "total", "per switch", "all", "indirect", "per switch", "visits", "used", "state"},
    TableCells{"a task", "", "(95 %)", "blocks", "", "(95 %)", "", "/all", ""}};

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

bool says_something(const std::string& cell) {
  return !cell.empty() && cell != no_value;
}

} // namespace

void TableLayout::measure(const TableCells& cells) {
  for (std::size_t i = 0; i < state; ++i) widths_[i] = std::max(widths_[i], width_of(cells[i]));
}

void TableLayout::settle() {
  for (const auto& cells : header) measure(cells);
  for (const bool indirect_too : {false, true})
    for (const bool counts : {false, true}) {
      counts_below_ = counts || indirect_too;
      indirect_below_ = indirect_too;
      for (const int gap : {2, 1}) {
        gap_ = gap;
        if (fits()) return;
      }
    }
}

std::string TableLayout::heading() const {
  return row(header[0]) + row(header[1]);
}

std::string TableLayout::text(const TableCells& cells) const {
  return row(cells) + below(cells);
}

bool TableLayout::is_shown(std::size_t column) const {
  const bool counts = column == all_blocks || column == visits || column == blocks;
  const bool indirect_cost = column == indirect || column == indirect_ends;
  return !(counts && counts_below_) && !(indirect_cost && indirect_below_);
}

int TableLayout::gap_before(std::size_t column) const {
  if (column == size) return 0;
  return column == total_ends || column == indirect_ends ? 1 : gap_;
}

int TableLayout::columns_before_state() const {
  int columns = gap_before(state);
  for (std::size_t i = 0; i < state; ++i)
    if (is_shown(i)) columns += gap_before(i) + widths_[i];
  return columns;
}

bool TableLayout::fits() const {
  return columns_before_state() + least_state_columns <= columns_;
}

std::string TableLayout::line(const TableCells& cells) const {
  std::string text;
  for (std::size_t i = 0; i < table_column_count; ++i) {
    if (!is_shown(i)) continue;
    text.append(static_cast<std::size_t>(gap_before(i)), ' ');
    if (i == state)
      text += cells[i];
    else
      text += left_aligned[i] ? padded_right(cells[i], widths_[i]) : padded_left(cells[i], widths_[i]);
  }
  return trimmed(text) + '\n';
}

// The state and its flags take as many lines as they need in what the other columns leave.
std::string TableLayout::row(TableCells cells) const {
  const auto words = wrapped(cells[state], std::max(columns_ - columns_before_state(), least_state_columns));
  cells[state] = words.empty() ? "" : words.front();
  std::string lines = line(cells);
  for (std::size_t i = 1; i < words.size(); ++i) {
    TableCells more;
    more[state] = words[i];
    lines += line(more);
  }
  return lines;
}

std::string TableLayout::below(const TableCells& cells) const {
  std::vector<std::string> parts;
  if (indirect_below_ && says_something(cells[indirect]))
    parts.push_back(trimmed("indirect " + cells[indirect] + ' ' + cells[indirect_ends]));
  if (counts_below_ && says_something(cells[all_blocks])) parts.push_back(trimmed("all blocks " + cells[all_blocks]));
  if (counts_below_ && says_something(cells[visits]))
    parts.push_back(cells[visits] + (cells[visits] == "1" ? " visit" : " visits"));
  if (counts_below_ && says_something(cells[blocks])) parts.push_back("used " + cells[blocks]);

  const int indent = widths_[size] + gap_;
  std::string lines;
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) lines += padded_left("", indent) + line + '\n';
    line.clear();
  };
  for (const auto& part : parts) {
    if (!line.empty() && indent + width_of(line) + 3 + width_of(part) > columns_) end_line();
    line += (line.empty() ? "" : " · ") + part;
  }
  end_line();
  return lines;
}

} // namespace switchscope
