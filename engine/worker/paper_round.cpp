#include "engine/worker/paper_round.h"

#include "engine/model/visit_time.h"
#include "engine/worker/failure.h"
#include "engine/worker/paper_traversal.h"
#include "engine/worker/scheduling.h"
#include "engine/worker/surroundings.h"
#include "engine/worker/task_pair.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace switchscope {
namespace {

constexpr std::size_t flush_bytes = 4 << 20;
constexpr int ordinary_patience = 20, real_time_patience = 5; // times the expected length, before a process ends itself

// A reading of the clock takes some 20 ns. With 100 of them in a block they take less than a ten-thousandth of its
// time; where a traversal takes long, 1,000 do too, and a pause of 50 ms still stands out of a stretch.
constexpr std::size_t few_stretches = 100, many_stretches = 1000;
constexpr std::int64_t long_walk_bytes = 64 << 10;

// What one process measured. It stands in memory shared with the process that waits for it.
struct Outcome {
  RawBlock block;
  std::size_t stretches = few_stretches;
  std::array<std::uint64_t, many_stretches> marks{};
  Policy policy = Policy::other;
  int priority = 0;
  char policy_reason[512] = {};
  PageMode pages = PageMode::base_4k;
  char pages_reason[256] = {};
  bool locked = false;
  bool verified = false;
  std::int64_t real_time_ns = 0;
  char problem_code[16] = {}; // not empty: it could not be measured, and why
  char problem[512] = {};

