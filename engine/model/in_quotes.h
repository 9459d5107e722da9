// Foreign text inside a sentence of ours: in quotes, short, and harmless on a terminal and in JSON.
#pragma once

#include <string>
#include <string_view>

namespace switchscope {

// At most `limit` bytes are shown, then "..."; control characters and bytes that are not UTF-8 appear as \xNN.
[[nodiscard]] std::string in_quotes(std::string_view text, std::size_t limit = 60);

// One word of a shell's command line: as it stands where that is safe, else in single quotes.
[[nodiscard]] std::string in_shell_quotes(std::string_view word);

// Well-formed UTF-8 without control characters: what a name may consist of.
[[nodiscard]] bool is_printable(std::string_view text);

} // namespace switchscope
