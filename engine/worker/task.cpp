#include "engine/worker/task.h"

#include "engine/worker/failure.h"
#include "engine/worker/scheduling.h"

#include <algorithm>
#include <cerrno>
#include <sched.h>
#include <sys/resource.h>

namespace switchscope {
namespace {

int pinned(int cpu) {
  if (cpu >= 0) pin_to_cpu(cpu);
  return cpu;
}

int fill_of(TaskName name) {
  return name == TaskName::a ? 0 : 1;
}

} // namespace

TaskCounts counts_now(int pinned_cpu) {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return {.voluntary_switches = usage.ru_nvcsw,
          .involuntary_switches = usage.ru_nivcsw,
          .minor_faults = usage.ru_minflt,
          .major_faults = usage.ru_majflt,
          .migrations = pinned_cpu >= 0 && sched_getcpu() != pinned_cpu ? 1 : 0};
}

TaskCounts counts_between(const TaskCounts& before, const TaskCounts& after) {
  return {.voluntary_switches = after.voluntary_switches - before.voluntary_switches,
          .involuntary_switches = after.involuntary_switches - before.involuntary_switches,
          .minor_faults = after.minor_faults - before.minor_faults,
          .major_faults = after.major_faults - before.major_faults,
          .migrations = std::max(before.migrations, after.migrations)};
}

int pinned_cpu_of(const Placement& placement, TaskName name) {
  switch (placement.kind) {
  case Placement::Kind::same_cpu:
    return placement.cpu_a;
  case Placement::Kind::two_cpus:
    return name == TaskName::a ? placement.cpu_a : placement.cpu_b;
  case Placement::Kind::automatic:
  case Placement::Kind::free:
    return -1;
  }
  return -1;
}

Task::Task(TaskName name_, const VisitRequest& request, Traversal traverse, ClockSource clock_)
    : name(name_), cpu(pinned(pinned_cpu_of(request.point.placement, name_))), clock(clock_),
      access(request.point.access), pattern(request.point.pattern),
      pages(static_cast<std::size_t>(request.point.array_bytes), request.point.pages) {
  const auto elements = static_cast<std::size_t>(request.point.array_bytes / element_bytes);
  const auto stride = static_cast<std::size_t>(std::max<std::int64_t>(1, request.point.stride_bytes / element_bytes));
  work.traverse = traverse;
  work.array = array_over(pages.data(), elements, stride);
  if (request.kind == VisitKind::known_addition) addition.emplace(request.added_ns, clock);
  pages.write_all_pages();
  fill(work.array, fill_of(name));
  locked = pages.lock();
  pages.verify();
}

RawBlock Task::baseline(std::int64_t trips, std::int64_t discarded) {
  RawBlock block;
  block.phase = name == TaskName::a ? Phase::baseline_a : Phase::baseline_b;
  block.trips = trips;
  block.before = probe();
  const TaskCounts before = counts();
  if (counters) counters->begin();
  bool alive = exchange_mid_page(work, own.write_end(), own.read_end(), discarded);
  block.begin_ticks = read_ticks(clock);
  alive = exchange_mid_page(work, own.write_end(), own.read_end(), trips) && alive;
  block.end_ticks = read_ticks(clock);
  if (counters) counters->end(block.phase, discarded + trips);
  (name == TaskName::a ? block.task_a : block.task_b) = counts_between(before, counts());
  block.after = probe();
  if (!alive) throw VisitProblem("pipe", "a task could not move a byte through its own pipe: " + error_text(errno));
  return block;
}

bool Task::holds_expected_data() const {
  if (access == Access::read && work.sum != work.traversals * expected_sum(work.array, pattern, fill_of(name)))
    return false;
  return holds_expected(work.array, access, pattern, fill_of(name), work.traversals, work.traversals);
}

} // namespace switchscope
