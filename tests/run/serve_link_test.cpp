#include "engine/run/local_link.h"

#include "tests/run/process_counting.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

using namespace switchscope;
using namespace switchscope::testing;
using namespace std::chrono_literals;

namespace {

const std::string scripted_worker = SWITCHSCOPE_BINARY_DIR "/bin/switchscope-scripted-worker";

class ServeLinkTest : public ::testing::Test {
protected:
  // The scripted worker gets its script as a launcher would, so the worker's own path is free for anything.
  ServeOptions scripted(std::vector<std::string> script, std::chrono::milliseconds patience = 30s) {
    ServeOptions options;
    options.launcher = std::move(script);
    options.launcher.insert(options.launcher.begin(), scripted_worker);
    options.worker = "serve";
    options.start_patience = patience;
    return options;
  }

  static VisitRequest request_of(std::int64_t array_bytes = 65536) {
    VisitRequest request;
    request.point.array_bytes = array_bytes;
    request.point.stride_bytes = 128;
    request.point.placement = {Placement::Kind::same_cpu, 1, 1};
    request.duration_ns = 1'000'000;
    return request;
  }

  WorkerProblem problem_at_open(const ServeOptions& options) {
    ServeLink link(launch_thread, options);
    try {
      link.open();
    } catch (const WorkerProblem& problem) {
      return problem;
    }
    ADD_FAILURE() << "it opened";
    return {WorkerProblem::Kind::stopped, ""};
  }

  static void expect_says(const std::string& sentence, const std::vector<std::string>& parts) {
    for (const auto& part : parts) EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
  }

  // One visit that goes wrong, and the next, for which the worker is started again where it has to be.
  void expect_failure_then_good(const std::string& fault, const std::string& code,
                                const std::vector<std::string>& says) {
    SCOPED_TRACE(fault);
    ServeLink link(launch_thread, scripted({"--fault", fault, "--at-size", "65536"}));
    link.open();
    const auto outcome = link.measure(request_of(65536));
    const auto* failure = std::get_if<VisitFailure>(&outcome);
    ASSERT_NE(failure, nullptr);
    EXPECT_EQ(failure->code, code);
    expect_says(failure->message, says);
    EXPECT_TRUE(std::holds_alternative<VisitData>(link.measure(request_of(131072))));
  }

  std::vector<std::string> log_lines() const {
    std::ifstream file(log);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

  void SetUp() override { std::remove(log.c_str()); }
  void TearDown() override {
    std::remove(log.c_str());
    EXPECT_TRUE(children().empty());
  }

  LaunchThread launch_thread;
  const std::string log = ::testing::TempDir() + "switchscope-log-" + std::to_string(::getpid());
};

} // namespace

TEST_F(ServeLinkTest, OpensDescribesMeasuresAndCloses) {
  ServeLink link(launch_thread, scripted({"--log", log}));
  EXPECT_EQ(link.open().version, "0.0.0-scripted");
  EXPECT_EQ(link.describe().files.at("/proc/sys/kernel/hostname"), "scripted");
  for (int i = 0; i < 3; ++i) {
    const auto outcome = link.measure(request_of());
    ASSERT_TRUE(std::holds_alternative<VisitData>(outcome)) << std::get<VisitFailure>(outcome).message;
    EXPECT_EQ(std::get<VisitData>(outcome).blocks.size() % 3, 0u);
  }
  link.close();
  const auto lines = log_lines();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "start"), 1); // one connection
  EXPECT_EQ(lines.size(), 4u);
}

TEST_F(ServeLinkTest, SaysWhatIsWrongWhenItOpens) {
  using Kind = WorkerProblem::Kind;
  struct Case {
    std::string fault;
    Kind kind;
    std::vector<std::string> says;
  };
  const std::vector<Case> cases{
      {"garbage", Kind::broken, {"not understood", "caf"}},
      {"half-line", Kind::broken, {"in the middle of a line", "{\"type\":\"blo"}},
      {"endless-line", Kind::broken, {"more than 8 MiB", "xxx"}},
      {"end", Kind::broken, {"ended while starting", "exit code 0"}},
      {"crash", Kind::broken, {"signal 11", "about to crash"}},
      {"wrong-version", Kind::wrong_version, {"version 2", "version 1"}},
      {"busy", Kind::busy, {"Another measurement", "process 812"}},
      {"refused", Kind::refused, {"may not measure here"}},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.fault);
    const WorkerProblem problem = problem_at_open(scripted({"--start", one.fault}));
    EXPECT_EQ(problem.kind, one.kind) << problem.what();
    expect_says(problem.what(), one.says);
  }
}

TEST_F(ServeLinkTest, SilenceAtTheStartIsBounded) {
  for (const char* fault : {"silent", "not-ready"}) {
    const WorkerProblem problem = problem_at_open(scripted({"--start", fault}, 100ms));
    EXPECT_EQ(problem.kind, WorkerProblem::Kind::broken);
    expect_says(problem.what(), {"did not answer", "password"});
  }
}

