#include "engine/worker/clock.h"

#include "engine/worker/proc_counters.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace switchscope {

std::string_view name_of(ClockSource source) {
  switch (source) {
  case ClockSource::tsc:
    return "tsc";
  case ClockSource::cntvct:
    return "cntvct";
  case ClockSource::monotonic_raw:
    return "monotonic_raw";
  }
  return "?";
}

bool tsc_is_invariant() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  // Leaf 0x80000007, EDX bit 8: the counter runs at one rate in all power states (AMD APM 3, Intel SDM 3 18.17.1).
  return __get_cpuid(0x80000007u, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
#else
  return false;
#endif
}

ClockSource choose_clock_source(std::string_view kernel_clock_source, bool invariant) {
#if defined(__x86_64__)
  const bool kept_by_tsc = kernel_clock_source == "tsc" || kernel_clock_source == "kvm-clock" ||
                           kernel_clock_source == "hyperv_clocksource_tsc_page";
  return invariant && kept_by_tsc ? ClockSource::tsc : ClockSource::monotonic_raw;
#elif defined(__aarch64__)
  (void)invariant; // the architecture fixes the rate of the generic timer
  return kernel_clock_source == "arch_sys_counter" ? ClockSource::cntvct : ClockSource::monotonic_raw;
#else
  (void)kernel_clock_source;
  (void)invariant;
  return ClockSource::monotonic_raw;
#endif
}

ClockSource clock_source_here() {
  std::string name = file_text("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  if (name.ends_with('\n')) name.pop_back();
  return choose_clock_source(name, tsc_is_invariant());
}

std::int64_t suspended_ns() {
  timespec boot{}, monotonic{};
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  clock_gettime(CLOCK_BOOTTIME, &boot);
  return (std::int64_t{boot.tv_sec} - monotonic.tv_sec) * 1'000'000'000 + boot.tv_nsec - monotonic.tv_nsec;
}

std::string clock_trouble(std::int64_t slept_ns, double drift_ppm) {
  constexpr std::int64_t between_two_readings_ns = 1'000'000; // a task may be preempted between the two clocks
  constexpr double most_drift_ppm = 10'000;
  if (slept_ns > between_two_readings_ns)
    return "the machine was suspended for " + std::to_string(slept_ns / 1'000'000) +
           " ms within the visit, so its times are worth nothing";
  if (std::abs(drift_ppm) > most_drift_ppm)
    return "the CPU's counter and the kernel's clock ran apart by " + std::to_string(std::lround(drift_ppm)) +
           " ppm within the visit, so its times are worth nothing";
  return "";
}

void sleep_ns(std::int64_t ns) {
  if (ns <= 0) return;
  timespec rest{static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
  while (nanosleep(&rest, &rest) != 0) {
  }
}

ClockSample sample_clocks(ClockSource source) {
  ClockSample best;
  std::uint64_t tightest = std::numeric_limits<std::uint64_t>::max();
  // An interrupt or a lost time slice can only widen the bracket, so the narrowest try is the truest.
  for (int attempt = 0; attempt < 8; ++attempt) {
    const std::uint64_t before = read_ticks(source);
    const std::int64_t raw = monotonic_raw_ns();
    const std::uint64_t after = read_ticks(source);
    if (after - before >= tightest) continue;
    tightest = after - before;
    best = {before + (after - before) / 2, raw};
  }
  if (source == ClockSource::monotonic_raw) best.ticks = static_cast<std::uint64_t>(best.raw_ns);
  return best;
}

namespace {
double rate(const ClockSample& from, const ClockSample& to) {
  return static_cast<double>(to.ticks - from.ticks) / static_cast<double>(to.raw_ns - from.raw_ns);
}
} // namespace

ClockRate rate_between(const ClockSample& start, const ClockSample& middle, const ClockSample& end) {
  ClockRate result;
  result.ticks_per_ns = rate(start, end);
  if (middle.raw_ns > start.raw_ns && end.raw_ns > middle.raw_ns)
    result.drift_ppm = (rate(middle, end) / rate(start, middle) - 1.0) * 1e6;
  return result;
}

} // namespace switchscope
