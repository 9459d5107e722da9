// Three short readings of the state of the CPU, taken just before and just after every block by the task that times it.
#pragma once

#include "engine/model/block.h"
#include "engine/worker/clock.h"
#include "engine/worker/task_work.h"

#include <cstdint>

namespace switchscope {

// Best (fewest ticks) of three for each reading.
struct RawProbe {
  std::uint64_t dependent_ticks = 0;   // of dependent_adds adds, each waiting for the one before
  std::uint64_t independent_ticks = 0; // of independent_adds adds in four chains
  std::uint64_t self_pipe_ticks = 0;   // of self_pipe_trips bytes through the own pipe, without a traversal
};

inline constexpr int dependent_adds = probe_clock_adds;
inline constexpr int independent_adds = 32000;
inline constexpr int self_pipe_trips = 16;

[[nodiscard]] RawProbe take_probe(ClockSource, const PipeEnds& own);
// The two loops of the core alone, for adds per core cycle. Needs no clock rate: both are in the same ticks.
[[nodiscard]] double adds_per_cycle_now(ClockSource);
// Some microseconds of the same independent adds: what a busy neighbour does to the throughput, at its plainest.
void keep_busy();
[[nodiscard]] Probe probe_from(const RawProbe&, double ticks_per_ns);

} // namespace switchscope
