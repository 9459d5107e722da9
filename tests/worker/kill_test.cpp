// Killing any of the processes at any moment leaves nobody behind, least of all a task with a real-time policy.
#include "worker_program.h"

#include <gtest/gtest.h>

#include <csignal>

namespace switchscope {
namespace {

std::string long_visit(std::int64_t id) {
  VisitRequest request;
  request.point.placement = {Placement::Kind::same_cpu, last_cpu(), last_cpu()};
  request.point.array_bytes = 65536;
  request.point.stride_bytes = 64;
  request.duration_ns = id == 1 ? 60'000'000'000 : 10'000'000;
  return encode(WorkerCommand{MeasureCommand{id, request}});
}

struct Tasks {
  pid_t a = 0, b = 0;
};

// Starts `serve` on a visit of a minute and finds its two tasks: A is the server's child, B is A's.
Tasks start_visit(WorkerProgram& worker) {
  (void)worker.until<Ready>();
  worker.send(long_visit(1));
  const pid_t server = worker.pid();
  Tasks tasks;
  EXPECT_TRUE(becomes_true([&] {
    for (const ProcessInfo& process : members_of_group(server))
      if (process.parent == server) tasks.a = process.pid;
    for (const ProcessInfo& process : members_of_group(server))
      if (tasks.a != 0 && process.parent == tasks.a) tasks.b = process.pid;
    return tasks.b != 0;
  }));
  return tasks;
}

TEST(Kill, TheServersEndEndsBothTasks) {
  WorkerProgram worker({"serve", "--wait"});
  const pid_t group = worker.pid();
  (void)start_visit(worker);
  kill(group, SIGKILL);
  EXPECT_EQ(worker.wait(), -SIGKILL);
  EXPECT_TRUE(becomes_true([&] { return members_of_group(group).empty(); }));
}

TEST(Kill, ATasksEndIsAnErrorAndTheServerGoesOn) {
  for (const bool kill_a : {true, false}) {
    SCOPED_TRACE(kill_a ? "task A" : "task B");
    WorkerProgram worker({"serve", "--wait"});
    const Tasks tasks = start_visit(worker);
    kill(kill_a ? tasks.a : tasks.b, SIGKILL);
    const WorkerError error = worker.until<WorkerError>();
    EXPECT_EQ(error.id, 1);
    EXPECT_EQ(error.code, "crashed");
    EXPECT_NE(error.message.find("signal 9"), std::string::npos) << error.message;
    EXPECT_TRUE(becomes_true([&] { return members_of_group(worker.pid()).size() == 1; }));
    worker.send(long_visit(2));
    EXPECT_EQ(worker.until<Done>().id, 2);
  }
}

TEST(Kill, AtAnyMomentOfTheStartLeavesNobody) {
  for (int round = 0; round < 20; ++round) {
    WorkerProgram worker({"serve", "--wait"});
    const pid_t group = worker.pid();
    (void)worker.until<Ready>();
    worker.send(long_visit(1));
    // A little later each time: from before the first fork into the middle of the blocks.
    for (int look = 0; look < round; ++look) (void)members_of_group(group);
    kill(group, SIGKILL);
    EXPECT_EQ(worker.wait(), -SIGKILL);
    EXPECT_TRUE(becomes_true([&] { return members_of_group(group).empty(); })) << "round " << round;
  }
}

// Its input stays open here: only the worker's own parent-death signal can end it.
TEST(Kill, TheEndOfWhoStartedItEndsTheServer) {
  WorkerProgram parent({"serve", "--wait"}, {"sh", "-c", R"(exec 3<&0; "$@" <&3 3<&- & wait)", "sh"});
  const pid_t group = parent.pid();
  (void)parent.until<Ready>();
  EXPECT_EQ(members_of_group(group).size(), 2u);
  kill(group, SIGKILL);
  EXPECT_EQ(parent.wait(), -SIGKILL);
  EXPECT_TRUE(becomes_true([&] { return members_of_group(group).empty(); }));
}

TEST(Kill, TerminationEndsItToo) {
  WorkerProgram worker({"serve", "--wait"});
  const pid_t group = worker.pid();
  (void)start_visit(worker);
  kill(group, SIGTERM);
  EXPECT_EQ(worker.wait(), -SIGTERM);
  EXPECT_TRUE(becomes_true([&] { return members_of_group(group).empty(); }));
}

} // namespace
} // namespace switchscope
