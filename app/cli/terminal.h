// What the terminal can show.
#pragma once

namespace switchscope {

[[nodiscard]] bool is_terminal(int descriptor);
// Columns of the terminal behind the descriptor; 100 where there is none or it does not tell.
[[nodiscard]] int terminal_columns(int descriptor);
// From LC_ALL, LC_CTYPE and LANG, as the C library reads them: the first that is set decides.
[[nodiscard]] bool locale_is_utf8();

} // namespace switchscope
