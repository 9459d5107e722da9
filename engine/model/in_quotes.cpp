#include "engine/model/in_quotes.h"

namespace switchscope {
namespace {

// Length of the well-formed UTF-8 sequence that starts the text, 0 when there is none. Overlong forms and surrogates
// are not looked for: they do no harm on a terminal.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  return length;
}

} // namespace

std::string in_quotes(std::string_view text, std::size_t limit) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string shown = "\"";
  std::size_t at = 0;
  while (at < text.size() && at < limit) {
    const std::size_t length = sequence_length(text.substr(at));
    const auto byte = static_cast<unsigned char>(text[at]);
    // U+0080..U+009F are control characters too.
    const bool control =
        byte < 0x20 || byte == 0x7F || (byte == 0xC2 && length == 2 && static_cast<unsigned char>(text[at + 1]) < 0xA0);
    if (length == 0 || control) {
      shown += "\\x";
      shown += digits[byte >> 4];
      shown += digits[byte & 15];
      at += 1;
      continue;
    }
    shown += text.substr(at, length);
    at += length;
  }
  if (at < text.size()) shown += "...";
  return shown + '"';
}

} // namespace switchscope
