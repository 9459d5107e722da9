#include "engine/worker/visit.h"

#include "engine/model/environment.h"
#include "engine/model/quantity.h"
#include "engine/model/visit_time.h"
#include "engine/worker/block_plan.h"
#include "engine/worker/facts_files.h"
#include "engine/worker/failure.h"
#include "engine/worker/paper_round.h"
#include "engine/worker/proc_counters.h"
#include "engine/worker/surroundings.h"
#include "engine/worker/task_pair.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

namespace switchscope {
namespace {

constexpr double ns_per_s = 1e9;

std::int64_t microseconds_in(const char* path, std::int64_t where_absent) {
  const std::string text = file_text(path);
  return text.empty() ? where_absent : std::strtoll(text.c_str(), nullptr, 10);
}

RealTimeBudget real_time_budget() { // the kernel's defaults where the files are absent
  std::optional<std::int64_t> of_group;
  for (const std::string& path : group_real_time_files(file_text("/proc/self/cgroup")))
    if (const std::string text = file_text(path.c_str()); !text.empty())
      of_group = std::strtoll(text.c_str(), nullptr, 10);
  const std::int64_t of_machine = microseconds_in("/proc/sys/kernel/sched_rt_runtime_us", 950'000);
  return {microseconds_in("/proc/sys/kernel/sched_rt_period_us", 1'000'000),
          lower_rt_runtime_us(of_machine, of_group).value_or(of_machine)};
}

// A memory-bound neighbour does not show in register adds: it shows in a second walk over half of L2.
class MemoryTag {
public:
  explicit MemoryTag(std::int64_t l2_bytes)
      : pages_(static_cast<std::size_t>(l2_bytes / 2), PageMode::base_4k),
        loop_(choose_loop(Access::read, Pattern::strided, Kernel::vector, 1, cpu_has_avx())),
        array_(array_over(pages_.data(), static_cast<std::size_t>(l2_bytes / 2 / element_bytes), 1)) {
    pages_.write_all_pages();
    fill(array_, 0);
    (void)pages_.lock();
  }
  [[nodiscard]] std::uint64_t ticks(ClockSource clock) const {
    (void)loop_.traverse(array_, 0);
    const std::uint64_t begin = read_ticks(clock);
    (void)loop_.traverse(array_, 0);
    return read_ticks(clock) - begin;
  }

private:
  Pages pages_;
  Loop loop_;
  Array array_;
};

struct Pilot {
  double round_trip_ns = 0;
  double baseline_trip_ns = 0;
};

double per_trip_ns(const RawBlock& block, double ticks_per_ns) {
  return static_cast<double>(block.end_ticks - block.begin_ticks) / static_cast<double>(block.trips) / ticks_per_ns;
}

// Runs every kind of block once, so that no page of code, stack or pipe is touched for the first time in a timed
// block, and tells how long a trip takes. The fastest of the tries: other tasks still run in between, so a pair that
// seems too long for a real-time policy is tried again before it is believed.
Pilot run_pilot(TaskPair& pair, double ticks_per_ns, std::int64_t block_ns, double longest_ns) {
  Pilot pilot;
  pilot.baseline_trip_ns = per_trip_ns(pair.baseline_a(1, 0), ticks_per_ns);
  pilot.baseline_trip_ns = std::min(pilot.baseline_trip_ns, per_trip_ns(pair.baseline_b(1, 0), ticks_per_ns));
  pilot.round_trip_ns = per_trip_ns(pair.switching(1, 0), ticks_per_ns);
  for (int attempt = 0; attempt < 5; ++attempt) {
    const bool seems_too_long = longest_pair_ns(pilot.round_trip_ns, pilot.baseline_trip_ns, block_ns) > longest_ns;
    if (!seems_too_long && attempt >= (pilot.round_trip_ns > 200e3 ? 2 : 3)) break;
    const std::int64_t trips = std::clamp<std::int64_t>(static_cast<std::int64_t>(200e3 / pilot.round_trip_ns), 1, 16);
    pilot.round_trip_ns = std::min(pilot.round_trip_ns, per_trip_ns(pair.switching(trips, 0), ticks_per_ns));
    pilot.baseline_trip_ns = std::min(pilot.baseline_trip_ns, per_trip_ns(pair.baseline_a(trips, 0), ticks_per_ns));
  }
  return pilot;
}

using PairOfBlocks = std::array<RawBlock, 3>;

PairOfBlocks run_pair(TaskPair& tasks, std::int64_t trips, bool forwards) {
  if (forwards) { // in sequence: the braces of an array are evaluated from left to right
    return {tasks.baseline_a(trips, discarded_trips), tasks.switching(trips, discarded_trips),
            tasks.baseline_b(trips, discarded_trips)};
  }
  return {tasks.baseline_b(trips, discarded_trips), tasks.switching(trips, discarded_trips),
          tasks.baseline_a(trips, discarded_trips)};
}

struct Measured {
  std::vector<PairOfBlocks> pairs;
  std::vector<ClockSample> clock_samples; // after each pair
  std::int64_t real_time_ns = 0;          // pauses left out
};

Measured run_pairs(TaskPair& tasks, const VisitRequest& request, double round_trip_ns, double pair_ns, bool real_time,
                   RealTimeBudget budget) {
  Measured measured;
  // Written to once, so that recording a block faults no page in.
  const auto expected_pairs = static_cast<std::size_t>(
      request.min_pairs + 2 * static_cast<int>(static_cast<double>(request.duration_ns) / pair_ns) + 8);
  measured.pairs.resize(expected_pairs);
  measured.pairs.clear();
  measured.clock_samples.resize(expected_pairs);
  measured.clock_samples.clear();

  Jitter jitter(request.seed);
  const ClockSource clock = clock_source_here();
  const std::int64_t began = monotonic_raw_ns();
  std::int64_t paused_ns = 0, mark = began;
  do {
    if (const std::int64_t pause = real_time ? budget.pause_before_ns(pair_ns) : 0; pause > 0) {
      const std::int64_t pause_began = monotonic_raw_ns();
      sleep_ns(pause);
      mark = monotonic_raw_ns();
      paused_ns += mark - pause_began;
      budget.paused();
    }
    const std::int64_t trips = trips_for(round_trip_ns, request.block_ns, jitter.next());
    measured.pairs.push_back(run_pair(tasks, trips, measured.pairs.size() % 2 == 0));
    measured.clock_samples.push_back(sample_clocks(clock));
    const std::int64_t now = monotonic_raw_ns();
    budget.spend(static_cast<double>(now - mark));
    mark = now;
  } while (mark - began - paused_ns < request.duration_ns ||
           measured.pairs.size() < static_cast<std::size_t>(request.min_pairs));
  if (real_time) measured.real_time_ns = mark - began - paused_ns;
  return measured;
}

// The sample nearest to the middle of the visit's time.
ClockSample middle_of(const ClockSample& start, const std::vector<ClockSample>& samples, const ClockSample& end) {
  const std::int64_t middle_ns = start.raw_ns + (end.raw_ns - start.raw_ns) / 2;
  return *std::min_element(samples.begin(), samples.end(), [middle_ns](const ClockSample& a, const ClockSample& b) {
    return std::abs(a.raw_ns - middle_ns) < std::abs(b.raw_ns - middle_ns);
  });
}

void tell_counts(VisitReport& report, const TaskPair::Counted& counted) {
  const std::string paranoid = file_text("/proc/sys/kernel/perf_event_paranoid");
  report.counters = readings_of(counted.a, counted.b);
  report.counters_reason = counters_reason(
      counted.a, counted.b, paranoid.empty() ? std::nullopt : std::optional(std::atoi(paranoid.c_str())));
}

Scheduling take_policy(TaskPair& tasks, const VisitRequest& request, double pair_ns, double longest_ns,
                       VisitReport& report) {
  report.fifo_too_long = request.point.policy != Policy::other && pair_ns > longest_ns;
  if (!report.fifo_too_long) return tasks.become(request.point.policy, request.max_priority);
  (void)tasks.become(Policy::other, request.max_priority); // both tasks give up what rights they came with
  return {Policy::other, 0,
          "a pair of blocks takes " + seconds_text(pair_ns / ns_per_s) + ", longer than the " +
              seconds_text(longest_ns / ns_per_s) + " that a pair may run with a real-time policy"};
}

void tell_conditions(VisitReport& report, const Scheduling& scheduling, const ObtainedPages& pages) {
  report.policy = scheduling.policy;
  report.priority = scheduling.priority;
  report.policy_reason = scheduling.reason;
  report.pages = pages.mode;
  report.pages_reason = pages.reason;
  report.locked = pages.locked;
}

void tell_clock(VisitReport& report, ClockSource clock, const ClockRate& rate) {
  report.clock_source = name_of(clock);
  report.clock_ghz = rate.ticks_per_ns;
  report.clock_drift_ppm = rate.drift_ppm;
}

void tell_blocks(VisitData& visit, const Measured& measured, const ClockSample& start, double ticks_per_ns) {
  VisitReport& report = visit.report;
  double measured_ns = 0;
  int pair_number = 0;
  for (const PairOfBlocks& pair : measured.pairs) {
    for (const RawBlock& raw : pair) {
      visit.blocks.push_back(block_from(raw, pair_number, start, ticks_per_ns));
      measured_ns += visit.blocks.back().elapsed_ns;
      if (raw.phase != Phase::switching) continue;
      report.expected_switches += raw.expected_switches;
      report.observed_switches_a += switches_of(raw.task_a);
      report.observed_switches_b += switches_of(raw.task_b);
    }
    ++pair_number;
  }
  report.measured_ns = static_cast<std::int64_t>(measured_ns);
  report.fifo_ns = measured.real_time_ns;
}

VisitData measure_pairs(const VisitRequest& request, std::int64_t received_ns) {
  const Point& point = request.point;
  const auto stride = static_cast<std::size_t>(std::max<std::int64_t>(1, point.stride_bytes / element_bytes));
  const Loop loop = choose_loop(point.access, point.pattern, point.kernel, stride, cpu_has_avx());
  const ClockSource clock = clock_source_here();
  const std::vector<int> cpus = measured_cpus(point.placement);
  const RealTimeBudget budget = real_time_budget();

  VisitData visit;
  VisitReport& report = visit.report;
  const ClockSample start = sample_clocks(clock);
  TaskPair tasks(request, loop.traverse, clock, last_deadline_ns(request));
  std::optional<MemoryTag> tag;
  if (request.l2_bytes > 0) tag.emplace(request.l2_bytes);

  const double pilot_rate = rate_between(start, start, sample_clocks(clock)).ticks_per_ns;
  const Pilot pilot = run_pilot(tasks, pilot_rate, request.block_ns, budget.longest_pair_ns());
  const double pair_ns = longest_pair_ns(pilot.round_trip_ns, pilot.baseline_trip_ns, request.block_ns);
  const Surroundings before = surroundings_of(cpus);
  if (request.counters) tasks.count();
  const Scheduling scheduling = take_policy(tasks, request, pair_ns, budget.longest_pair_ns(), report);
  const bool real_time = scheduling.policy != Policy::other;
  if (request.deadline_ns == 0)
    tasks.set_deadline(measuring_deadline_ns(request, pair_ns, real_time, monotonic_raw_ns() - received_ns));
  const Measured measured = run_pairs(tasks, request, pilot.round_trip_ns, pair_ns, real_time, budget);
  const std::uint64_t tag_ticks = tag ? tag->ticks(clock) : 0;
  if (real_time) tasks.become_ordinary();

  const Surroundings after = surroundings_of(cpus);
  report.checksum_ok = tasks.verify();
  const ClockSample end = sample_clocks(clock);
  const ClockRate rate = rate_between(start, middle_of(start, measured.clock_samples, end), end);

  if (request.counters) tell_counts(report, tasks.counted());
  tell_conditions(report, scheduling, tasks.pages());
  tell_clock(report, clock, rate);
  tell_blocks(visit, measured, start, rate.ticks_per_ns);
  report.kernel_code = loop.code;
  report.steal_ns = steal_ns_between(before, after);
  report.interrupts = after.interrupts - before.interrupts;
  if (const auto spun = tasks.spun_ticks()) report.spun_ns = *spun / rate.ticks_per_ns;
  if (tag) report.memory_tag_ns = static_cast<double>(tag_ticks) / rate.ticks_per_ns;
  report.total_ns = monotonic_raw_ns() - received_ns;
  return visit;
}

} // namespace

std::int64_t unblocked_ns(const VisitRequest& request) {
  return request.point.method == Method::paper ? last_deadline_ns(request) : paired_unblocked_ns;
}

std::int64_t measuring_deadline_ns(const VisitRequest& request, double pair_ns, bool real_time, std::int64_t spent_ns) {
  constexpr std::int64_t least_ns = 1'000'000; // 0 would be no deadline at all
  const double planned_ns = std::max(static_cast<double>(request.duration_ns), request.min_pairs * pair_ns);
  // Without a real-time policy others take their share of the CPU, and there is nothing to run away with.
  const double own_ns = planned_ns * (real_time ? 5 : 20) + 2 * ns_per_s;
  const auto left_ns = static_cast<double>(last_deadline_ns(request) - spent_ns);
  return std::max(least_ns, static_cast<std::int64_t>(std::min(own_ns, left_ns)));
}

VisitData measure_visit(const VisitRequest& request, std::int64_t received_ns) {
  const Point& point = request.point;
  const std::string refusal =
      memory_refusal(point.array_bytes, request.l2_bytes / 2, available_memory_bytes(point.pages));
  if (!refusal.empty()) throw VisitProblem("memory", refusal);
  const std::int64_t suspended_before_ns = suspended_ns();
  VisitData visit =
      point.method == Method::paper ? measure_paper_round(request, received_ns) : measure_pairs(request, received_ns);
  const std::string trouble = clock_trouble(suspended_ns() - suspended_before_ns, visit.report.clock_drift_ppm);
  if (!trouble.empty()) throw VisitProblem("clock", trouble);
  return visit;
}

} // namespace switchscope
