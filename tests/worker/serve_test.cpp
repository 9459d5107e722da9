#include "worker_program.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

namespace switchscope {
namespace {

std::string visit_command(std::int64_t id, std::int64_t duration_ns, TaskKind tasks = TaskKind::process) {
  VisitRequest request;
  request.point.tasks = tasks;
  request.point.placement = {Placement::Kind::same_cpu, last_cpu(), last_cpu()};
  request.duration_ns = duration_ns;
  return encode(WorkerCommand{MeasureCommand{id, request}});
}

TEST(Serve, MeasuresOneVisitAfterTheOtherAndEndsWithItsInput) {
  WorkerProgram worker({"serve", "--wait"});
  (void)worker.until<Ready>();
  worker.send(visit_command(7, 20'000'000));
  worker.send(visit_command(8, 20'000'000, TaskKind::thread)); // waits for the first
  worker.send(encode(WorkerCommand{DescribeCommand{9}}));
  EXPECT_EQ(worker.until<BlockLine>().id, 7);
  const Done first = worker.until<Done>();
  EXPECT_EQ(first.id, 7);
  EXPECT_TRUE(first.report.checksum_ok);
  EXPECT_EQ(worker.until<BlockLine>().id, 8);
  EXPECT_EQ(worker.until<Done>().id, 8);
  EXPECT_FALSE(worker.until<Facts>().files.empty());
  worker.close_input();
  EXPECT_EQ(worker.next(), std::nullopt);
  EXPECT_EQ(worker.wait(), 0);
}

TEST(Serve, WithoutADescriptorToWatchItsVisitsItSaysSoAndEnds) {
#ifdef SWITCHSCOPE_SANITIZED
  GTEST_SKIP() << "a sanitizer needs descriptors of its own";
#endif
  const auto four_descriptors = [] { // its three and the socket of the lock
    for (int other = 3; other < 1024; ++other) close(other);
    const rlimit four{4, 4};
    setrlimit(RLIMIT_NOFILE, &four);
  };
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"serve", "--wait"}, visit_arguments({"--size", "0"})}) {
    const WorkerRun run = run_worker(arguments, {}, four_descriptors);
    EXPECT_EQ(run.exit_code, 3);
    ASSERT_NE(run.error(), nullptr);
    EXPECT_EQ(run.error()->code, "pipe");
    EXPECT_NE(run.error()->message.find("end of a visit"), std::string::npos) << run.error()->message;
  }
}

TEST(Serve, SaysHelloFirst) {
  WorkerProgram worker({"serve", "--wait"});
  const auto first = worker.next();
  ASSERT_TRUE(first.has_value());
  EXPECT_TRUE(std::holds_alternative<Hello>(*first));
}

TEST(Serve, AnswersGarbageWithAnErrorAndGoesOn) {
  WorkerProgram worker({"serve", "--wait"});
  (void)worker.until<Ready>();
  for (const std::string& garbage : {std::string("not JSON"), std::string("{}"),
                                     std::string("{\"id\":1,\"verb\":\"dance\"}"), std::string(100'000, 'x')}) {
    worker.send(garbage);
    const WorkerError error = worker.until<WorkerError>();
    EXPECT_EQ(error.code, "arguments");
    EXPECT_FALSE(error.message.empty());
  }
  worker.send(visit_command(3, 10'000'000));
  EXPECT_EQ(worker.until<Done>().id, 3);
}

TEST(Serve, ARefusedVisitIsAnErrorOfItsIdAndTheNextIsMeasured) {
  WorkerProgram worker({"serve", "--wait"});
  (void)worker.until<Ready>();
  VisitRequest impossible;
  impossible.point.placement = {Placement::Kind::same_cpu, 999, 999};
  worker.send(encode(WorkerCommand{MeasureCommand{4, impossible}}));
  const WorkerError error = worker.until<WorkerError>();
  EXPECT_EQ(error.id, 4);
  EXPECT_EQ(error.code, "cpu");
  worker.send(visit_command(5, 10'000'000));
  EXPECT_EQ(worker.until<Done>().id, 5);
}

TEST(Serve, EndOfInputEndsAVisitUnderWayAndLeavesNobody) {
  for (const TaskKind tasks : {TaskKind::process, TaskKind::thread}) {
    WorkerProgram worker({"serve", "--wait"});
    const pid_t group = worker.pid();
    (void)worker.until<Ready>();
    worker.send(visit_command(1, 60'000'000'000, tasks));
    const std::size_t members = tasks == TaskKind::process ? 3 : 2;
    ASSERT_TRUE(becomes_true([&] { return members_of_group(group).size() == members; }));
    worker.close_input();
    EXPECT_EQ(worker.wait(), 0);
    EXPECT_TRUE(becomes_true([&] { return members_of_group(group).empty(); }));
  }
}

TEST(Serve, AReaderThatIsGoneEndsIt) {
  WorkerProgram worker({"serve", "--wait"}, {"sh", "-c", "\"$0\" \"$@\" | head -n 2 >/dev/null"});
  worker.send(visit_command(1, 10'000'000)); // whose lines nobody takes, for head has ended after hello and ready
  EXPECT_EQ(worker.next(), std::nullopt);    // though its input is still open
  EXPECT_EQ(worker.wait(), 0);
}

} // namespace
} // namespace switchscope