TEST_F(ServeLinkTest, SaysWhoHoldsTheMachineAndWaits) {
  ServeOptions options = scripted({"--start", "queued"});
  std::vector<std::string> holders;
  options.on_waiting = [&](const std::string& holder) { holders.push_back(holder); };
  ServeLink link(launch_thread, options);
  link.open();
  ASSERT_EQ(holders.size(), 1u);
  expect_says(holders[0], {"root, process 812"});
}

TEST_F(ServeLinkTest, ARestartWaitsForWhoeverTookTheMachineMeanwhile) {
  const std::string held = log + ".held";
  ServeOptions options = scripted({"--fault", "crash", "--at-size", "65536", "--held", held});
  std::vector<std::string> holders;
  options.on_waiting = [&](const std::string& holder) { holders.push_back(holder); };
  ServeLink link(launch_thread, options);
  link.open();
  std::ofstream(held) << "by another";
  EXPECT_EQ(std::get<VisitFailure>(link.measure(request_of(65536))).code, "crashed");
  EXPECT_TRUE(std::holds_alternative<VisitData>(link.measure(request_of(131072))));
  EXPECT_EQ(holders.size(), 1u);
  EXPECT_EQ(problem_at_open(options).kind, WorkerProblem::Kind::busy) << "a first start does not wait unasked";
  std::remove(held.c_str());
}

TEST_F(ServeLinkTest, AMissingWorkerIsNamed) {
  ServeOptions options;
  options.worker = "/nowhere/switchscope-worker";
  const WorkerProblem problem = problem_at_open(options);
  EXPECT_EQ(problem.kind, WorkerProblem::Kind::missing);
  expect_says(problem.what(), {"/nowhere/switchscope-worker"});
  options.worker = "switchscope-worker"; // here, not in PATH
  expect_says(problem_at_open(options).what(), {"./switchscope-worker"});
}

TEST_F(ServeLinkTest, AVisitThatFailsIsAValueAndTheNextIsGood) {
  expect_failure_then_good("garbage", "garbage", {"not understood"});
  expect_failure_then_good("half-line", "crashed", {"in the middle of a line"});
  expect_failure_then_good("endless-line", "garbage", {"more than 8 MiB"});
  expect_failure_then_good("end", "crashed", {"before the visit was done", "exit code 0"});
  expect_failure_then_good("crash", "crashed", {"signal 11 (Segmentation fault)", "about to crash"});
  expect_failure_then_good("grandchild", "crashed", {"exit code 0"});
  expect_failure_then_good("error", "memory", {"does not fit into memory"});
  expect_failure_then_good("connection-error", "broken", {"lost its machine"});
  expect_failure_then_good("missing-pair", "incomplete", {"complete pairs"});
  expect_failure_then_good("done-only", "incomplete", {"complete pairs"});
  expect_failure_then_good("wrong-id", "garbage", {"instead of"});
}

TEST_F(ServeLinkTest, AHangingVisitIsEndedByTheWatchdog) {
  expect_failure_then_good("hang", "timeout", {"did not finish the visit within 2."});
}

TEST_F(ServeLinkTest, OneThatIgnoresTheRequestIsKilled) {
  expect_failure_then_good("hang-deaf", "timeout", {"was ended"});
}

TEST_F(ServeLinkTest, AFloodOfErrorsHarmsNothing) {
  ServeLink link(launch_thread, scripted({"--fault", "flood-errors"}));
  link.open();
  EXPECT_TRUE(std::holds_alternative<VisitData>(link.measure(request_of())));
}

TEST_F(ServeLinkTest, DescribingCanFail) {
  ServeLink link(launch_thread, scripted({"--describe-fault", "crash"}));
  link.open();
  EXPECT_THROW(link.describe(), WorkerProblem);
}

TEST_F(ServeLinkTest, AWorkerErrorKeepsTheConnection) {
  ServeLink link(launch_thread, scripted({"--fault", "error", "--at", "1,2", "--log", log}));
  link.open();
  for (const bool good : {false, false, true})
    EXPECT_EQ(std::holds_alternative<VisitData>(link.measure(request_of())), good);
  const auto lines = log_lines();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "start"), 1);
}

TEST_F(ServeLinkTest, AStopEndsTheVisitUnderWay) {
  ServeLink link(launch_thread, scripted({"--fault", "slow-lines"}));
  link.open();
  const std::jthread other([&] { link.stop_now(); });
  VisitRequest request = request_of();
  request.duration_ns = 60'000'000'000; // hours of lines
  const auto outcome = link.measure(request);
  EXPECT_EQ(std::get<VisitFailure>(outcome).code, "stopped");
  EXPECT_EQ(std::get<VisitFailure>(link.measure(request)).code, "stopped"); // it stays stopped
}

TEST_F(ServeLinkTest, AStopEndsTheWaitingForTheMachine) {
  ServeOptions options = scripted({"--start", "not-ready"});
  ServeLink link(launch_thread, options);
  const std::jthread other([&] { link.stop_now(); });
  try {
    link.open();
    FAIL();
  } catch (const WorkerProblem& problem) {
    EXPECT_EQ(problem.kind, WorkerProblem::Kind::stopped);
  }
}
