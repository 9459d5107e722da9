#include "engine/run/worker_process.h"

#include "engine/run/worker_link.h"
#include "tests/run/process_counting.h"

#include <gtest/gtest.h>

#include <fcntl.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

using namespace switchscope;
using namespace switchscope::testing;
using namespace std::chrono_literals;
using What = Received::What;

namespace {

const std::string scripted_worker = SWITCHSCOPE_BINARY_DIR "/bin/switchscope-scripted-worker";

class WorkerProcessTest : public ::testing::Test {
protected:
  static std::vector<std::string> scripted(std::vector<std::string> options) {
    options.insert(options.begin(), scripted_worker);
    options.emplace_back("serve");
    return options;
  }
  static WorkerProcess::Clock::time_point soon() { return WorkerProcess::Clock::now() + 30s; }

  WorkerProblem problem_with(const std::vector<std::string>& argv) {
    try {
      const WorkerProcess process(launch_thread, argv, wake);
    } catch (const WorkerProblem& problem) {
      return problem;
    }
    ADD_FAILURE() << "it started";
    return {WorkerProblem::Kind::stopped, ""};
  }

  // A killed process takes a moment to go.
  static void expect_gone(pid_t group) {
    const auto until = soon();
    while (!running_in_group(group).empty() && WorkerProcess::Clock::now() < until) std::this_thread::yield();
    EXPECT_TRUE(running_in_group(group).empty());
  }

  // What the libraries open once for good must not count as a leak.
  void warm_up() { WorkerProcess(launch_thread, shell("exit 0"), wake).close(10s); }

  // A shell command as the worker, for what the scripted worker does not play.
  static std::vector<std::string> shell(const std::string& command) { return {"/bin/sh", "-c", command}; }

  static std::string temporary_file(const std::string& name, const std::string& content, std::filesystem::perms mode) {
    const std::string path = ::testing::TempDir() + "switchscope-" + std::to_string(::getpid()) + "-" + name;
    std::ofstream(path) << content;
    std::filesystem::permissions(path, mode);
    return path;
  }

  LaunchThread launch_thread;
  WakeUp wake;
};

} // namespace

TEST_F(WorkerProcessTest, ReadsLinesAndTheEnd) {
  WorkerProcess process(launch_thread, shell("printf 'one\\n\\nthree\\n'"), wake);
  EXPECT_EQ(process.next_line(soon()).text, "one");
  EXPECT_EQ(process.next_line(soon()).text, "");
  EXPECT_EQ(process.next_line(soon()).text, "three");
  EXPECT_EQ(process.next_line(soon()).what, What::end);
  EXPECT_EQ(text_of(process.close(10s)), "ended with exit code 0"); // its output ends a moment before it does
}

TEST_F(WorkerProcessTest, TellsAHalfLineFromAWholeOne) {
  WorkerProcess process(launch_thread, shell("printf 'one\\nhal'"), wake);
  EXPECT_EQ(process.next_line(soon()).what, What::line);
  const Received half = process.next_line(soon());
  EXPECT_EQ(half.what, What::half_line);
  EXPECT_EQ(half.text, "hal");
  EXPECT_EQ(process.next_line(soon()).what, What::end);
}

TEST_F(WorkerProcessTest, WritesLines) {
  WorkerProcess process(launch_thread, shell("read a; echo got $a"), wake);
  EXPECT_EQ(process.send_line("this", soon()), WorkerProcess::Sent::all);
  EXPECT_EQ(process.next_line(soon()).text, "got this");
}

TEST_F(WorkerProcessTest, WritingToADeadProcessIsAValueAndNoSignal) {
  WorkerProcess process(launch_thread, shell("exec 0<&-; echo closed; read never </dev/tty"), wake);
  EXPECT_EQ(process.next_line(soon()).text, "closed");
  EXPECT_EQ(process.send_line("this", soon()), WorkerProcess::Sent::closed);
}

TEST_F(WorkerProcessTest, AProcessThatReadsNothingBlocksAWriteOnlyUntilTheDeadline) {
  WorkerProcess process(launch_thread, shell("echo up; kill -STOP $$"), wake);
  EXPECT_EQ(process.next_line(soon()).text, "up");
  EXPECT_EQ(process.send_line(std::string(1u << 20, 'x'), WorkerProcess::Clock::now() + 50ms),
            WorkerProcess::Sent::timed_out);
  EXPECT_EQ(process.end().signal, SIGTERM); // a stopped process is woken to end
}

TEST_F(WorkerProcessTest, RefusesALineWithoutEndAtTheLimit) {
  WorkerProcess process(launch_thread, scripted({"--start", "endless-line"}), wake, 4096);
  const Received received = process.next_line(soon());
  EXPECT_EQ(received.what, What::too_long);
  EXPECT_EQ(received.text, std::string(256, 'x'));
  EXPECT_FALSE(process.end().by_itself); // it had 1 GiB to say, and was not heard out
}

