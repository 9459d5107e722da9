// A grid of characters to draw on in two layers: single characters, and dots finer than a character.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace switchscope {

// A braille character holds 2 x 4 dots. In ASCII the same dots become ' . or :, whichever half of the cell they lie in.
inline constexpr int dots_per_column = 2;
inline constexpr int dots_per_row = 4;

// Row 0 and dot row 0 are the top. What lies outside is not drawn.
class Canvas {
public:
  Canvas(int columns, int rows, bool ascii);

  void dot(int x, int y);
  void line(int x0, int y0, int x1, int y1);                        // both ends included
  void put_behind(int column, int row, std::string_view character); // shows where no dot lies
  void put_before(int column, int row, std::string_view character); // hides dots; the latest one stays

  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int dot_columns() const { return columns_ * dots_per_column; }
  [[nodiscard]] int dot_rows() const { return rows_ * dots_per_row; }
  [[nodiscard]] std::string row_text(int row) const; // `columns` wide

private:
  struct Cell {
    std::uint8_t dots = 0; // the bits of Unicode's braille patterns
    std::string behind;
    std::string before;
  };
  [[nodiscard]] Cell* cell(int column, int row);
  [[nodiscard]] std::string text_of_dots(std::uint8_t dots) const;

  int columns_;
  int rows_;
  bool ascii_;
  std::vector<Cell> cells_;
};

} // namespace switchscope
