// One measurement at a time on a machine.
#include "worker_program.h"

#include <gtest/gtest.h>

#include <csignal>

namespace switchscope {
namespace {

const std::vector<std::string> short_visit{"switch-cost", "--size", "0", "--duration-ns", "10000000", "--cpu"};

std::vector<std::string> with_cpu(std::vector<std::string> arguments) {
  arguments.push_back(std::to_string(last_cpu()));
  return arguments;
}

TEST(MachineLock, ASecondMeasurementIsRefusedAndToldByWhom) {
  WorkerProgram holder({"serve", "--wait"});
  (void)holder.until<Ready>();
  for (const std::vector<std::string>& second : {with_cpu(short_visit), std::vector<std::string>{"serve"}}) {
    const WorkerRun run = run_worker(second);
    EXPECT_EQ(run.exit_code, 3);
    ASSERT_NE(run.error(), nullptr);
    EXPECT_EQ(run.error()->code, "busy");
    EXPECT_NE(run.error()->message.find("process " + std::to_string(holder.pid())), std::string::npos)
        << run.error()->message;
  }
}

TEST(MachineLock, AWaiterGoesOnWhenTheHolderEndsInAnyWay) {
  for (const bool orderly : {true, false}) {
    WorkerProgram holder({"serve", "--wait"});
    (void)holder.until<Ready>();
    std::vector<std::string> arguments = with_cpu(short_visit);
    arguments.insert(arguments.begin() + 1, "--wait");
    WorkerProgram waiter(arguments);
    const std::string told = waiter.until<Waiting>().holder;
    EXPECT_NE(told.find("process " + std::to_string(holder.pid())), std::string::npos) << told;
    EXPECT_NE(told.find("since 20"), std::string::npos) << told;
    if (orderly)
      holder.close_input();
    else
      kill(holder.pid(), SIGKILL);
    (void)waiter.until<Done>();
    EXPECT_EQ(waiter.wait(), 0);
  }
}

TEST(MachineLock, TheHolderNamesTheCpusOfItsVisit) {
  WorkerProgram holder({"serve", "--wait"});
  (void)holder.until<Ready>();
  VisitRequest request;
  request.point.placement = {Placement::Kind::same_cpu, last_cpu(), last_cpu()};
  request.duration_ns = 60'000'000'000;
  holder.send(encode(WorkerCommand{MeasureCommand{1, request}}));
  ASSERT_TRUE(becomes_true([&] { return members_of_group(holder.pid()).size() == 3; }));
  const WorkerRun run = run_worker(with_cpu(short_visit)); // answered in the middle of a visit
  ASSERT_NE(run.error(), nullptr);
  EXPECT_NE(run.error()->message.find("CPUs " + std::to_string(last_cpu()) + ","), std::string::npos)
      << run.error()->message;
}

TEST(MachineLock, AWaitingServerEndsWithItsInput) {
  WorkerProgram holder({"serve", "--wait"});
  (void)holder.until<Ready>();
  WorkerProgram waiter({"serve", "--wait"});
  (void)waiter.until<Waiting>();
  waiter.close_input();
  EXPECT_EQ(waiter.next(), std::nullopt);
  EXPECT_EQ(waiter.wait(), 0);
}

} // namespace
} // namespace switchscope
