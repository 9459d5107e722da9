// One of the two tasks of a visit, seen from inside itself: its array, its own pipe, its counts and its baseline block.
#pragma once

#include "engine/model/visit.h"
#include "engine/worker/clock.h"
#include "engine/worker/counters.h"
#include "engine/worker/known_addition.h"
#include "engine/worker/pages.h"
#include "engine/worker/pipe.h"
#include "engine/worker/probe.h"
#include "engine/worker/task_work.h"

#include <cstdint>
#include <optional>
#include <span>

namespace switchscope {

// A block in ticks of the visit's clock; the visit converts it once the rate is known.
struct RawBlock {
  Phase phase = Phase::switching;
  std::int64_t trips = 0;
  std::uint64_t begin_ticks = 0;
  std::uint64_t end_ticks = 0;
  RawProbe before;
  RawProbe after;
  std::int64_t expected_switches = 0; // per task: see TaskPair::switching
  std::optional<TaskCounts> task_a;
  std::optional<TaskCounts> task_b;
};

// What the kernel has counted for the calling thread so far, and where it is.
struct CountsReading {
  TaskCounts so_far; // without migrations
  int cpu = -1;
};
[[nodiscard]] CountsReading counts_now();
// A task that is on another CPU than before, or than the one it was pinned to (-1: none), has migrated.
[[nodiscard]] TaskCounts counts_between(const CountsReading& before, const CountsReading& after, int pinned_cpu);

[[nodiscard]] std::int64_t switches_of(const std::optional<TaskCounts>&); // of both kinds; 0 when absent
// In ns, counted from `start`.
[[nodiscard]] Block block_from(const RawBlock&, int pair, const ClockSample& start, double ticks_per_ns);

// The timed stretch of a block: `trips` of exchange_mid_page(). `marks` are filled with the clock at the end of each of
// as many equal parts of them; empty: the clock is read at the beginning and at the end only. False when the other side
// is gone.
[[nodiscard]] bool timed_exchange(Work&, int out, int in, std::int64_t trips, ClockSource, RawBlock&,
                                  std::span<std::uint64_t> marks);

enum class TaskName { a, b };
[[nodiscard]] int pinned_cpu_of(const Placement&, TaskName); // -1 for `free`

struct Task {
  // To be made by the task itself, after it was started: pins it, then allocates, writes and locks its array, so that
  // its pages are nobody else's. Throws VisitProblem.
  Task(TaskName, const VisitRequest&, Traversal, ClockSource);

  // `discarded` trips through the own pipe, then `trips` timed ones.
  [[nodiscard]] RawBlock baseline(std::int64_t trips, std::int64_t discarded, std::span<std::uint64_t> marks = {});
  // What it does in its turns in S1: its own work, or a known addition in its place.
  [[nodiscard]] Work& switching_work() { return addition ? addition->work() : work; }
  [[nodiscard]] RawProbe probe() const { return take_probe(clock, own.ends()); }
  [[nodiscard]] TaskCounts counts_since(const CountsReading& before) const {
    return counts_between(before, counts_now(), cpu);
  }
  // Every element holds what the traversals so far must have left, and the reads summed to what they must have.
  [[nodiscard]] bool holds_expected_data() const;

  TaskName name;
  int cpu; // -1: not pinned
  ClockSource clock;
  Access access;
  Pattern pattern;
  Pages pages;
  Pipe own;
  Work work;
  std::optional<KnownAddition> addition;
  bool locked = false;
  std::optional<Counters> counters; // once the visit's own phases begin, if it counts
};

} // namespace switchscope
