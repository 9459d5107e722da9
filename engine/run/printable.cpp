#include "engine/run/printable.h"

namespace switchscope {

namespace {

// Length of the valid UTF-8 sequence that starts the text; 0 when there is none. RFC 3629: no overlong forms, no
// surrogates, nothing above U+10FFFF.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  unsigned low = 0x80;
  unsigned high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  }
  if (length == 0 || text.size() < length || byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  return length;
}

std::string cleaned(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (length == 0) {
      clean += '?';
    } else if (length == 1 && (first <= ' ' || first == 0x7F)) {
      if (!clean.empty() && clean.back() != ' ') clean += ' ';
    } else {
      clean += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  if (!clean.empty() && clean.back() == ' ') clean.pop_back();
  return clean;
}

bool continues_a_sequence(char c) {
  return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
}

} // namespace

std::string printable(std::string_view text, std::size_t limit) {
  // Cleaning first would walk a whole gigabyte for the sake of its first line.
  std::string clean = cleaned(text.substr(0, 4 * limit));
  if (clean.size() <= limit && text.size() <= 4 * limit) return clean;
  std::size_t cut = clean.size() < limit ? clean.size() : limit;
  while (cut > 0 && cut < clean.size() && continues_a_sequence(clean[cut])) --cut;
  return clean.substr(0, cut) + "...";
}

std::string printable_tail(std::string_view text, std::size_t limit) {
  const std::size_t read_from = text.size() > 4 * limit ? text.size() - 4 * limit : 0;
  std::string clean = cleaned(text.substr(read_from));
  if (clean.size() <= limit && read_from == 0) return clean;
  std::size_t cut = clean.size() < limit ? 0 : clean.size() - limit;
  while (cut < clean.size() && continues_a_sequence(clean[cut])) ++cut;
  return "..." + clean.substr(cut);
}

} // namespace switchscope
