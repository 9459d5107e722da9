#include "engine/model/in_quotes.h"

namespace switchscope {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Length of the printable character that starts the text, 0 when there is none: a control character, or bytes that are
// not UTF-8. Ranges of the second byte are those of the Unicode standard, table 3-7: no overlong forms, no surrogates.
std::size_t character_length(std::string_view text) {
  const unsigned char first = byte_at(text, 0);
  if (first < 0x80) return first < 0x20 || first == 0x7F ? 0 : 1;
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  const unsigned char second = byte_at(text, 1);
  // U+0080 to U+009F are control characters too.
  const unsigned char low = first == 0xC2 || first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (second < low || second > high) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if ((byte_at(text, i) & 0xC0) != 0x80) return 0;
  return length;
}

} // namespace

std::string in_quotes(std::string_view text, std::size_t limit) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string shown = "\"";
  std::size_t at = 0;
  while (at < text.size() && at < limit) {
    const std::size_t length = character_length(text.substr(at));
    if (length == 0) {
      shown += "\\x";
      shown += digits[byte_at(text, at) >> 4];
      shown += digits[byte_at(text, at) & 15];
      at += 1;
      continue;
    }
    shown += text.substr(at, length);
    at += length;
  }
  if (at < text.size()) shown += "...";
  return shown + '"';
}

std::string in_shell_quotes(std::string_view word) {
  const bool is_plain = !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                                "0123456789-_./:@=+,") == std::string_view::npos;
  if (is_plain) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

bool is_printable(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

} // namespace switchscope