  [[nodiscard]] std::span<std::uint64_t> used_marks() { return {marks.data(), stretches}; }
};

class SharedOutcome {
public:
  SharedOutcome() {
    void* const memory = mmap(nullptr, sizeof(Outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw VisitProblem("memory", "no memory for shared pages: " + error_text(errno));
    outcome_ = new (memory) Outcome{};
  }
  ~SharedOutcome() { munmap(outcome_, sizeof(Outcome)); }
  SharedOutcome(const SharedOutcome&) = delete;
  SharedOutcome& operator=(const SharedOutcome&) = delete;
  Outcome& operator*() { return *outcome_; }
  Outcome* operator->() { return outcome_; }

private:
  Outcome* outcome_ = nullptr;
};

// Pushes what was walked before out of the caches, as far as 4 MiB do that.
class FlushBuffer {
public:
  FlushBuffer() : pages_(flush_bytes, PageMode::base_4k) { pages_.write_all_pages(); }
  void walk() {
    std::memset(pages_.data(), 1, flush_bytes);
    asm volatile("" : : "r"(pages_.data()) : "memory");
  }

private:
  Pages pages_;
};

std::int64_t own_deadline_ns(const VisitRequest& request, double trip_ns, int patience) {
  if (request.deadline_ns > 0) return request.deadline_ns;
  return std::min(last_deadline_ns(request),
                  static_cast<std::int64_t>(trip_ns * static_cast<double>(paper_trips) * patience) + 2'000'000'000);
}

template <class Trip> double fastest_trip_ns(ClockSource clock, Trip trip) {
  const ClockSample start = sample_clocks(clock);
  std::uint64_t fastest = ~std::uint64_t{0};
  for (int attempt = 0; attempt < 3; ++attempt) {
    const RawBlock block = trip();
    fastest = std::min(fastest, block.end_ticks - block.begin_ticks);
  }
  const ClockSample end = sample_clocks(clock);
  return static_cast<double>(fastest) / rate_between(start, start, end).ticks_per_ns;
}

int patience_of(Policy policy) {
  return policy == Policy::other ? ordinary_patience : real_time_patience;
}

void note(Outcome& outcome, const Scheduling& scheduling) {
  outcome.policy = scheduling.policy;
  outcome.priority = scheduling.priority;
  copy_text(outcome.policy_reason, scheduling.reason);
}

void note(Outcome& outcome, PageMode pages, const std::string& reason, bool locked) {
  outcome.pages = pages;
  copy_text(outcome.pages_reason, reason);
  outcome.locked = locked;
}

void measure_single(const VisitRequest& request, ClockSource clock, Outcome& outcome) {
  Task task(TaskName::a, request, paper_loop(request.point.access), clock);
  note(outcome, task.pages.obtained(), task.pages.reason(), task.locked);
  FlushBuffer flush;
  const double trip_ns = fastest_trip_ns(clock, [&] { return task.baseline(1, 0); });
  const Scheduling scheduling = become(request.point.policy, sched_get_priority_max(SCHED_FIFO));
  const std::int64_t began_ns = monotonic_raw_ns();
  const std::int64_t deadline_ns = own_deadline_ns(request, trip_ns, patience_of(scheduling.policy));
  set_deadline(deadline_ns);
  limit_real_time(deadline_ns);
  drop_capabilities();
  note(outcome, scheduling);
  flush.walk();
  outcome.block = task.baseline(paper_trips, 0, outcome.used_marks());
  if (scheduling.policy != Policy::other) outcome.real_time_ns = monotonic_raw_ns() - began_ns;
  (void)set_policy(Policy::other, 0);
  outcome.verified = task.holds_expected_data();
}

void measure_switching(const VisitRequest& request, ClockSource clock, Outcome& outcome) {
  TaskPair pair(request, paper_loop(request.point.access), clock, last_deadline_ns(request));
  const ObtainedPages pages = pair.pages();
  note(outcome, pages.mode, pages.reason, pages.locked);
  FlushBuffer flush;
  const double round_trip_ns = fastest_trip_ns(clock, [&] { return pair.switching(1, 0); });
  const Scheduling scheduling = pair.become(request.point.policy, sched_get_priority_max(SCHED_FIFO));
  const std::int64_t began_ns = monotonic_raw_ns();
  pair.set_deadline(own_deadline_ns(request, round_trip_ns, patience_of(scheduling.policy)));
  note(outcome, scheduling);
  flush.walk();
  outcome.block = pair.switching(paper_trips, 0, outcome.used_marks());
  if (scheduling.policy != Policy::other) outcome.real_time_ns = monotonic_raw_ns() - began_ns;
  pair.become_ordinary();
  outcome.verified = pair.verify();
}

using Measuring = void (*)(const VisitRequest&, ClockSource, Outcome&);

[[noreturn]] void run_child(const VisitRequest& request, ClockSource clock, Measuring measuring, Outcome& outcome) {
  // Whoever reads the worker's lines must see their end when the worker ends, not when this process does. The numbers
  // stay taken: a pipe of the tasks must not get them.
  dup2(STDERR_FILENO, STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  outcome.stretches = request.point.array_bytes < long_walk_bytes ? few_stretches : many_stretches;
  outcome.marks.fill(1); // so that no mark is the first touch of its page
  try {
    measuring(request, clock, outcome);
  } catch (const VisitProblem& problem) {
    copy_text(outcome.problem_code, problem.code);
    copy_text(outcome.problem, problem.what());
  } catch (const std::exception& problem) {
    copy_text(outcome.problem_code, "crashed");
    copy_text(outcome.problem, problem.what());
  }
  _exit(0);
}

// Throws what went wrong there.
void measure_in_own_process(const std::string& who, const VisitRequest& request, ClockSource clock, Measuring measuring,
                            Outcome& outcome) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0)
    throw VisitProblem("fork", "cannot start " + who + ": " + error_text(errno) + "; raise the limit of processes");
  if (child == 0) {
    const std::int64_t bound_ns = last_deadline_ns(request);
    guard_process(parent, bound_ns, bound_ns);
    run_child(request, clock, measuring, outcome);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw problem_of_death(who, status);
  if (outcome.problem_code[0] != 0) throw VisitProblem(outcome.problem_code, outcome.problem);
}

void account_for(const Outcome& single, const Outcome& pair, VisitReport& report) {
  if (single.policy != pair.policy)
    throw VisitProblem("policy", "the kernel gave the tasks of S1 another scheduling policy than that of S2");
  report.policy = pair.policy;
  report.priority = pair.priority;
  report.policy_reason = pair.policy_reason;
  const Outcome& other_pages = single.pages_reason[0] != 0 ? single : pair;
  report.pages = other_pages.pages;
  report.pages_reason = other_pages.pages_reason;
  report.locked = single.locked && pair.locked;
  report.checksum_ok = single.verified && pair.verified;
  report.fifo_ns = single.real_time_ns + pair.real_time_ns;
  report.expected_switches = pair.block.expected_switches;
  report.observed_switches_a = switches_of(pair.block.task_a);
  report.observed_switches_b = switches_of(pair.block.task_b);
}

} // namespace

std::vector<double> stalls_in(std::uint64_t begin_ticks, std::span<const std::uint64_t> marks, double ticks_per_ns) {
  constexpr double least_ns = 5e6, least_share = 0.2;
  std::vector<double> stretches_ns;
  for (std::uint64_t before = begin_ticks; const std::uint64_t mark : marks) {
    stretches_ns.push_back(static_cast<double>(mark - before) / ticks_per_ns);
    before = mark;
  }
  std::vector<double> sorted = stretches_ns;
  std::vector<double> stalls;
  if (sorted.empty()) return stalls;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  for (const double stretch_ns : stretches_ns)
    if (const double excess_ns = stretch_ns - *middle; excess_ns > least_ns && excess_ns > least_share * *middle)
      stalls.push_back(excess_ns);
  return stalls;
}

VisitData measure_paper_round(const VisitRequest& request, std::int64_t received_ns) {
  const ClockSource clock = clock_source_here();
  const std::vector<int> cpus = measured_cpus(request.point.placement);
  SharedOutcome single, pair;

  const Surroundings before = surroundings_of(cpus);
  const ClockSample start = sample_clocks(clock);
  measure_in_own_process("the process of S2", request, clock, measure_single, *single);
  const ClockSample middle = sample_clocks(clock);
  measure_in_own_process("the process of S1", request, clock, measure_switching, *pair);
  const ClockSample end = sample_clocks(clock);
  const Surroundings after = surroundings_of(cpus);
  const ClockRate rate = rate_between(start, middle, end);

  VisitData visit;
  VisitReport& report = visit.report;
  account_for(*single, *pair, report);
  report.kernel_code = paper_code;
  report.clock_source = name_of(clock);
  report.clock_ghz = rate.ticks_per_ns;
  report.clock_drift_ppm = rate.drift_ppm;
  report.steal_ns = steal_ns_between(before, after);
  report.interrupts = after.interrupts - before.interrupts;
  double measured_ns = 0;
  for (Outcome* const outcome : {&*single, &*pair}) {
    visit.blocks.push_back(block_from(outcome->block, 0, start, rate.ticks_per_ns));
    measured_ns += visit.blocks.back().elapsed_ns;
    for (const double stall_ns : stalls_in(outcome->block.begin_ticks, outcome->used_marks(), rate.ticks_per_ns))
      report.stalls_ns.push_back(stall_ns);
  }
  report.measured_ns = static_cast<std::int64_t>(measured_ns);
  report.total_ns = monotonic_raw_ns() - received_ns;
  return visit;
}

} // namespace switchscope
