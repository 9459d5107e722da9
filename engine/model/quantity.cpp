#include "engine/model/quantity.h"

#include "engine/model/in_quotes.h"
#include "engine/model/point.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace switchscope {
namespace {

constexpr std::int64_t max_bytes = std::int64_t{1} << 53; // where doubles (and other readers of our JSON) stay exact
constexpr int max_points_per_octave = 64;
constexpr std::size_t max_decimals = 6; // so that decimals x unit stays below 2^63

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool same_word(std::string_view text, std::string_view word) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// "384 KiB" -> "384", "KiB"
std::pair<std::string_view, std::string_view> split_number(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
  return {text.substr(0, end), trimmed(text.substr(end))};
}

std::optional<std::int64_t> whole(std::string_view digits) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<double> positive_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> byte_unit(std::string_view unit) {
  static constexpr std::int64_t k = 1000, ki = 1024;
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 10> units{{{"", 1},
                                                                                    {"B", 1},
                                                                                    {"KiB", ki},
                                                                                    {"MiB", ki * ki},
                                                                                    {"GiB", ki * ki * ki},
                                                                                    {"TiB", ki * ki * ki * ki},
                                                                                    {"KB", k},
                                                                                    {"MB", k * k},
                                                                                    {"GB", k * k * k},
                                                                                    {"TB", k * k * k * k}}};
  for (const auto& [word, bytes] : units)
    if (same_word(unit, word)) return bytes;
  return std::nullopt;
}

std::optional<double> time_unit(std::string_view unit) {
  static constexpr std::array<std::pair<std::string_view, double>, 7> units{
      {{"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6}, {"μs", 1e-6}, {"ms", 1e-3}, {"s", 1.0}, {"min", 60.0}}};
  for (const auto& [word, seconds] : units)
    if (unit == word) return seconds;
  return std::nullopt;
}

std::int64_t rounded(std::int64_t bytes) {
  const std::int64_t step = bytes < line_bytes ? element_bytes : line_bytes;
  return (bytes + step / 2) / step * step;
}

void sort_without_repeats(std::vector<std::int64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// "1KiB..4MiB:2", where `dots` is the place of "..".
Parsed<std::vector<std::int64_t>> parse_range(std::string_view text, std::size_t dots) {
  const std::string_view start = trimmed(text.substr(0, dots));
  std::string_view end = trimmed(text.substr(dots + 2));
  if (end.find("..") != std::string_view::npos)
    return ParseError{"The range " + in_quotes(text) + " has more than two ends; write two, as in 1KiB..4MiB:2."};
  int per_octave = 1;
  if (const std::size_t colon = end.find(':'); colon != std::string_view::npos) {
    const auto count = whole(trimmed(end.substr(colon + 1)));
    if (!count || *count < 1 || *count > max_points_per_octave)
      return ParseError{"The range " + in_quotes(text) + " asks for " + in_quotes(trimmed(end.substr(colon + 1))) +
                        " points per octave; write a whole number from 1 to 64, as in 1KiB..4MiB:2."};
    per_octave = static_cast<int>(*count);
    end = trimmed(end.substr(0, colon));
  }
  if (start.empty() || end.empty())
    return ParseError{"The range " + in_quotes(text) + " has no " + (start.empty() ? "start" : "end") +
                      "; write both, as in 1KiB..4MiB:2."};
  const auto first = parse_bytes(start);
  if (const auto* error = std::get_if<ParseError>(&first)) return *error;
  const auto last = parse_bytes(end);
  if (const auto* error = std::get_if<ParseError>(&last)) return *error;
  const std::int64_t from = std::get<std::int64_t>(first), to = std::get<std::int64_t>(last);
  if (from < element_bytes)
    return ParseError{"The range " + in_quotes(text) +
                      " starts below 8 B, the size of one element; start it at 8 B or more."};
  if (from > to)
    return ParseError{"The range " + in_quotes(text) +
                      " runs downwards; write the smaller size first, as in 1KiB..4MiB:2."};
  return bytes_between(from, to, per_octave);
}

} // namespace

Parsed<std::int64_t> parse_bytes(std::string_view given) {
  const std::string_view text = trimmed(given);
  if (text.empty()) return ParseError{"A size is missing; write one such as 64KiB."};
  if (text.front() == '-') return ParseError{"The size " + in_quotes(text) + " is negative; write one such as 64KiB."};
  const auto [number, unit] = split_number(text);
  const std::size_t point = number.find('.');
  std::string_view decimals = point == std::string_view::npos ? "" : number.substr(point + 1);
  const std::string_view integer = number.substr(0, point);
  if (integer.empty() || decimals.find('.') != std::string_view::npos ||
      (point != std::string_view::npos && decimals.empty()))
    return ParseError{in_quotes(text) + " is not a size; write one such as 64KiB."};
  const auto unit_bytes = byte_unit(unit);
  if (!unit_bytes)
    return ParseError{"The size " + in_quotes(text) + " has the unknown unit " + in_quotes(unit, 20) +
                      "; units are B, KiB, MiB, GiB, TiB, KB, MB, GB and TB."};
  while (!decimals.empty() && decimals.back() == '0') decimals.remove_suffix(1);
  if (decimals.size() > max_decimals)
    return ParseError{"The size " + in_quotes(text) + " has more than six decimals; write it in a smaller unit."};
  const auto units = whole(integer);
  if (!units || *units > max_bytes / *unit_bytes)
    return ParseError{"The size " + in_quotes(text) + " is larger than 2^53 bytes; write a smaller one."};
  std::int64_t bytes = *units * *unit_bytes;
  if (!decimals.empty()) {
    std::int64_t divisor = 1;
    for (std::size_t i = 0; i < decimals.size(); ++i) divisor *= 10;
    const std::int64_t scaled = *whole(decimals) * *unit_bytes;
    if (scaled % divisor != 0)
      return ParseError{"The size " + in_quotes(text) + " is not a whole number of bytes; write it in a smaller unit."};
    bytes += scaled / divisor;
  }
  if (bytes > max_bytes)
    return ParseError{"The size " + in_quotes(text) + " is larger than 2^53 bytes; write a smaller one."};
  return bytes;
}

std::vector<std::int64_t> bytes_between(std::int64_t first, std::int64_t last, int per_octave) {
  std::vector<std::int64_t> values;
  for (std::int64_t octave = first; octave <= last; octave *= 2)
    for (int step = 0; step < per_octave; ++step) {
      // In two parts: octave x step could pass 2^63.
      const std::int64_t bytes = octave + octave / per_octave * step + octave % per_octave * step / per_octave;
      if (bytes <= last) values.push_back(rounded(bytes));
    }
  values.push_back(rounded(last));
  sort_without_repeats(values);
  return values;
}

Parsed<std::vector<std::int64_t>> parse_bytes_list(std::string_view text) {
  std::vector<std::int64_t> values;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string_view item = trimmed(text.substr(at, comma - at));
    at = comma + 1;
    if (item.empty())
      return ParseError{trimmed(text).empty()
                            ? std::string("A list of sizes is missing; write one such as 64KiB,256KiB.")
                            : "The list " + in_quotes(text) + " has an empty item; write one such as 64KiB,256KiB."};
    if (const std::size_t dots = item.find(".."); dots != std::string_view::npos) {
      const auto range = parse_range(item, dots);
      if (const auto* error = std::get_if<ParseError>(&range)) return *error;
      const auto& sizes = std::get<std::vector<std::int64_t>>(range);
      values.insert(values.end(), sizes.begin(), sizes.end());
      continue;
    }
    const auto bytes = parse_bytes(item);
    if (const auto* error = std::get_if<ParseError>(&bytes)) return *error;
    values.push_back(std::get<std::int64_t>(bytes));
  }
  sort_without_repeats(values);
  return values;
}

Parsed<double> parse_seconds(std::string_view given) {
  const std::string_view text = trimmed(given);
  if (text.empty()) return ParseError{"A time is missing; write one such as 60s."};
  if (text.front() == '-') return ParseError{"The time " + in_quotes(text) + " is negative; write one such as 60s."};
  const auto [number, unit] = split_number(text);
  if (number.empty()) return ParseError{in_quotes(text) + " is not a time; write one such as 60s."};
  if (unit.empty()) return ParseError{"The time " + in_quotes(text) + " has no unit; write one such as 60s."};
  const auto unit_seconds = time_unit(unit);
  if (!unit_seconds)
    return ParseError{"The time " + in_quotes(text) + " has the unknown unit " + in_quotes(unit, 20) +
                      "; units are ns, us, ms, s and min."};
  const auto value = positive_number(number);
  if (!value || !std::isfinite(*value * *unit_seconds))
    return ParseError{in_quotes(text) + " is not a time; write one such as 60s."};
  if (*value * *unit_seconds <= 0)
    return ParseError{"The time " + in_quotes(text) + " must be longer than 0; write one such as 60s."};
  return *value * *unit_seconds;
}

Parsed<double> parse_ratio(std::string_view given) {
  const std::string_view text = trimmed(given);
  if (text.empty()) return ParseError{"A share is missing; write one such as 2%."};
  const auto [number, unit] = split_number(text);
  const auto value = positive_number(number);
  if (text.front() != '-' && (!value || (!unit.empty() && unit != "%")))
    return ParseError{in_quotes(text) + " is not a share; write one such as 2% or 0.02."};
  const double ratio = value ? (unit == "%" ? *value / 100 : *value) : -1;
  if (ratio <= 0 || ratio >= 1)
    return ParseError{"The share " + in_quotes(text) +
                      " must lie between 0 and 1 (100%); write one such as 2% or 0.02."};
  return ratio;
}

} // namespace switchscope
