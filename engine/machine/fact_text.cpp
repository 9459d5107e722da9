#include "engine/machine/fact_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace switchscope {
namespace {

constexpr int highest_cpu = 65535;

std::string_view value_in(const std::map<std::string, std::string>& texts, const std::string& key) {
  const auto found = texts.find(key);
  return found == texts.end() ? std::string_view{} : std::string_view(found->second);
}

template <class Number> std::optional<Number> whole_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

} // namespace

std::string_view file_text(const Facts& facts, const std::string& path) {
  return value_in(facts.files, path);
}
std::string_view call_text(const Facts& facts, const std::string& key) {
  return value_in(facts.calls, key);
}
bool has_file(const Facts& facts, const std::string& path) {
  return facts.files.contains(path);
}
bool is_recorded(const Facts& facts) {
  return facts.calls.contains("recorded");
}

std::string_view trimmed_text(std::string_view text) {
  constexpr std::string_view white = " \t\r\n";
  const std::size_t first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view white = " \t\r\n";
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(white); at != std::string_view::npos;) {
    const std::size_t end = text.find_first_of(white, at);
    words.push_back(text.substr(at, end == std::string_view::npos ? end : end - at));
    at = end == std::string_view::npos ? end : text.find_first_not_of(white, end);
  }
  return words;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  return whole_number<std::int64_t>(trimmed_text(text));
}

std::optional<double> decimal_in(std::string_view text) {
  const auto value = whole_number<double>(trimmed_text(text));
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return value;
}

std::optional<std::vector<int>> cpu_list_in(std::string_view text) {
  std::vector<int> cpus;
  text = trimmed_text(text);
  for (bool more = !text.empty(); more;) {
    const std::size_t comma = text.find(',');
    const std::string_view range = text.substr(0, comma);
    const std::size_t dash = range.find('-');
    const auto first = whole_number<int>(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : whole_number<int>(range.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last > highest_cpu) return std::nullopt;
    // A list that repeats a wide range again and again is no list a kernel writes.
    if (cpus.size() > static_cast<std::size_t>(highest_cpu)) return std::nullopt;
    for (int cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string cpu_list_text(const std::vector<int>& sorted) {
  std::string text;
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t last = first;
    while (last + 1 < sorted.size() && sorted[last + 1] == sorted[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(sorted[first]);
    if (last > first) text += "-" + std::to_string(sorted[last]);
    first = last + 1;
  }
  return text;
}

std::optional<std::int64_t> cache_size_in(std::string_view text) {
  text = trimmed_text(text);
  if (text.empty()) return std::nullopt;
  std::int64_t unit = 1;
  if (text.back() == 'K') unit = std::int64_t{1} << 10;
  if (text.back() == 'M') unit = std::int64_t{1} << 20;
  if (text.back() == 'G') unit = std::int64_t{1} << 30;
  if (unit > 1) text.remove_suffix(1);
  constexpr std::int64_t largest = std::int64_t{1} << 50;
  const auto count = whole_number<std::int64_t>(text);
  if (!count || *count <= 0 || *count > largest / unit) return std::nullopt;
  return *count * unit;
}

std::string_view field_of(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && trimmed_text(line.substr(0, colon)) == name)
      return trimmed_text(line.substr(colon + 1));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return {};
}

std::string_view selected_word(std::string_view text, char open, char close) {
  const std::size_t start = text.find(open);
  if (start == std::string_view::npos) return {};
  const std::size_t end = text.find(close, start);
  if (end == std::string_view::npos) return {};
  return trimmed_text(text.substr(start + 1, end - start - 1));
}

} // namespace switchscope
