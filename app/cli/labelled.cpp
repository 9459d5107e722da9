#include "app/cli/labelled.h"

#include "app/cli/columns.h"

namespace switchscope {

std::string labelled(const std::string& label, int label_columns, const std::string& text) {
  constexpr int columns = 100;
  std::string lines;
  std::string left = label;
  for (const auto& line : wrapped(text, columns - label_columns)) {
    lines += padded_right(left, label_columns) + line + '\n';
    left.clear();
  }
  return lines;
}

} // namespace switchscope
