// Text that came from outside, made fit for a message: one line of valid UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace switchscope {

// Control characters become blanks, bytes that are not UTF-8 become '?', runs of blanks one; cut at about `limit`
// bytes.
[[nodiscard]] std::string printable(std::string_view, std::size_t limit = 300);
// The same from the end, for what a program said last.
[[nodiscard]] std::string printable_tail(std::string_view, std::size_t limit = 300);

} // namespace switchscope
