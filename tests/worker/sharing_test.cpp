// The probe of shared cores on this machine. Whether the CPUs share one is not judged, only that it is told in time.
#include "worker_program.h"

#include <gtest/gtest.h>

#include <chrono>

namespace switchscope {
namespace {

std::string other_cpus(int than) {
  std::string list;
  for (const int cpu : allowed_cpus())
    if (cpu != than) list += (list.empty() ? "" : ",") + std::to_string(cpu);
  return list;
}

TEST(Shares, TellsWithinItsTimeAndLeavesNobody) {
  const std::string others = other_cpus(last_cpu());
  if (others.empty()) GTEST_SKIP() << "there is one CPU only";
  WorkerProgram worker({"serve", "--wait"});
  (void)worker.until<Ready>();
  SharesRequest request;
  request.cpu = last_cpu();
  request.candidates = allowed_cpus();
  std::erase(request.candidates, last_cpu());
  const auto begin = std::chrono::steady_clock::now();
  worker.send(encode(WorkerCommand{SharesCommand{5, request}}));
  const auto line = worker.until<SharingLine>();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(took.count(), 2.5);
  EXPECT_EQ(line.id, 5);
  EXPECT_EQ(line.cpu, last_cpu());
  ASSERT_FALSE(line.others.empty());
  EXPECT_EQ(line.others.front().cpu, request.candidates.front());
  EXPECT_EQ(line.others.front().quiet.size(), line.others.front().busy.size());
  for (const double adds : line.others.front().quiet) EXPECT_GT(adds, 0.5);
  EXPECT_TRUE(becomes_true([&] { return members_of_group(worker.pid()).size() == 1; })); // the worker itself
}

TEST(Shares, EndOfInputEndsItAndLeavesNobody) {
  if (allowed_cpus().size() < 2) GTEST_SKIP() << "there is one CPU only";
  WorkerProgram worker({"serve", "--wait"});
  const pid_t group = worker.pid();
  (void)worker.until<Ready>();
  SharesRequest request;
  request.cpu = last_cpu();
  request.candidates = {allowed_cpus().front()};
  request.duration_ns = 10'000'000'000;
  worker.send(encode(WorkerCommand{SharesCommand{1, request}}));
  ASSERT_TRUE(becomes_true([&] { return members_of_group(group).size() == 3; })); // worker, probe, the other CPU's task
  worker.close_input();
  EXPECT_EQ(worker.wait(), 0);
  EXPECT_TRUE(becomes_true([&] { return members_of_group(group).empty(); }));
}

TEST(Shares, ByHand) {
  const std::string others = other_cpus(last_cpu());
  if (others.empty()) GTEST_SKIP() << "there is one CPU only";
  const WorkerRun run = run_worker(
      {"shares", "--wait", "--cpu", std::to_string(last_cpu()), "--candidates", others, "--duration-ns", "300000000"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(std::holds_alternative<SharingLine>(run.events.back()));
  const WorkerRun nowhere = run_worker({"shares", "--wait", "--cpu", "999", "--candidates", others});
  EXPECT_EQ(nowhere.exit_code, 3);
  ASSERT_NE(nowhere.error(), nullptr);
  EXPECT_EQ(nowhere.error()->code, "cpu");
}

} // namespace
} // namespace switchscope
