// Where and how a task runs: its CPU, its policy with a labelled fallback, and the limits that end it if it runs away.
// All of it acts on the calling thread, so each task calls it for itself.
#pragma once

#include "engine/model/names.h"

#include <cstdint>
#include <string>
#include <sys/types.h>

namespace switchscope {

// Throws VisitProblem ("cpu"). A task that stays where the system puts it (placement `free`) does not call it.
void pin_to_cpu(int cpu);

struct Scheduling {
  Policy policy = Policy::other; // never automatic
  int priority = 0;              // 0 under SCHED_OTHER
  std::string reason;            // why the policy is not the one asked; empty when it is (automatic asks for FIFO)
};

// The priority to ask for: `max_priority` with CAP_SYS_NICE, else at most RLIMIT_RTPRIO; 0: none is allowed.
[[nodiscard]] int allowed_priority(int max_priority, bool may_set_any, std::uint64_t rtprio_limit);

// Tries FIFO, then RR, then stays under SCHED_OTHER.
[[nodiscard]] Scheduling become(Policy asked, int max_priority);
// Exactly this one; false when the kernel refuses.
[[nodiscard]] bool set_policy(Policy, int priority);

// The most real-time CPU time without blocking that a task of paired blocks may take; a block takes a part of it.
inline constexpr std::int64_t paired_unblocked_ns = 1'000'000'000;

// The kernel kills the calling process when `parent` ends: the thread that forked it, to be exact. It ends at once
// where that has happened since `parent` was asked for. A program with file capabilities has to ask for it itself,
// because exec then takes away what was asked before.
void die_with(pid_t parent);

// For a process: dies with its parent (checked against `parent`, for it may have died before), after `deadline_ns`, or
// after `unblocked_ns` of real-time CPU time without blocking. The two timers act by default action: no handler can
// fail.
void guard_process(pid_t parent, std::int64_t deadline_ns, std::int64_t unblocked_ns = paired_unblocked_ns);
// The last of these alone (RLIMIT_RTTIME: a signal then, the end after twice as long). It can only be lowered.
void limit_real_time(std::int64_t unblocked_ns);
void set_deadline(std::int64_t deadline_ns); // of the whole process; 0: none

// Gives up every capability of the calling thread, once the policy is set. It clears no parent-death signal, for the
// new set is a subset of the old one.
void drop_capabilities();

} // namespace switchscope
