#include "engine/model/quantity.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

// std::to_chars and not printf: a window that follows the user's locale must not turn our points into commas.
namespace switchscope {
namespace {

constexpr int most_decimals = 6;
const char* const not_measured = "not measured";

std::string with_decimals(double value, int decimals) {
  std::array<char, 400> buffer{}; // the longest finite double has 309 digits before the point
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value), std::chars_format::fixed, decimals);
  std::string digits(buffer.data(), result.ptr);
  const bool is_zero = digits.find_first_not_of("0.") == std::string::npos;
  return value < 0 && !is_zero ? "−" + digits : digits;
}

// Power of ten of the first digit once the value is rounded to that many digits: 0.0996 to two digits gives -1.
int exponent_of(double value, int digits) {
  std::array<char, 64> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value),
                                    std::chars_format::scientific, digits - 1);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(result.ptr - buffer.data()));
  const std::size_t e = text.find('e');
  int exponent = 0;
  const std::size_t first = e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(text.data() + first, text.data() + text.size(), exponent);
  return exponent;
}

// To the place of a power of ten: place -2 gives two decimals, place 1 gives tens.
std::string to_place(double value, int place) {
  if (place <= 0) return with_decimals(value, std::min(-place, most_decimals));
  const double step = std::pow(10.0, place);
  return with_decimals(std::round(value / step) * step, 0);
}

struct TimeUnit {
  double ns;
  std::string_view name;
};

TimeUnit unit_for(int exponent) {
  if (exponent < 3) return {1, " ns"};
  if (exponent < 6) return {1e3, " µs"};
  if (exponent < 9) return {1e6, " ms"};
  return {1e9, " s"};
}

} // namespace

std::string bytes_text(std::int64_t bytes) {
  static constexpr std::array<std::string_view, 5> units{" B", " KiB", " MiB", " GiB", " TiB"};
  std::size_t unit = 0;
  while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  std::string digits = std::to_string(bytes);
  if (bytes < 0) digits.replace(0, 1, "−");
  return digits + std::string(units[unit]);
}

std::string seconds_text(double seconds) {
  if (!std::isfinite(seconds)) return "unknown";
  if (seconds < 0) return "−" + seconds_text(-seconds);
  if (seconds == 0) return "0 s";
  if (seconds < 0.0995) return cost_text(seconds * 1e9);
  if (seconds < 9.95) {
    std::string text = with_decimals(seconds, 1);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text + " s";
  }
  const double whole = std::round(seconds);
  if (whole < 60) return with_decimals(whole, 0) + " s";
  const auto two_digits = [](double value) { return (value < 10 ? "0" : "") + with_decimals(value, 0); };
  if (whole < 3600) return with_decimals(std::floor(whole / 60), 0) + " min " + two_digits(std::fmod(whole, 60)) + " s";
  const double minutes = std::round(seconds / 60);
  return with_decimals(std::floor(minutes / 60), 0) + " h " + two_digits(std::fmod(minutes, 60)) + " min";
}

std::string cost_text(double ns) {
  if (!std::isfinite(ns)) return not_measured;
  if (ns == 0) return "0 ns";
  const int exponent = exponent_of(ns, 3);
  const TimeUnit unit = unit_for(exponent);
  const int unit_exponent = static_cast<int>(std::lround(std::log10(unit.ns)));
  return to_place(ns / unit.ns, std::min(exponent - unit_exponent - 2, 0)) + std::string(unit.name);
}

std::string interval_text(double estimate_ns, double low_ns, double high_ns) {
  if (!std::isfinite(estimate_ns) || !std::isfinite(low_ns) || !std::isfinite(high_ns)) return not_measured;
  const double half_width_ns = high_ns / 2 - low_ns / 2;
  const TimeUnit unit = unit_for(estimate_ns == 0 ? 0 : exponent_of(estimate_ns, 3));
  // An interval of no width has no second digit; three digits of the value then, as in cost_text.
  const int place = half_width_ns != 0 ? exponent_of(half_width_ns / unit.ns, 2) - 1
                    : estimate_ns != 0 ? std::min(exponent_of(estimate_ns / unit.ns, 3) - 2, 0)
                                       : 0;
  return to_place(estimate_ns / unit.ns, place) + std::string(unit.name) + " (" + to_place(low_ns / unit.ns, place) +
         " to " + to_place(high_ns / unit.ns, place) + ")";
}

} // namespace switchscope
