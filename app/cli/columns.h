// Text in columns. Width is counted in code points, which is right for what is printed here: µ, ·, −, braille dots.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace switchscope {

[[nodiscard]] int width_of(std::string_view utf8);
[[nodiscard]] std::string padded_right(std::string text, int columns); // text first, blanks after; never cuts
[[nodiscard]] std::string padded_left(std::string text, int columns);
// At most `columns` wide; what is cut ends in "…", or "~" without UTF-8. `columns` < 1 gives nothing.
[[nodiscard]] std::string cut_to(std::string_view text, int columns, bool utf8 = true);
// Lines of at most `columns`, broken at blanks (a longer word stays whole); from the second on indented by `indent`.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, int columns, int indent = 0);
// The same as one text, each line with its end.
[[nodiscard]] std::string wrapped_text(std::string_view text, int columns, int indent = 0);
[[nodiscard]] std::string joined(const std::vector<std::string>& parts, std::string_view between);
// The same with ASCII only: "us", "-", "|" between facts.
[[nodiscard]] std::string in_ascii(std::string text);
// Names come from files and other machines: control characters become "?", so that none reaches the terminal.
[[nodiscard]] std::string printable(std::string_view text);

} // namespace switchscope
