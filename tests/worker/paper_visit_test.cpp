// Real rounds by the paper's method through the real program.
#include "worker_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sys/resource.h>

namespace switchscope {
namespace {

std::vector<std::string> round_arguments(std::vector<std::string> more) {
  more.insert(more.end(), {"--method", "paper"});
  return visit_arguments(more);
}

void expect_a_round(const WorkerRun& run) {
  ASSERT_NE(run.done(), nullptr) << (run.error() != nullptr ? run.error()->message : "no last line");
  EXPECT_EQ(run.exit_code, 0);
  const std::vector<Block> blocks = run.blocks();
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].phase, Phase::baseline_a);
  EXPECT_EQ(blocks[1].phase, Phase::switching);
  for (const Block& block : blocks) {
    EXPECT_EQ(block.pair, 0);
    EXPECT_EQ(block.trips, 10'000);
    EXPECT_GT(block.elapsed_ns, 0);
  }
  EXPECT_EQ(blocks[1].expected_switches, 10'001);
  EXPECT_EQ(blocks[0].task_b, std::nullopt);
  ASSERT_TRUE(blocks[0].task_a && blocks[1].task_a && blocks[1].task_b);
  const VisitReport& report = run.done()->report;
  EXPECT_EQ(report.kernel_code, "paper");
  EXPECT_TRUE(report.checksum_ok);
  EXPECT_EQ(report.expected_switches, 10'001);
  if (report.policy == Policy::other) {
    EXPECT_NE(report.policy_reason, "");
    return;
  }
  EXPECT_GT(report.fifo_ns, 0);
  EXPECT_EQ(blocks[0].task_a->voluntary_switches, 0) << "S2 never waits";
  for (const auto& counts : {blocks[1].task_a, blocks[1].task_b}) {
    EXPECT_GE(counts->voluntary_switches, 9'900);
    EXPECT_LE(counts->voluntary_switches, 10'101);
  }
}

TEST(PaperRound, IsCountedAndCheckedForEveryAccess) {
  expect_a_round(run_worker(round_arguments({"--size", "0"})));
  for (const std::string access : {"read", "write", "rmw"}) {
    SCOPED_TRACE(access);
    expect_a_round(run_worker(round_arguments({"--size", "16384", "--stride", "64", "--access", access})));
  }
}

TEST(PaperRound, HasTheHighestPriorityAllowedAndSaysWhereItFallsBack) {
  const WorkerRun run = run_worker(round_arguments({"--size", "0", "--max-priority", "7"}));
  ASSERT_NE(run.done(), nullptr);
  if (run.done()->report.policy != Policy::fifo) GTEST_SKIP() << run.done()->report.policy_reason;
  rlimit limit{};
  getrlimit(RLIMIT_RTPRIO, &limit);
  EXPECT_TRUE(run.done()->report.priority == 99 || run.done()->report.priority == static_cast<int>(limit.rlim_cur));
  const WorkerRun other = run_worker(round_arguments({"--size", "0", "--policy", "other"}));
  ASSERT_NE(other.done(), nullptr);
  EXPECT_EQ(other.done()->report.policy, Policy::other);
  EXPECT_EQ(other.done()->report.fifo_ns, 0);
}

// S2 of 1 MiB takes more CPU time without blocking than the second that a paired task may, and is not ended for it.
TEST(PaperRound, MayRunForSecondsWithoutBlocking) {
  const WorkerRun run = run_worker(round_arguments({"--size", "1310720", "--stride", "8"}));
  expect_a_round(run);
  if (HasFatalFailure()) return;
  EXPECT_GT(run.blocks()[0].elapsed_ns, 1e9);
}

TEST(PaperRound, ItsDeadlineEndsItAndLeavesNothingBehind) {
  const WorkerRun run =
      run_worker(round_arguments({"--size", "1048576", "--stride", "8", "--deadline-ns", "150000000"}));
  ASSERT_NE(run.error(), nullptr);
  EXPECT_EQ(run.error()->code, "timeout") << run.error()->message;
  EXPECT_EQ(run.exit_code, 3);
}

// One process at a time below the visit measures S2; the two of S1 are others.
TEST(PaperRound, SingleAndSwitchingAreDifferentProcesses) {
  WorkerProgram worker(round_arguments({"--size", "131072", "--stride", "8"}));
  std::set<pid_t> singles, pairs;
  const auto children_of = [&](pid_t parent) {
    std::vector<pid_t> children;
    for (const ProcessInfo& process : members_of_group(worker.pid()))
      if (process.parent == parent) children.push_back(process.pid);
    return children;
  };
  ASSERT_TRUE(becomes_true([&] {
    for (const pid_t visit : children_of(worker.pid()))
      for (const pid_t measuring : children_of(visit)) {
        const auto partners = children_of(measuring);
        if (partners.empty()) {
          if (pairs.empty()) singles.insert(measuring);
        } else {
          pairs.insert(measuring);
          pairs.insert(partners.begin(), partners.end());
        }
      }
    return pairs.size() == 2;
  })) << "two tasks measure S1";
  // The first of the two may have been seen before it had started the other.
  ASSERT_GE(singles.size(), 1u);
  EXPECT_FALSE(std::includes(pairs.begin(), pairs.end(), singles.begin(), singles.end()))
      << "S2 had a process of its own";
  EXPECT_EQ(worker.until<Done>().report.kernel_code, "paper");
}

} // namespace
} // namespace switchscope