TEST_F(WorkerProcessTest, ALineOfExactlyTheLimitPasses) {
  WorkerProcess process(launch_thread, shell("printf '%0100d\\n%0101d\\n' 0 0"), wake, 100);
  EXPECT_EQ(process.next_line(soon()).text.size(), 100u);
  EXPECT_EQ(process.next_line(soon()).what, What::too_long);
}

TEST_F(WorkerProcessTest, TimesOut) {
  WorkerProcess process(launch_thread, scripted({"--start", "silent"}), wake);
  EXPECT_EQ(process.next_line(WorkerProcess::Clock::now() + 20ms).what, What::timed_out);
  EXPECT_EQ(text_of(process.end()), "was ended");
}

TEST_F(WorkerProcessTest, AWakeUpFromAnotherThreadEndsTheWaiting) {
  WorkerProcess process(launch_thread, scripted({"--start", "silent"}), wake);
  const std::jthread other([this] { wake.raise(); });
  EXPECT_EQ(process.next_line(WorkerProcess::Clock::time_point::max()).what, What::stopped);
  EXPECT_EQ(process.send_line("x", soon()), WorkerProcess::Sent::stopped);
}

TEST_F(WorkerProcessTest, TellsASignalFromAnExitCode) {
  WorkerProcess by_signal(launch_thread, shell("kill -SEGV $$"), wake);
  EXPECT_EQ(by_signal.next_line(soon()).what, What::end);
  EXPECT_EQ(text_of(by_signal.close(10s)), "was killed by signal 11 (Segmentation fault)");
  WorkerProcess by_code(launch_thread, shell("exit 11"), wake);
  EXPECT_EQ(text_of(by_code.close(10s)), "ended with exit code 11");
}

TEST_F(WorkerProcessTest, CloseLetsItFinish) {
  WorkerProcess process(launch_thread, shell("cat >/dev/null; exit 5"), wake);
  const ProcessEnd end = process.close(30s);
  EXPECT_TRUE(end.by_itself);
  EXPECT_EQ(end.exit_code, 5);
}

TEST_F(WorkerProcessTest, KillsWhatIgnoresTheRequest) {
  WorkerProcess process(launch_thread, shell("trap '' TERM; echo deaf; while :; do sleep 1; done"), wake);
  EXPECT_EQ(process.next_line(soon()).text, "deaf");
  const pid_t group = process.pid();
  EXPECT_EQ(process.end().signal, SIGKILL);
  expect_gone(group);
  EXPECT_TRUE(children().empty());
}

TEST_F(WorkerProcessTest, AGrandchildInTheGroupCannotHoldTheOutputOpen) {
  WorkerProcess process(launch_thread, scripted({"--start", "grandchild"}), wake);
  const pid_t group = process.pid();
  EXPECT_EQ(process.next_line(soon()).what, What::end);
  expect_gone(group); // already, not only when it is ended
}

TEST_F(WorkerProcessTest, AGrandchildOutsideTheGroupHoldsItForABoundedTime) {
  WorkerProcess process(launch_thread, shell("setsid sh -c 'echo $$; exec sleep 1000' & read go"), wake);
  const Received pid = process.next_line(soon());
  ASSERT_EQ(pid.what, What::line);
  EXPECT_EQ(process.send_line("go", soon()), WorkerProcess::Sent::all);
  EXPECT_EQ(process.next_line(soon()).what, What::end);
  EXPECT_EQ(text_of(process.end()), "ended with exit code 0");
  ::kill(std::stoi(pid.text), SIGKILL);
}

TEST_F(WorkerProcessTest, KeepsTheLastOfTheErrors) {
  WorkerProcess process(launch_thread, shell("head -c 1000000 /dev/zero | tr '\\0' e >&2; printf last >&2; echo done"),
                        wake);
  EXPECT_EQ(process.next_line(soon()).text, "done"); // it could write all of it
  process.close(10s);
  EXPECT_LE(process.last_errors().size(), 4096u);
  EXPECT_TRUE(process.last_errors().ends_with("eeelast"));
}

TEST_F(WorkerProcessTest, GivesTheProcessOnlyItsThreeDescriptors) {
  const int leaking = ::open("/etc/hostname", O_RDONLY); // without O_CLOEXEC, between others that have it
  const int more = ::open("/etc/hostname", O_RDONLY | O_CLOEXEC);
  WorkerProcess process(launch_thread, shell("ls /proc/self/fd | wc -l"), wake);
  EXPECT_EQ(std::stoi(process.next_line(soon()).text), 4); // 0, 1, 2 and the one that ls reads the folder with
  ::close(leaking);
  ::close(more);
}

