#include "app/cli/columns.h"

#include <algorithm>
#include <utility>

namespace switchscope {

namespace {

bool starts_a_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u;
}

std::string blanks(int count) {
  return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
}

} // namespace

int width_of(std::string_view utf8) {
  return static_cast<int>(std::count_if(utf8.begin(), utf8.end(), starts_a_character));
}

std::string padded_right(std::string text, int columns) {
  return text + blanks(columns - width_of(text));
}

std::string padded_left(std::string text, int columns) {
  return blanks(columns - width_of(text)) + text;
}

std::string cut_to(std::string_view text, int columns, bool utf8) {
  if (columns < 1) return {};
  if (width_of(text) <= columns) return std::string(text);
  std::size_t end = 0;
  for (int seen = 0; end < text.size(); ++end)
    if (starts_a_character(text[end]) && ++seen == columns) break;
  return std::string(text.substr(0, end)) + (utf8 ? "…" : "~");
}

std::vector<std::string> wrapped(std::string_view text, int columns, int indent) {
  std::vector<std::string> lines;
  std::string line;
  bool has_word = false;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (has_word && width_of(line) + 1 + width_of(word) > columns) {
      lines.push_back(line);
      line = blanks(indent);
      has_word = false;
    }
    if (has_word) line += ' ';
    line += word;
    has_word = true;
  }
  if (has_word) lines.push_back(line);
  return lines;
}

std::string wrapped_text(std::string_view text, int columns, int indent) {
  std::string lines;
  for (const auto& line : wrapped(text, columns, indent)) lines += line + '\n';
  return lines;
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const auto& part : parts) {
    if (part.empty()) continue;
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

std::string in_ascii(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> replacements[] = {
      {"µ", "u"}, {"−", "-"}, {"·", "|"}, {"…", "~"}, {"°", "*"}};
  for (const auto& [from, to] : replacements)
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  std::string ascii;
  for (const char byte : text) // a name in another script: one "?" a character
    if (static_cast<unsigned char>(byte) < 0x80u)
      ascii += byte;
    else if (starts_a_character(byte))
      ascii += '?';
  return ascii;
}

std::string printable(std::string_view text) {
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080..U+009F are control characters too: C2 80..9F in UTF-8.
    if (byte == 0xC2u && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0u) {
      safe += '?';
      ++i;
    } else {
      safe += byte < 0x20u || byte == 0x7Fu ? '?' : text[i];
    }
  }
  return safe;
}

} // namespace switchscope
