// The two tasks of a visit and the blocks they run, from task A's side: A times S2A and S1, B times S2B.
// B is a process forked by A, or a thread. Every order is a byte to B and a byte back, which also makes A sleep between
// any two blocks, so that no stretch of real-time CPU time without blocking grows past one block.
#pragma once

#include "engine/worker/failure.h"
#include "engine/worker/scheduling.h"
#include "engine/worker/task_b.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <pthread.h>
#include <string>
#include <sys/types.h>

namespace switchscope {

struct ObtainedPages {
  PageMode mode = PageMode::base_4k;
  std::string reason; // why it is not the mode asked; empty when it is
  bool locked = false;
};

// To be made and used by task A's own process. Every function throws VisitProblem when B ended on its own.
class TaskPair {
public:
  // Starts B; both pin themselves and make their arrays.
  TaskPair(const VisitRequest&, Traversal, ClockSource, std::int64_t deadline_ns);
  ~TaskPair(); // ends B and waits for it
  TaskPair(const TaskPair&) = delete;
  TaskPair& operator=(const TaskPair&) = delete;

  [[nodiscard]] ObtainedPages pages() const; // of both: the mode asked only where both have it, locked likewise

  // The policy that both obtained. Both have no capabilities afterwards.
  [[nodiscard]] Scheduling become(Policy asked, int max_priority);
  void become_ordinary();
  void set_deadline(std::int64_t deadline_ns);

  // From now on every phase is counted as well. Before the tasks give up their capabilities.
  void count();
  struct Counted {
    CountedPhases a, b;
  };
  [[nodiscard]] Counted counted(); // so far; only after count()

  // One block each: `discarded` trips, then `trips` timed ones. `marks`: see timed_exchange.
  [[nodiscard]] RawBlock baseline_a(std::int64_t trips, std::int64_t discarded);
  [[nodiscard]] RawBlock baseline_b(std::int64_t trips, std::int64_t discarded);
  // Between the byte that opens the phase and the byte that closes it each task is switched away from exactly once in
  // each round trip, timed or discarded, and once more at the closing hand-over: expected_switches = trips +
  // discarded + 1. Both count inside themselves, outside the timed stretch.
  // VisitKind::baseline_only: S2A and S2B once more, in this order, as if they were one S1 block without any switch.
  [[nodiscard]] RawBlock switching(std::int64_t trips, std::int64_t discarded, std::span<std::uint64_t> marks = {});

  // Both arrays hold what the traversals must have left, and what the reads summed is right.
  [[nodiscard]] bool verify();
  // After verify(), of a visit with a known addition: mean ticks of a spin of both tasks.
  [[nodiscard]] std::optional<double> spun_ticks() const;

private:
  struct SharedPage; // unmaps itself
  [[nodiscard]] bool by_threads() const { return setup_.request.point.tasks == TaskKind::thread; }
  void start_process(std::int64_t deadline_ns);
  void start_thread();
  void stop_b();
  void give(Orders::Kind);
  [[nodiscard]] RawBlock both_baselines(std::int64_t trips, std::int64_t discarded);
  void await_answer();
  [[nodiscard]] VisitProblem end_of_b();

  Pipe to_b_, to_a_;
  std::unique_ptr<SharedPage> page_;
  TaskBSetup setup_;
  std::optional<Task> a_;
  pid_t process_b_ = -1;
  std::optional<pthread_t> thread_b_;
};

// "signal 9 (Killed)", and the code of the visit's failure: "timeout" for the timers, else "crashed".
[[nodiscard]] VisitProblem problem_of_death(const std::string& who, int wait_status);

} // namespace switchscope
