// Sizes, times and percentages as people type and read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace switchscope {

struct ParseError {
  std::string message; // a sentence: what is wrong with which text, and what would be right
};
template <class T> using Parsed = std::variant<T, ParseError>;

// "64KiB", "1MB", "0", "4096B", "4096": whole bytes, at most 2^53. Units B KiB MiB GiB TiB KB MB GB TB
// (1000-based without the i), in any case.
[[nodiscard]] Parsed<std::int64_t> parse_bytes(std::string_view);
// From `first` doubling up to `last`, `per_octave` (1 to 64) points at equal steps inside each octave; both ends are
// included. Rounded to 64-byte lines, below 64 bytes to elements. Needs 8 <= first <= last <= 2^53. Sorted, no repeats.
[[nodiscard]] std::vector<std::int64_t> bytes_between(std::int64_t first, std::int64_t last, int per_octave);
// "64KiB,256KiB" or "1KiB..4MiB:2" (as above; default 1 point per octave), or a mixture. Sorted, without repeats.
[[nodiscard]] Parsed<std::vector<std::int64_t>> parse_bytes_list(std::string_view);
// "60s", "500ms", "10min", "20us", "100ns"; > 0. In seconds.
[[nodiscard]] Parsed<double> parse_seconds(std::string_view);
// "2%" or "0.02"; > 0 and < 1.
[[nodiscard]] Parsed<double> parse_ratio(std::string_view);

[[nodiscard]] std::string
bytes_text(std::int64_t bytes);                         // "384 KiB", "1 MiB", "96 B"; the largest unit that stays whole
[[nodiscard]] std::string seconds_text(double seconds); // "55 s", "2 min 05 s", "0.4 s"

// An estimate with its interval, the interval to two significant digits of its half-width and the value to the same
// place: "7.43 µs (7.31 to 7.55)". Below 1 µs in ns. True minus sign.
[[nodiscard]] std::string interval_text(double estimate_ns, double low_ns, double high_ns);
[[nodiscard]] std::string cost_text(double ns); // one value, three significant digits: "7.43 µs", "−120 ns"

} // namespace switchscope
