#include "app/cli/canvas.h"

#include <array>
#include <cstdlib>

namespace switchscope {

namespace {

// Bit of each dot in U+2800 + bits, [row][column].
constexpr std::array<std::array<std::uint8_t, dots_per_column>, dots_per_row> braille_bits{
    {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
constexpr std::uint8_t upper_half = 0x01 | 0x08 | 0x02 | 0x10;
constexpr std::uint8_t lower_half = 0x04 | 0x20 | 0x40 | 0x80;

} // namespace

Canvas::Canvas(int columns, int rows, bool ascii)
    : columns_(columns), rows_(rows), ascii_(ascii), cells_(static_cast<std::size_t>(columns * rows)) {}

Canvas::Cell* Canvas::cell(int column, int row) {
  if (column < 0 || column >= columns_ || row < 0 || row >= rows_) return nullptr;
  return &cells_[static_cast<std::size_t>(row * columns_ + column)];
}

void Canvas::dot(int x, int y) {
  if (x < 0 || y < 0) return;
  if (auto* at = cell(x / dots_per_column, y / dots_per_row))
    at->dots |= braille_bits[static_cast<std::size_t>(y % dots_per_row)][static_cast<std::size_t>(x % dots_per_column)];
}

void Canvas::line(int x0, int y0, int x1, int y1) { // Bresenham's
  const int width = std::abs(x1 - x0);
  const int height = std::abs(y1 - y0);
  const int step_x = x0 < x1 ? 1 : -1;
  const int step_y = y0 < y1 ? 1 : -1;
  int error = width - height;
  while (true) {
    dot(x0, y0);
    if (x0 == x1 && y0 == y1) return;
    const int twice = 2 * error;
    if (twice > -height) {
      error -= height;
      x0 += step_x;
    }
    if (twice < width) {
      error += width;
      y0 += step_y;
    }
  }
}

void Canvas::put_behind(int column, int row, std::string_view character) {
  if (auto* at = cell(column, row)) at->behind = character;
}

void Canvas::put_before(int column, int row, std::string_view character) {
  if (auto* at = cell(column, row)) at->before = character;
}

std::string Canvas::text_of_dots(std::uint8_t dots) const {
  if (ascii_) {
    if ((dots & upper_half) && (dots & lower_half)) return ":";
    return dots & upper_half ? "'" : ".";
  }
  // U+2800 + dots in UTF-8.
  return {'\xE2', static_cast<char>(0xA0 | (dots >> 6)), static_cast<char>(0x80 | (dots & 0x3F))};
}

std::string Canvas::row_text(int row) const {
  std::string text;
  for (int column = 0; column < columns_; ++column) {
    const auto& at = cells_[static_cast<std::size_t>(row * columns_ + column)];
    if (!at.before.empty())
      text += at.before;
    else if (at.dots)
      text += text_of_dots(at.dots);
    else
      text += at.behind.empty() ? " " : at.behind;
  }
  return text;
}

} // namespace switchscope
