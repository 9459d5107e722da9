// What one timed block of a visit yields, and the reasons for which a block may be set aside.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace switchscope {

// A pair of blocks is baseline_a, switching, baseline_b (S2A S1 S2B); the next pair runs in the opposite order.
enum class Phase { baseline_a, switching, baseline_b };

[[nodiscard]] std::string_view name_of(Phase); // "S2A", "S1", "S2B"
[[nodiscard]] std::optional<Phase> parse_phase(std::string_view);

// State of the CPU just before or after a block, seen by the task that times the block. Each is the best of three.
struct Probe {
  double clock_adds_per_ns = 0; // dependent register adds per ns: the core clock in GHz where an add takes one cycle;
                                // timed over probe_clock_adds of them
  double adds_per_cycle = 0;    // independent rate / dependent rate; falls when the sibling hyperthread is busy
  double self_pipe_ns = 0;      // one trip of a byte through the task's own pipe: how slow the kernel path is now
  friend bool operator==(const Probe&, const Probe&) = default;
};

inline constexpr int probe_clock_adds = 16000;

// What the kernel counted for one task (RUSAGE_THREAD, read inside the task) around a block.
struct TaskCounts {
  std::int64_t voluntary_switches = 0;
  std::int64_t involuntary_switches = 0;
  std::int64_t minor_faults = 0;
  std::int64_t major_faults = 0;
  std::int64_t migrations = 0; // 0, or 1: seen on another CPU than before the block, or than asked
  friend bool operator==(const TaskCounts&, const TaskCounts&) = default;
};

struct Block {
  int pair =
      0; // 0, 1, 2, ... within the visit; a pair has exactly one block of each phase (of the paper's method no S2B)
  Phase phase = Phase::switching;
  std::int64_t trips = 0;      // S1: round trips (2 switches each); S2: trips through the own pipe
  double elapsed_ns = 0;       // of `trips`, without the discarded ones
  std::int64_t started_ns = 0; // since the visit's first clock reading
  Probe before;
  Probe after;
  // Counts are taken around the whole phase: in S1 timed and discarded trips and the closing hand-over; 0 in S2.
  std::int64_t expected_switches = 0; // per task
  std::optional<TaskCounts> task_a;   // absent when that task took no part in the block
  std::optional<TaskCounts> task_b;
  friend bool operator==(const Block&, const Block&) = default;
};

// Elapsed time per switch (S1: two per round trip) or per trip (S2).
[[nodiscard]] double per_operation_ns(const Block&);

// External causes only, never "the number looks odd". `none`: the block is used.
enum class SetAside {
  none,
  other_policy, // the visit did not run under the policy of most visits of its point
  contended,
  clock_moved,
  stolen,
  faulted,
  migrated,
  involuntary,
  stalled,
  throttled,
  other_state // never of a block: the whole session has another state than the sessions its point is estimated from
};

[[nodiscard]] std::string_view name_of(SetAside); // "contended", "clock-moved", ...; "" for none
[[nodiscard]] std::optional<SetAside> parse_set_aside(std::string_view);

} // namespace switchscope
