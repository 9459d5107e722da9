// Task B: waits for orders from task A and obeys them.
#pragma once

#include "engine/worker/task.h"

namespace switchscope {

// The page both tasks share. A fills in an order and sends a byte; B acts, fills in its answers and sends a byte back.
// Nobody writes here between the byte and its answer, nor while a block is timed.
struct Orders {
  enum class Kind { start, switching, baseline, become, become_ordinary, set_deadline, count, tell_counts, verify };
  Kind kind = Kind::start;
  std::int64_t trips = 0;
  std::int64_t discarded = 0;
  Policy policy = Policy::other;
  int priority = 0;
  std::int64_t deadline_ns = 0;
  // answers
  bool succeeded = true;
  RawBlock block;
  TaskCounts counts;
  CountedPhases counted;
  double spun_ticks = 0; // mean, after `verify`; 0: it does not spin
  PageMode pages = PageMode::base_4k;
  bool locked = false;
  char pages_reason[256] = {};
  char problem_code[16] = {}; // not empty: B has ended, and why
  char problem[512] = {};
};

struct TaskBSetup {
  VisitRequest request;
  Traversal traverse = nullptr;
  ClockSource clock = ClockSource::monotonic_raw;
  int orders_in = -1;   // read end: bytes from A
  int answers_out = -1; // write end: bytes to A
};

// Answers `start` once the array is ready, then obeys until A is gone. Never throws: a problem goes into Orders.
void run_task_b(const TaskBSetup&, Orders&) noexcept;

} // namespace switchscope
