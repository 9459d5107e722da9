// Real visits through the real program. What is checked holds on a noisy machine too: counts, order, data, labels;
// never how long something took.
#include "worker_program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <linux/perf_event.h>
#include <map>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace switchscope {
namespace {

std::int64_t switches(const TaskCounts& counts) {
  return counts.voluntary_switches + counts.involuntary_switches;
}

void expect_within_one_percent(std::int64_t observed, std::int64_t expected) {
  EXPECT_LE(std::abs(observed - expected), std::max<std::int64_t>(1, expected / 100))
      << observed << " switches where " << expected << " were expected";
}

void expect_sound(const WorkerRun& run) {
  ASSERT_NE(run.done(), nullptr) << (run.error() != nullptr ? run.error()->message : "no last line");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(std::holds_alternative<Hello>(run.events.front()));
  const VisitReport& report = run.done()->report;
  EXPECT_TRUE(report.checksum_ok);
  EXPECT_GT(report.clock_ghz, 0);
  EXPECT_GT(report.total_ns, report.measured_ns);

  const std::vector<Block> blocks = run.blocks();
  ASSERT_GE(blocks.size(), 9u) << "three complete pairs";
  ASSERT_EQ(blocks.size() % 3, 0u);
  double measured_ns = 0;
  std::int64_t expected = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    SCOPED_TRACE(testing::Message() << "block " << i);
    const int pair = static_cast<int>(i / 3);
    const Phase forwards[] = {Phase::baseline_a, Phase::switching, Phase::baseline_b};
    EXPECT_EQ(block.pair, pair);
    EXPECT_EQ(block.phase, forwards[pair % 2 == 0 ? i % 3 : 2 - i % 3]);
    EXPECT_EQ(block.trips, blocks[3 * static_cast<std::size_t>(pair)].trips) << "the blocks of a pair have equal trips";
    EXPECT_GT(block.elapsed_ns, 0);
    EXPECT_EQ(block.task_a.has_value(), block.phase != Phase::baseline_b);
    EXPECT_EQ(block.task_b.has_value(), block.phase != Phase::baseline_a);
    EXPECT_EQ(block.expected_switches, block.phase == Phase::switching ? block.trips + 3 + 1 : 0);
    for (const Probe& probe : {block.before, block.after}) {
      EXPECT_GT(probe.clock_adds_per_ns, 0);
      EXPECT_GT(probe.adds_per_cycle, 0);
      EXPECT_GT(probe.self_pipe_ns, 0);
    }
    if (i > 0) {
      EXPECT_GT(block.started_ns, blocks[i - 1].started_ns);
    }
    measured_ns += block.elapsed_ns;
    expected += block.expected_switches;
  }
  EXPECT_NEAR(static_cast<double>(report.measured_ns), measured_ns, 1.0 + measured_ns * 1e-9);
  EXPECT_EQ(report.expected_switches, expected);
}

// What only holds while nobody else can take the CPU.
void expect_undisturbed(const WorkerRun& run) {
  const VisitReport& report = run.done()->report;
  expect_within_one_percent(report.observed_switches_a, report.expected_switches);
  expect_within_one_percent(report.observed_switches_b, report.expected_switches);
  for (const Block& block : run.blocks())
    for (const auto& counts : {block.task_a, block.task_b}) {
      if (!counts) continue;
      EXPECT_EQ(counts->minor_faults, 0);
      EXPECT_EQ(counts->major_faults, 0);
      EXPECT_EQ(counts->migrations, 0);
      // A kernel thread of a higher priority may come in between once.
      if (block.phase == Phase::switching)
        expect_within_one_percent(switches(*counts), block.expected_switches);
      else
        EXPECT_LE(switches(*counts), 1);
    }
}

