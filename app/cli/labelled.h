// A label and its text beside it, for listings people read.
#pragma once

#include <string>

namespace switchscope {

// The label, then the text from `label_columns` on, broken into lines of at most 100 columns. Ends with a newline.
[[nodiscard]] std::string labelled(const std::string& label, int label_columns, const std::string& text);

} // namespace switchscope
