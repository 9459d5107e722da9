// A machine with one cache whose truth is known: two tasks' arrays take turns in a set-associative cache that replaces
// the least recently used or a random line. No time is measured; costs follow from counted misses.
#pragma once

#include "engine/model/point.h"
#include "engine/run/seeds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace switchscope::simulated {

inline constexpr std::int64_t lines_per_page = 64;

enum class Replacement { least_recently_used, random };
enum class Pages { contiguous, random }; // random: each visit's pages lie on random colours of the cache

struct Machine {
  std::int64_t cache_bytes = 512 * 1024;
  int ways = 8;
  Replacement replacement = Replacement::least_recently_used;
  Pages pages = Pages::contiguous;
  double refill_ns = 4;      // a line
  double direct_ns = 2500;   // a switch without data
  double baseline_ns = 1100; // a trip without data
  double hit_ns = 0.5;       // a line that is there
  double noise_ratio = 0.01; // of one visit, of all its time per switch; spread (standard deviation)
};

// Misses per round over `lines` lines of one set, visited in turn for ever.
class SetMisses {
public:
  SetMisses(int ways, Replacement replacement) : ways_(ways), replacement_(replacement) {}
  double per_round(int lines) {
    if (lines <= ways_) return 0;
    if (replacement_ == Replacement::least_recently_used) return lines; // each was replaced just before its turn
    const auto known = known_.find(lines);
    return known != known_.end() ? known->second : known_.emplace(lines, simulate(lines)).first->second;
  }

private:
  [[nodiscard]] double simulate(int lines) const {
    constexpr int warm_rounds = 50;
    constexpr int rounds = 200;
    std::vector<int> way_of(static_cast<std::size_t>(lines), -1);
    std::vector<int> line_in(static_cast<std::size_t>(ways_), -1);
    Randomness randomness(1);
    std::size_t filled = 0;
    int misses = 0;
    for (int round = 0; round < warm_rounds + rounds; ++round)
      for (int line = 0; line < lines; ++line) {
        auto& way = way_of[static_cast<std::size_t>(line)];
        if (way >= 0) continue;
        const std::size_t victim = filled < line_in.size() ? filled++ : randomness.below(line_in.size());
        if (line_in[victim] >= 0) way_of[static_cast<std::size_t>(line_in[victim])] = -1;
        line_in[victim] = line;
        way = static_cast<int>(victim);
        if (round >= warm_rounds) ++misses;
      }
    return static_cast<double>(misses) / rounds;
  }

  int ways_;
  Replacement replacement_;
  std::map<int, double> known_;
};

struct Costs {
  double switching_ns = 0; // S1 per switch
  double baseline_ns = 0;  // S2 per trip
  [[nodiscard]] double total_ns() const { return switching_ns - baseline_ns; }
};

class Simulation {
public:
  explicit Simulation(const Machine& machine)
      : machine_(machine), misses_(machine.ways, machine.replacement),
        sets_(machine.cache_bytes / line_bytes / machine.ways) {}

  // Without noise, for one placement of the pages. `array_bytes` in whole lines; 0: no data.
  Costs costs(std::int64_t array_bytes, std::uint64_t placement_seed) {
    const std::int64_t lines = array_bytes / line_bytes;
    double both = 0; // misses per round trip
    double alone = 0;
    for (const auto& [per_set, sets] : sets_by_load(lines, placement_seed)) {
      const auto [a, b] = per_set;
      both += static_cast<double>(sets) * misses_.per_round(a + b);
      alone += static_cast<double>(sets) * (misses_.per_round(a) + misses_.per_round(b)) / 2;
    }
    const double walk_ns = machine_.hit_ns * static_cast<double>(lines);
    return {machine_.baseline_ns + machine_.direct_ns + walk_ns + machine_.refill_ns * both / 2,
            machine_.baseline_ns + walk_ns + machine_.refill_ns * alone};
  }

  // The truth that intervals aim at.
  double mean_total_ns(std::int64_t array_bytes) {
    const int placements = machine_.pages == Pages::random ? 40 : 1;
    double sum = 0;
    for (int i = 0; i < placements; ++i) sum += costs(array_bytes, static_cast<std::uint64_t>(i)).total_ns();
    return sum / placements;
  }

private:
  // (lines of A, lines of B) in a set -> number of such sets.
  std::map<std::pair<int, int>, std::int64_t> sets_by_load(std::int64_t lines, std::uint64_t seed) const {
    const std::int64_t colours = sets_ / lines_per_page; // pages that lie beside each other in the cache
    if (machine_.pages == Pages::contiguous || colours < 2) {
      const auto each = static_cast<int>(lines / sets_);
      const std::int64_t rest = lines % sets_;
      std::map<std::pair<int, int>, std::int64_t> loads;
      loads[{each, each}] += sets_ - rest;
      loads[{each + 1, each + 1}] += rest;
      return loads;
    }
    Randomness randomness(mixed(seed, 77));
    std::vector<std::pair<int, int>> whole(static_cast<std::size_t>(colours)); // pages of A and B on each colour
    const auto colour = [&] { return randomness.below(whole.size()); };
    for (std::int64_t page = 0; page < lines / lines_per_page; ++page) {
      ++whole[colour()].first;
      ++whole[colour()].second;
    }
    std::map<std::pair<int, int>, std::int64_t> loads;
    for (const auto& load : whole) loads[load] += lines_per_page;
    if (const std::int64_t rest = lines % lines_per_page; rest > 0) { // A's and B's last, partial page
      for (const bool is_a : {true, false}) {
        auto load = whole[colour()];
        loads[load] -= rest;
        ++(is_a ? load.first : load.second);
        loads[load] += rest;
      }
    }
    return loads;
  }

  Machine machine_;
  SetMisses misses_;
  std::int64_t sets_;
};

// Machines 1, 2, 3, ...: all that may differ follows from the number.
inline Machine machine_of(std::uint64_t number) {
  Randomness randomness(mixed(number, 5));
  const auto one_of = [&randomness](const auto& choices) { return choices[randomness.below(choices.size())]; };
  constexpr std::int64_t kib = 1024;
  Machine machine;
  machine.cache_bytes =
      one_of(std::vector<std::int64_t>{256 * kib, 512 * kib, 1024 * kib, 1280 * kib, 2048 * kib, 3072 * kib});
  machine.ways = one_of(std::vector<int>{4, 8, 16});
  machine.replacement = one_of(std::vector{Replacement::least_recently_used, Replacement::random});
  machine.pages = one_of(std::vector{Pages::contiguous, Pages::random});
  machine.refill_ns = 1 + 0.1 * static_cast<double>(randomness.below(100));
  machine.direct_ns = 1000 + 30.0 * static_cast<double>(randomness.below(100));
  machine.noise_ratio = 0.002 + 0.0003 * static_cast<double>(randomness.below(100));
  return machine;
}

} // namespace switchscope::simulated
