#include "engine/worker/known_addition.h"

#include <cmath>

#if defined(__clang__)
#define SWITCHSCOPE_SPIN __attribute__((noinline, aligned(64)))
#else
#define SWITCHSCOPE_SPIN __attribute__((noipa, aligned(64)))
#endif

namespace switchscope {
namespace {

// Timer ticks lengthen spins as they lengthen all else, and belong to what was added. A CPU that was away for longer
// lengthens one block, which the medians over blocks leave out; so does the account.
constexpr std::int64_t away_ns = 100'000;
constexpr std::int64_t calibration_ns = 1'000'000;

double ticks_in(std::int64_t ns, ClockSource source) {
  const ClockSample begin = sample_clocks(source);
  while (monotonic_raw_ns() - begin.raw_ns < calibration_ns) {
  }
  return std::round(static_cast<double>(ns) * rate_between(begin, begin, sample_clocks(source)).ticks_per_ns);
}

template <ClockSource source> [[gnu::always_inline]] inline double spin(const Array& array) {
  double* const account = array.data;
  const auto asked = static_cast<std::uint64_t>(account[KnownAddition::asked_ticks]);
  const std::uint64_t begin = read_ticks(source);
  while (read_ticks(source) - begin < asked) {
  }
  // Read once more: leaving a loop is often mispredicted, and what that takes has been added, too.
  const auto ticks = static_cast<double>(read_ticks(source) - begin);
  if (ticks < account[KnownAddition::away_ticks]) {
    account[KnownAddition::spun_ticks] += ticks;
    account[KnownAddition::spins] += 1;
  }
  return 0;
}

} // namespace

extern "C" {
SWITCHSCOPE_SPIN double spin_by_counter(const Array& array, double) {
#if defined(__aarch64__)
  return spin<ClockSource::cntvct>(array);
#else
  return spin<ClockSource::tsc>(array);
#endif
}
SWITCHSCOPE_SPIN double spin_by_monotonic_raw(const Array& array, double) {
  return spin<ClockSource::monotonic_raw>(array);
}
}

KnownAddition::KnownAddition(std::int64_t added_ns, ClockSource source) : account_{} {
  work_.traverse = source == ClockSource::monotonic_raw ? spin_by_monotonic_raw : spin_by_counter;
  work_.array.data = account_;
  work_.array.elements = places;
  account_[asked_ticks] = ticks_in(added_ns, source);
  account_[away_ticks] = ticks_in(added_ns + away_ns, source);
}

std::optional<double> KnownAddition::mean_ticks() const {
  if (account_[spins] <= 0) return std::nullopt;
  return account_[spun_ticks] / account_[spins];
}

} // namespace switchscope
