#include "engine/run/perf_pipe.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

using Argv = std::vector<std::string>;

TEST(PerfPipe, IsPinnedAndScheduledAsWeAre) {
  EXPECT_EQ(perf_pipe_argv({}, 1, Policy::fifo, 50), (Argv{"env", "LC_ALL=C", "taskset", "-c", "1", "chrt", "-f", "50",
                                                           "perf", "bench", "sched", "pipe", "-l", "10000"}));
  EXPECT_EQ(
      perf_pipe_argv({"ssh", "host"}, 3, Policy::other, 0),
      (Argv{"ssh", "host", "env", "LC_ALL=C", "taskset", "-c", "3", "perf", "bench", "sched", "pipe", "-l", "10000"}));
}

TEST(PerfPipe, HalfAnOperationIsASwitch) {
  EXPECT_EQ(perf_ns_per_switch(
                {"# Running 'sched/pipe' benchmark:", "# Executed 10000 pipe operations between two processes", "",
                 "     Total time: 0.049 [sec]", "", "       4.930000 usecs/op", "         202839 ops/sec"}),
            2465.0);
  EXPECT_FALSE(perf_ns_per_switch({"     Total time: 0.049 [sec]"}));
  EXPECT_FALSE(perf_ns_per_switch({"       -nan usecs/op"}));
  EXPECT_FALSE(perf_ns_per_switch({}));
}

TEST(PerfPipe, ThatDoesNotRunGivesASentence) {
  LaunchThread launch_thread;
  const auto why = [&](const Argv& launcher) {
    const auto answer = run_perf_pipe(launch_thread, launcher, 0, Policy::other, 0);
    return std::holds_alternative<std::string>(answer) ? std::get<std::string>(answer) : "a figure";
  };
  const std::string absent = "perf is not installed, so there is no comparison with perf bench sched pipe.";
  EXPECT_NE(why({"/no/such/program"}).find("/no/such/program"), std::string::npos) << why({"/no/such/program"});
  EXPECT_EQ(why({"sh", "-c", "exit 127"}), absent);
  const auto after = [&](const std::string& error) {
    return why({"sh", "-c", "echo \"" + error + "\" >&2; exit 127"});
  };
  EXPECT_EQ(after("taskset: failed to execute perf: No such file or directory"), absent);
  EXPECT_EQ(
      after("env: 'taskset': No such file or directory"),
      "taskset is not installed, so perf bench sched pipe cannot be run as the tasks here are, and is not compared "
      "with.");
  EXPECT_EQ(after("taskset: failed to execute chrt: No such file or directory").substr(0, 22),
            "chrt is not installed,");
  EXPECT_EQ(after("sh: 1: env: not found"),
            "perf bench sched pipe could not run, so it is not compared with: sh: 1: env: not found.");
  EXPECT_EQ(why({"sh", "-c", "echo 'chrt: not permitted' >&2; exit 1"}),
            "perf bench sched pipe could not run, so it is not compared with: chrt: not permitted.");
  EXPECT_EQ(why({"sh", "-c", "echo '  5.0 usecs/op'; exit 1"}),
            "perf bench sched pipe could not run, so it is not compared with: ended with exit code 1.");
}

} // namespace
} // namespace switchscope
