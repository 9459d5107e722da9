// Random numbers that are the same with every compiler and library, so that a stored seed repeats a run's order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace switchscope {

// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15u;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

// Independent streams of one seed.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t seed, std::uint64_t stream) {
  return mixed(mixed(seed) ^ mixed(stream + 0xD1B54A32D192ED03u));
}

class Randomness {
public:
  explicit Randomness(std::uint64_t seed) : state_(seed) {}
  // 0 .. count - 1; count > 0. The bias of the remainder is below 2^-50 for any number of points.
  [[nodiscard]] std::size_t below(std::size_t count) {
    state_ += 0x9E3779B97F4A7C15u;
    return static_cast<std::size_t>(mixed(state_) % count);
  }
  template <class T> void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

private:
  std::uint64_t state_;
};

} // namespace switchscope
