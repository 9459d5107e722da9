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

CountsReading counts_now() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return {{.voluntary_switches = usage.ru_nvcsw,
           .involuntary_switches = usage.ru_nivcsw,
           .minor_faults = usage.ru_minflt,
           .major_faults = usage.ru_majflt,
           .migrations = 0},
          sched_getcpu()};
}

TaskCounts counts_between(const CountsReading& before, const CountsReading& after, int pinned_cpu) {
  const bool moved = before.cpu != after.cpu;
  const bool elsewhere = pinned_cpu >= 0 && after.cpu != pinned_cpu;
  const TaskCounts &from = before.so_far, &to = after.so_far;
  return {.voluntary_switches = to.voluntary_switches - from.voluntary_switches,
          .involuntary_switches = to.involuntary_switches - from.involuntary_switches,
          .minor_faults = to.minor_faults - from.minor_faults,
          .major_faults = to.major_faults - from.major_faults,
          .migrations = moved || elsewhere ? 1 : 0};
}

std::int64_t switches_of(const std::optional<TaskCounts>& counts) {
  return counts ? counts->voluntary_switches + counts->involuntary_switches : 0;
}

Block block_from(const RawBlock& raw, int pair, const ClockSample& start, double ticks_per_ns) {
  Block block;
  block.pair = pair;
  block.phase = raw.phase;
  block.trips = raw.trips;
  block.elapsed_ns = static_cast<double>(raw.end_ticks - raw.begin_ticks) / ticks_per_ns;
  block.started_ns = static_cast<std::int64_t>(static_cast<double>(raw.begin_ticks - start.ticks) / ticks_per_ns);
  block.before = probe_from(raw.before, ticks_per_ns);
  block.after = probe_from(raw.after, ticks_per_ns);
  block.expected_switches = raw.expected_switches;
  block.task_a = raw.task_a;
  block.task_b = raw.task_b;
  return block;
}

bool timed_exchange(Work& work, int out, int in, std::int64_t trips, ClockSource clock, RawBlock& block,
                    std::span<std::uint64_t> marks) {
  bool alive = true;
  block.begin_ticks = read_ticks(clock);
  if (marks.empty()) {
    alive = exchange_mid_page(work, out, in, trips);
    block.end_ticks = read_ticks(clock);
    return alive;
  }
  const auto parts = static_cast<std::int64_t>(marks.size());
  std::int64_t done = 0, part = 0;
  for (std::uint64_t& mark : marks) {
    const std::int64_t until = trips * ++part / parts;
    alive = alive && exchange_mid_page(work, out, in, until - done);
    done = until;
    mark = read_ticks(clock);
  }
  block.end_ticks = marks.back();
  return alive;
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

RawBlock Task::baseline(std::int64_t trips, std::int64_t discarded, std::span<std::uint64_t> marks) {
  RawBlock block;
  block.phase = name == TaskName::a ? Phase::baseline_a : Phase::baseline_b;
  block.trips = trips;
  block.before = probe();
  const CountsReading before = counts_now();
  if (counters) counters->begin();
  bool alive = exchange_mid_page(work, own.write_end(), own.read_end(), discarded);
  alive = timed_exchange(work, own.write_end(), own.read_end(), trips, clock, block, marks) && alive;
  if (counters) counters->end(block.phase, discarded + trips);
  (name == TaskName::a ? block.task_a : block.task_b) = counts_since(before);
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