class Visit : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Visit, IsCountedCheckedAndOrdered) {
  const WorkerRun run = run_worker(visit_arguments(GetParam()));
  expect_sound(run);
  if (HasFatalFailure()) return;
  if (run.done()->report.policy == Policy::fifo) {
    EXPECT_EQ(run.done()->report.policy_reason, "");
    EXPECT_GT(run.done()->report.fifo_ns, 0);
    expect_undisturbed(run);
  } else {
    EXPECT_NE(run.done()->report.policy_reason, "");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Points, Visit,
    testing::Values(
        std::vector<std::string>{"--size", "0"},
        std::vector<std::string>{"--size", "0", "--tasks", "thread", "--kernel", "scalar"},
        std::vector<std::string>{"--size", "65536", "--stride", "128", "--access", "rmw"},
        std::vector<std::string>{"--size", "65536", "--stride", "8", "--access", "read", "--tasks", "thread"},
        std::vector<std::string>{"--size", "65536", "--stride", "64", "--access", "write", "--pattern", "sparse"},
        std::vector<std::string>{"--size", "65536", "--pattern", "random", "--access", "read"},
        std::vector<std::string>{"--size", "100032", "--pattern", "random", "--access", "rmw"},
        std::vector<std::string>{"--size", "4194304", "--stride", "128", "--access", "rmw"},
        std::vector<std::string>{"--size", "4194304", "--stride", "8", "--access", "write", "--pages", "thp"},
        std::vector<std::string>{"--size", "4194304", "--stride", "8", "--tasks", "thread", "--kernel", "scalar"}));

TEST(VisitOf, AnyPolicyObtainsItOrSaysWhyNot) {
  for (const std::string asked : {"auto", "fifo", "rr", "other"}) {
    SCOPED_TRACE(asked);
    const WorkerRun run = run_worker(visit_arguments({"--size", "0", "--policy", asked}));
    expect_sound(run);
    if (HasFatalFailure()) return;
    const VisitReport& report = run.done()->report;
    const bool obtained = asked == (asked == "auto" ? "auto" : name_of(report.policy)) &&
                          (asked != "auto" || report.policy == Policy::fifo);
    EXPECT_EQ(report.policy_reason.empty(), obtained) << report.policy_reason;
    EXPECT_EQ(report.priority > 0, report.policy != Policy::other);
    EXPECT_EQ(report.fifo_ns > 0, report.policy != Policy::other);
    EXPECT_FALSE(report.fifo_too_long);
  }
}

TEST(VisitOf, TwoCpusOrAnyCpu) {
  const std::vector<int> cpus = allowed_cpus();
  if (cpus.size() < 2) GTEST_SKIP() << "one CPU only";
  const std::string two = std::to_string(cpus[0]) + ":" + std::to_string(cpus[1]);
  for (const std::string& placement : {two, std::string("free")}) {
    SCOPED_TRACE(placement);
    const WorkerRun run = run_worker(visit_arguments({"--size", "0", "--cpu", placement}));
    expect_sound(run);
    if (HasFatalFailure()) return;
    for (const Block& block : run.blocks())
      EXPECT_LE(block.task_a.value_or(TaskCounts{}).migrations, placement == two ? 0 : 1);
  }
}

TEST(VisitOf, APairTooLongForRealTimeRunsWithoutAndSaysSo) {
  const WorkerRun run = // one block of it alone takes 390 ms, as a block of a large array does
      run_worker(visit_arguments({"--size", "0", "--block-ns", "390000000", "--duration-ns", "1", "--min-pairs", "1"}));
  ASSERT_NE(run.done(), nullptr) << (run.error() != nullptr ? run.error()->message : "");
  const VisitReport& report = run.done()->report;
  EXPECT_TRUE(report.fifo_too_long);
  EXPECT_EQ(report.policy, Policy::other);
  EXPECT_NE(report.policy_reason, "");
  EXPECT_EQ(report.fifo_ns, 0);
  EXPECT_TRUE(report.checksum_ok);
}

TEST(VisitOf, TheMemoryTagIsThereWhenAsked) {
  const WorkerRun with = run_worker(visit_arguments({"--size", "0", "--l2-bytes", "1048576"}));
  ASSERT_NE(with.done(), nullptr);
  EXPECT_GT(with.done()->report.memory_tag_ns.value_or(0), 0);
  const WorkerRun without = run_worker(visit_arguments({"--size", "0"}));
  ASSERT_NE(without.done(), nullptr);
  EXPECT_EQ(without.done()->report.memory_tag_ns, std::nullopt);
}

bool may_count_its_switches() { // as the worker may, which runs with the same rights
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_SOFTWARE;
  wanted.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
  const long file = syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (file >= 0) close(static_cast<int>(file));
  return file >= 0;
}

// Without any hardware counter the kernel's own are there, so that this path is tested everywhere.
TEST(VisitOf, CountersAgreeWithTheProofOfCountAndMissingOnesAreExplained) {
  for (const std::string tasks : {"process", "thread"}) {
    SCOPED_TRACE(tasks);
    const WorkerRun run =
        run_worker(visit_arguments({"--size", "65536", "--stride", "128", "--counters", "--tasks", tasks}));
    expect_sound(run);
    if (HasFatalFailure()) return;
    const VisitReport& report = run.done()->report;
    std::map<std::string, CounterReading> readings;
    for (const CounterReading& reading : report.counters) readings[reading.name] = reading;
    for (const std::string name : {"cycles", "instructions", "cache-misses", "dtlb-misses", "context-switches"})
      EXPECT_TRUE(readings.contains(name) || readings.contains(name + ":u") ||
                  report.counters_reason.find(name) != std::string::npos)
          << name << " is neither counted nor explained: " << report.counters_reason;
    if (!may_count_its_switches()) continue;
    ASSERT_TRUE(readings.contains("context-switches")) << report.counters_reason;
    const CounterReading& switches = readings["context-switches"];
    expect_within_one_percent(static_cast<std::int64_t>(switches.switching), 2 * report.expected_switches);
    expect_within_one_percent(static_cast<std::int64_t>(switches.switching), 2 * switches.round_trips);
    std::int64_t round_trips = 0;
    for (const Block& block : run.blocks())
      if (block.phase == Phase::switching) round_trips += block.trips + 3;
    EXPECT_EQ(switches.round_trips, round_trips) << "the pilot is not counted, the discarded trips are";
    EXPECT_EQ(switches.trips_a, round_trips);
    EXPECT_EQ(switches.trips_b, round_trips);
    EXPECT_EQ(switches.scheduled_share, 1);
  }
}

TEST(VisitOf, NothingIsCountedUnasked) {
  const WorkerRun run = run_worker(visit_arguments({"--size", "0"}));
  ASSERT_NE(run.done(), nullptr);
  EXPECT_TRUE(run.done()->report.counters.empty());
  EXPECT_EQ(run.done()->report.counters_reason, "");
}

TEST(VisitOf, TheBaselineAloneDoesNotSwitch) {
  const WorkerRun run = run_worker(visit_arguments({"--kind", "baseline-only"}));
  ASSERT_NE(run.done(), nullptr);
  const VisitReport& report = run.done()->report;
  EXPECT_TRUE(report.checksum_ok);
  EXPECT_FALSE(report.spun_ns);
  EXPECT_EQ(report.expected_switches, 0);
  ASSERT_GE(run.blocks().size(), 9u);
  for (const Block& block : run.blocks()) {
    EXPECT_EQ(block.expected_switches, 0);
    EXPECT_EQ(block.task_a.has_value(), block.phase != Phase::baseline_b) << "both take part in what stands for S1";
    EXPECT_EQ(block.task_b.has_value(), block.phase != Phase::baseline_a);
    for (const auto& counts : {block.task_a, block.task_b})
      if (counts && report.policy == Policy::fifo) {
        EXPECT_LE(switches(*counts), 1);
      }
  }
}

TEST(VisitOf, AKnownAdditionIsSpunInEveryTurnAndSwitchesAsEver) {
  for (const std::string tasks : {"process", "thread"}) {
    SCOPED_TRACE(tasks);
    const WorkerRun run =
        run_worker(visit_arguments({"--kind", "known-addition", "--added-ns", "1000", "--tasks", tasks}));
    expect_sound(run);
    if (HasFatalFailure()) return;
    ASSERT_TRUE(run.done()->report.spun_ns);
    EXPECT_GE(*run.done()->report.spun_ns, 995) << "the rate it was timed by is taken over a millisecond";
    for (const Block& block : run.blocks())
      if (block.phase == Phase::switching) {
        EXPECT_GT(block.elapsed_ns, 2.0 * 990 * static_cast<double>(block.trips));
      }
  }
}

TEST(VisitOf, BlockLengthsFollowTheSeed) {
  const auto trips = [](const WorkerRun& run) {
    std::vector<double> ratios; // of each pair to the first: the pilot's estimate drops out but for rounding
    const std::vector<Block> blocks = run.blocks();
    for (std::size_t i = 0; i + 2 < blocks.size() && i < 9; i += 3)
      ratios.push_back(static_cast<double>(blocks[i].trips) / static_cast<double>(blocks[0].trips));
    return ratios;
  };
  const auto first = trips(run_worker(visit_arguments({"--size", "0", "--seed", "5"})));
  const auto again = trips(run_worker(visit_arguments({"--size", "0", "--seed", "5"})));
  ASSERT_EQ(first.size(), 3u);
  ASSERT_EQ(again.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(first[i], again[i], 0.02);
  EXPECT_GT(std::abs(first[1] - 1) + std::abs(first[2] - 1), 0.02);
}

struct Refusal {
  std::vector<std::string> arguments;
  std::string code, mentions;
  int exit_code;
};

TEST(VisitOf, WhatCannotBeIsRefusedWithASentence) {
  const std::vector<Refusal> refusals = {
      {{"--size", "0", "--cpu", "999"}, "cpu", "CPU 999", 3},
      {{"--size", "0", "--cpu", "auto"}, "arguments", "--cpu", 2},
      {{"--size", "10995116277760", "--stride", "64"}, "memory", "10 TiB", 3},
  };
  for (const auto& [arguments, code, mentions, exit_code] : refusals) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const WorkerRun run = run_worker(visit_arguments(arguments));
    ASSERT_NE(run.error(), nullptr);
    EXPECT_EQ(run.error()->code, code) << run.error()->message;
    EXPECT_NE(run.error()->message.find(mentions), std::string::npos) << run.error()->message;
    EXPECT_EQ(run.exit_code, exit_code);
  }
}

TEST(VisitOf, FewOpenFilesAreASentence) {
  const WorkerRun run = run_worker(visit_arguments({"--size", "0"}), {}, [] {
    const rlimit few{8, 8};
    setrlimit(RLIMIT_NOFILE, &few);
  });
  ASSERT_NE(run.error(), nullptr);
  EXPECT_EQ(run.error()->code, "pipe") << run.error()->message;
  EXPECT_EQ(run.exit_code, 3);
}

TEST(VisitOf, TheDeadlineEndsIt) {
  const WorkerRun run =
      run_worker(visit_arguments({"--size", "0", "--duration-ns", "60000000000", "--deadline-ns", "150000000"}));
  ASSERT_NE(run.error(), nullptr);
  EXPECT_EQ(run.error()->code, "timeout") << run.error()->message;
  EXPECT_EQ(run.exit_code, 3);
}

TEST(VisitOf, AVisitLongerThanTheRealTimeLimitPauses) {
  const WorkerRun run = run_worker(visit_arguments({"--size", "0", "--duration-ns", "1200000000"}));
  ASSERT_NE(run.done(), nullptr);
  if (run.done()->report.policy != Policy::fifo) GTEST_SKIP() << run.done()->report.policy_reason;
  const auto& report = run.done()->report;
  // 1.2 s of measuring need one pause of the 145 ms that the default limit leaves of a period.
  EXPECT_GE(report.fifo_ns, 1'200'000'000);
  EXPECT_GE(report.total_ns - report.fifo_ns, 100'000'000);
}

} // namespace
} // namespace switchscope
