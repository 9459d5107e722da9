// The clock of the timed blocks: the CPU's own counter, serialised, with its rate taken from CLOCK_MONOTONIC_RAW over
// the visit itself; that clock alone where the counter cannot be trusted. Never "cpu MHz", which is another frequency.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <time.h>

namespace switchscope {

enum class ClockSource { tsc, cntvct, monotonic_raw };
[[nodiscard]] std::string_view name_of(ClockSource);

// tsc: only when the CPU calls it invariant and the kernel keeps time by it, directly or through a hypervisor's page.
[[nodiscard]] ClockSource choose_clock_source(std::string_view kernel_clock_source, bool tsc_is_invariant);
[[nodiscard]] bool tsc_is_invariant(); // false where there is none
[[nodiscard]] ClockSource clock_source_here();

[[nodiscard]] inline std::int64_t monotonic_raw_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// How long this machine has been suspended since it started: CLOCK_BOOTTIME counts that time, CLOCK_MONOTONIC does not.
[[nodiscard]] std::int64_t suspended_ns();

// A sentence when what a visit timed cannot be trusted, else empty: the machine slept within it, or the counter's rate
// in its second half differed by more than 1 % from that in its first. A counter that stops, starts again or runs
// through a sleep would scale every block of the visit.
[[nodiscard]] std::string clock_trouble(std::int64_t slept_ns, double drift_ppm);

void sleep_ns(std::int64_t ns); // whatever signals come; nothing for 0 and less

// No instruction before the reading is still under way, and none after it has begun.
[[nodiscard, gnu::always_inline]] inline std::uint64_t read_ticks(ClockSource source) {
#if defined(__x86_64__)
  if (source == ClockSource::tsc) {
    std::uint32_t low = 0, high = 0;
    asm volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return (std::uint64_t{high} << 32) | low;
  }
#elif defined(__aarch64__)
  if (source == ClockSource::cntvct) {
    std::uint64_t ticks = 0;
    asm volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
    return ticks;
  }
#endif
  return static_cast<std::uint64_t>(monotonic_raw_ns());
}

// The same instant on both clocks.
struct ClockSample {
  std::uint64_t ticks = 0;
  std::int64_t raw_ns = 0;
};
[[nodiscard]] ClockSample sample_clocks(ClockSource); // the tightest of several tries

struct ClockRate {
  double ticks_per_ns = 1; // over the whole span, start to end
  double drift_ppm = 0;    // rate of the second half against the first
};
// The samples must be in order and apart; drift is 0 where middle equals an end.
[[nodiscard]] ClockRate rate_between(const ClockSample& start, const ClockSample& middle, const ClockSample& end);

} // namespace switchscope
