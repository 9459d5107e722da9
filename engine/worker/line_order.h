// The order in which Pattern::random visits the lines of an array: computed, so that no index table takes cache space.
#pragma once

#include <cstddef>

namespace switchscope {

// Smallest p >= 1 with 2^p >= lines.
[[nodiscard]] constexpr unsigned order_bits_for(std::size_t lines) {
  unsigned bits = 1;
  while (bits < 63 && (std::size_t{1} << bits) < lines) ++bits;
  return bits;
}

// A bijection of the numbers below 2^bits: multiplying by an odd number and xor with a right shift both can be undone.
// Numbers at or past the last line are skipped by the caller, which leaves a permutation of the lines.
[[nodiscard]] constexpr std::size_t shuffled_line(std::size_t counter, unsigned bits) {
  const std::size_t mask = (std::size_t{1} << bits) - 1;
  const unsigned shift = bits / 2 + 1;
  std::size_t x = (counter * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u) & mask;
  x ^= x >> shift;
  x = (x * 0xBF58476D1CE4E5B9u) & mask;
  x ^= x >> shift;
  return x;
}

// The next few lines to visit. Candidates past the last line are dropped without a branch for each, which would be
// mispredicted up to every second time and so hide the misses that are to be measured.
struct LineBatch {
  static constexpr std::size_t capacity = 16;
  std::size_t lines[capacity];
  std::size_t count = 0;
};

// How often next_lines() has to be called with counters 0, 16, 32, ... below this.
[[nodiscard]] constexpr std::size_t counters_for(std::size_t lines, unsigned bits) {
  return lines == 0 ? 0 : std::size_t{1} << bits;
}

[[gnu::always_inline]] inline void next_lines(LineBatch& batch, std::size_t counter, std::size_t lines, unsigned bits) {
  const std::size_t end = std::size_t{1} << bits;
  batch.count = 0;
  for (std::size_t i = 0; i < LineBatch::capacity && counter < end; ++i, ++counter) {
    const std::size_t line = shuffled_line(counter, bits);
    batch.lines[batch.count] = line;
    batch.count += line < lines ? 1 : 0;
  }
}

} // namespace switchscope
