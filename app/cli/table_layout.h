// Where the cells of the table stand: columns side by side; what the width has no room for stands below its row.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace switchscope {

// A value and its ends are two columns, so that values stand right-aligned above each other.
enum TableColumn : std::size_t {
  size,
  total,
  total_ends,
  all_blocks,
  indirect,
  indirect_ends,
  visits,
  blocks,
  state,
  table_column_count
};
using TableCells = std::array<std::string, table_column_count>;

inline constexpr const char* no_value = "–";

class TableLayout {
public:
  explicit TableLayout(int columns) : columns_(columns) {}

  // Every row is shown to the layout first, then it decides what stands side by side.
  void measure(const TableCells&);
  void settle();

  [[nodiscard]] std::string heading() const;               // two lines
  [[nodiscard]] std::string text(const TableCells&) const; // one row, with what stands below it

private:
  [[nodiscard]] bool is_shown(std::size_t column) const;
  [[nodiscard]] int gap_before(std::size_t column) const;
  [[nodiscard]] int columns_before_state() const;
  [[nodiscard]] bool fits() const;
  [[nodiscard]] std::string line(const TableCells&) const;
  [[nodiscard]] std::string row(TableCells) const;
  [[nodiscard]] std::string below(const TableCells&) const;

  int columns_;
  std::array<int, table_column_count> widths_{};
  int gap_ = 2;
  bool counts_below_ = false;   // all blocks, visits and used
  bool indirect_below_ = false; // and the indirect cost
};

} // namespace switchscope