TEST_F(WorkerProcessTest, StartsItInASessionOfItsOwn) {
  WorkerProcess process(launch_thread, shell("exec cut -d' ' -f1,5,6 /proc/self/stat"), wake);
  const std::string own = std::to_string(process.pid());
  EXPECT_EQ(process.next_line(soon()).text, own + " " + own + " " + own); // itself, its group, its session
}

TEST_F(WorkerProcessTest, StartsItWithDefaultSignals) {
  ::signal(SIGPIPE, SIG_IGN);
  WorkerProcess process(launch_thread, shell("exec grep -E 'SigBlk|SigIgn' /proc/self/status"), wake);
  const auto next_mask = [&] {
    const std::string line = process.next_line(soon()).text;
    return std::stoull(line.substr(line.find('\t')), nullptr, 16);
  };
  EXPECT_EQ(next_mask(), 0u); // although the launch thread blocks every signal
  EXPECT_EQ(next_mask() & (1u << (SIGPIPE - 1)), 0u);
  ::signal(SIGPIPE, SIG_DFL);
}

// The program of the next test: starts a worker, says which, and is killed.
TEST_F(WorkerProcessTest, DISABLED_StartsAWorkerAndWaitsToBeKilled) {
  WorkerProcess process(launch_thread, shell("exec sleep 1000"), wake);
  std::cout << "worker " << process.pid() << std::endl;
  static_cast<void>(process.next_line(WorkerProcess::Clock::time_point::max()));
}

TEST_F(WorkerProcessTest, DiesWithTheProgramThatStartedIt) {
  WorkerProcess program(
      launch_thread,
      {"/proc/self/exe", "--gtest_also_run_disabled_tests", "--gtest_filter=*DISABLED_StartsAWorkerAndWaitsToBeKilled"},
      wake);
  pid_t worker = 0;
  while (worker == 0) {
    const Received line = program.next_line(soon());
    ASSERT_EQ(line.what, What::line);
    if (line.text.starts_with("worker ")) worker = std::stoi(line.text.substr(7));
  }
  ::kill(program.pid(), SIGKILL);
  expect_gone(worker);
}

TEST_F(WorkerProcessTest, SaysWhatIsWrongWithAProgram) {
  using Kind = WorkerProblem::Kind;
  struct Case {
    std::string path;
    Kind kind;
    std::string says;
  };
  const auto all = std::filesystem::perms::owner_all;
  const auto no_x = std::filesystem::perms::owner_read;
  const std::vector<Case> cases{
      {"", Kind::missing, "No program was named"},
      {"/nowhere/worker", Kind::missing, "is not there"},
      {"switchscope-no-such-worker", Kind::missing, "in no folder of PATH"},
      {::testing::TempDir(), Kind::not_executable, "is not a file that can be executed"},
      {temporary_file("plain", "text", no_x), Kind::not_executable, "may not be executed"},
      {temporary_file("format", "neither a script nor a binary", all), Kind::not_executable,
       "of a kind this machine can run"},
      {temporary_file("interpreter", "#!/nowhere/sh\n", all), Kind::not_executable, "interpreter or loader"},
  };
  warm_up();
  for (const auto& one : cases) {
    const std::size_t descriptors = open_descriptors();
    const WorkerProblem problem = problem_with({one.path, "serve"});
    EXPECT_EQ(problem.kind, one.kind) << problem.what();
    EXPECT_NE(std::string(problem.what()).find(one.says), std::string::npos) << problem.what();
    EXPECT_TRUE(children().empty()) << one.path;
    EXPECT_EQ(open_descriptors(), descriptors) << one.path;
  }
  for (const auto& one : cases)
    if (one.path.find("switchscope-" + std::to_string(::getpid())) != std::string::npos)
      std::filesystem::remove(one.path);
}

TEST_F(WorkerProcessTest, FindsAProgramInPath) {
  WorkerProcess process(launch_thread, {"echo", "found"}, wake);
  EXPECT_EQ(process.next_line(soon()).text, "found");
}

TEST_F(WorkerProcessTest, TwoHundredLaunchesLeaveNothingBehind) {
  warm_up();
  const std::size_t descriptors = open_descriptors();
  for (int i = 0; i < 200; ++i) {
    WorkerProcess process(launch_thread, i % 2 == 0 ? shell("echo up; exec sleep 1000") : shell("echo up"), wake);
    ASSERT_EQ(process.next_line(soon()).text, "up");
  }
  EXPECT_EQ(open_descriptors(), descriptors);
  EXPECT_TRUE(children().empty());
}
