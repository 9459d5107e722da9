#include "engine/worker/probe.h"

#include <algorithm>
#include <limits>

namespace switchscope {
namespace {

// Adds of two registers: recent Intel cores carry out an add of an immediate at rename, and both loops would then
// measure something else. Long unrolled runs keep the loop's own count and branch below 2 %.
[[gnu::noinline]] void add_dependent() {
  std::uint64_t chain = 1;
  const std::uint64_t step = 3;
  for (int i = 0; i < dependent_adds / 80; ++i) {
#if defined(__x86_64__)
    asm volatile(".rept 80\n\tadd %1, %0\n\t.endr" : "+r"(chain) : "r"(step) : "cc");
#elif defined(__aarch64__)
    asm volatile(".rept 80\n\tadd %0, %0, %1\n\t.endr" : "+r"(chain) : "r"(step));
#else
#error "The probe loops are written per architecture: add them for this one"
#endif
  }
}

[[gnu::noinline]] void add_independent() {
  std::uint64_t a = 1, b = 2, c = 3, d = 4;
  const std::uint64_t step = 3;
  for (int i = 0; i < independent_adds / 160; ++i) {
#if defined(__x86_64__)
    asm volatile(".rept 40\n\tadd %4, %0\n\tadd %4, %1\n\tadd %4, %2\n\tadd %4, %3\n\t.endr"
                 : "+r"(a), "+r"(b), "+r"(c), "+r"(d)
                 : "r"(step)
                 : "cc");
#elif defined(__aarch64__)
    asm volatile(".rept 40\n\tadd %0, %0, %4\n\tadd %1, %1, %4\n\tadd %2, %2, %4\n\tadd %3, %3, %4\n\t.endr"
                 : "+r"(a), "+r"(b), "+r"(c), "+r"(d)
                 : "r"(step));
#endif
  }
}

template <class Run> std::uint64_t best_of_three(ClockSource clock, Run run) {
  std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t begin = read_ticks(clock);
    run();
    best = std::min(best, read_ticks(clock) - begin);
  }
  return best;
}

} // namespace

RawProbe take_probe(ClockSource clock, const PipeEnds& own) {
  RawProbe probe;
  probe.dependent_ticks = best_of_three(clock, add_dependent);
  probe.independent_ticks = best_of_three(clock, add_independent);
  probe.self_pipe_ticks = best_of_three(clock, [&own] {
    // The own pipe cannot break while this task holds both its ends.
    for (int trip = 0; trip < self_pipe_trips; ++trip)
      if (!put_byte(own.write_end) || !take_byte(own.read_end)) return;
  });
  return probe;
}

double adds_per_cycle_now(ClockSource clock) {
  const auto dependent_ticks = static_cast<double>(best_of_three(clock, add_dependent));
  const auto independent_ticks = static_cast<double>(best_of_three(clock, add_independent));
  return (independent_adds / independent_ticks) / (dependent_adds / dependent_ticks);
}

void keep_busy() {
  add_independent();
}

Probe probe_from(const RawProbe& raw, double ticks_per_ns) {
  const double dependent_per_tick = dependent_adds / static_cast<double>(raw.dependent_ticks);
  const double independent_per_tick = independent_adds / static_cast<double>(raw.independent_ticks);
  return {.clock_adds_per_ns = dependent_per_tick * ticks_per_ns,
          .adds_per_cycle = independent_per_tick / dependent_per_tick,
          .self_pipe_ns = static_cast<double>(raw.self_pipe_ticks) / ticks_per_ns / self_pipe_trips};
}

} // namespace switchscope
