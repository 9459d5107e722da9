// Events that the kernel and the processor count for one task, and the energy of its package, around each phase of a
// visit. Every task counts for itself (perf_event_open of the calling thread), so no right over other tasks is needed.
#pragma once

#include "engine/model/visit.h"
#include "engine/worker/energy.h"
#include "engine/worker/file_descriptor.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace switchscope {

// cycles, instructions, cache-misses, dtlb-misses, context-switches: in this order everywhere.
inline constexpr std::size_t event_count = 5;
[[nodiscard]] std::string_view name_of_event(std::size_t index);

// What one counter read, all since it was opened.
struct EventSum {
  std::uint64_t counted = 0;
  std::uint64_t enabled_ns = 0; // the task ran this long while the counter was wanted ...
  std::uint64_t running_ns = 0; // ... and this long while it counted; less when too few counters were shared out
};

// One event of one task, summed over the phases by Phase.
struct CountedEvent {
  int error = 0; // errno where it cannot be opened; then there are no sums
  bool user_only = false;
  std::array<EventSum, 3> sums{};
};

// Plain, for B's travels through the page that both tasks share.
struct CountedPhases {
  std::array<CountedEvent, event_count> events{};
  std::array<std::int64_t, 3> trips{}; // round trips for S1
  bool has_energy_meter = false;       // there is one
  bool has_energy = false;             // and it can be read
  std::array<double, 3> joules{};
};

class Counters {
public:
  // Opens what can be opened. `cpu` is the one the thread is pinned to: its package's energy is read, that of all
  // packages for -1. Never throws: what cannot be had is told by counted().
  explicit Counters(int cpu);
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  void begin();                        // just before the first trip of a phase
  void end(Phase, std::int64_t trips); // just after its last one
  [[nodiscard]] const CountedPhases& counted() const { return counted_; }

private:
  using Sums = std::array<EventSum, event_count>;
  [[nodiscard]] Sums read_events() const;

  Sysroot root_{""};
  std::vector<EnergyDomain> domains_;
  std::optional<std::vector<std::int64_t>> energy_before_uj_;
  std::array<FileDescriptor, event_count> files_;
  Sums before_{};
  CountedPhases counted_;
};

// One event of both tasks.
struct EventOfBoth {
  const CountedEvent& a;
  const CountedEvent& b;
  [[nodiscard]] int error() const { return a.error != 0 ? a.error : b.error; }
  [[nodiscard]] bool user_only() const { return a.user_only || b.user_only; }
  // Wanted, and yet it never had its turn in some phase: there is nothing that could be scaled up.
  [[nodiscard]] bool never_ran() const;
};

// Both tasks' sums as the report has them. An event that either could not count is left out.
[[nodiscard]] std::vector<CounterReading> readings_of(const CountedPhases& a, const CountedPhases& b);
// Why events are left out or counted in user mode only, and the command that changes it. `paranoid` is
// kernel.perf_event_paranoid; absent when not told.
[[nodiscard]] std::string counters_reason(const CountedPhases& a, const CountedPhases& b, std::optional<int> paranoid);

} // namespace switchscope
