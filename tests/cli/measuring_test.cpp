// The real program with the real worker on this machine. No figure is judged here, only that there are figures.
#include "tests/cli/command.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sys/wait.h>

namespace switchscope {

namespace {

using nlohmann::json;

struct Real {
  TestFolder folder;
  std::string database = (folder / "runs.db").string();
  // Queueing, so that a measurement someone else has going on does not fail the test.
  [[nodiscard]] std::vector<std::string> with_places(std::vector<std::string> arguments) const {
    const bool measures = arguments.front() == "run" || arguments.front() == "resume";
    arguments.insert(arguments.end(), {"--db", database, "--progress", "none"});
    if (measures) arguments.push_back("--wait");
    return arguments;
  }
  [[nodiscard]] Ended cli(const std::vector<std::string>& arguments) const {
    return Command(with_places(arguments)).wait();
  }
};

json parsed(const std::string& text) {
  return json::parse(text, nullptr, false);
}
bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void expect_valid(const Real& real, const std::string& text) {
  const std::string document = real.folder.file("run.json", text);
  const std::string source = SWITCHSCOPE_SOURCE_DIR;
  const int status = std::system(("/usr/bin/python3 '" + source + "/tests/export/validate.py' '" + source +
                                  "/docs/result.schema.json' '" + document + "'")
                                     .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

} // namespace

TEST(Measuring, theDirectCostInASecond) {
  const Real real;
  const Ended ended = real.cli({"run", "--size", "0", "--budget", "1s", "--json"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const json document = parsed(ended.out);
  EXPECT_GT(document.at("direct_ns").at("estimate").get<double>(), 0);
  EXPECT_FALSE(document.at("run").at("environment").at("cpu_model").get<std::string>().empty());
  const auto& switches = document.at("points").at(0).at("switches");
  EXPECT_GT(switches.at("expected").get<std::int64_t>(), 1000);
}

TEST(Measuring, doctorExaminesThisMachineAndChangesNothing) {
  const Real real;
  const auto settings = [] {
    std::string text;
    for (const char* path : {"/proc/sys/kernel/sched_rt_runtime_us", "/proc/sys/kernel/randomize_va_space",
                             "/proc/sys/kernel/perf_event_paranoid", "/sys/devices/system/cpu/online",
                             "/sys/devices/system/cpu/smt/control", "/sys/kernel/mm/transparent_hugepage/enabled"})
      text += text_of_file(path);
    return text;
  };
  const std::string before = settings();
  const Ended ended = real.cli({"doctor", "--json", "--wait"});
  EXPECT_EQ(settings(), before);
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const json document = parsed(ended.out);
  EXPECT_TRUE(document.at("measurable").get<bool>());
  const int cpu = document.at("cpus").at(0).get<int>();
  for (const auto& sharing : document.at("core_sharing")) EXPECT_EQ(sharing.at("cpu"), cpu);
  EXPECT_GE(document.at("findings").size(), 22u);
}

TEST(Measuring, aSmallSweepIsAValidDocumentAndRoundTrips) {
  const Real real;
  const Ended ended = real.cli({"run", "--size", "16KiB..64KiB", "--access", "read,rmw", "--pattern", "strided,random",
                                "--kernel", "scalar", "--budget", "3s", "--name", "sweep", "--json"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(parsed(ended.out).at("points").size(), 13u); // C1, and 3 sizes x 2 accesses x 2 patterns
  EXPECT_EQ(ended.out, real.cli({"show", "sweep", "--json"}).out);
  const Ended plotted = real.cli({"show", "sweep", "--plot"});
  EXPECT_EQ(plotted.exit_code, 0) << plotted.err;
  EXPECT_TRUE(holds(plotted.out, "64 KiB"));
  const Ended blocks = real.cli({"export", "sweep", "--format", "blocks-csv", "-o", (real.folder / "b.csv").string()});
  EXPECT_EQ(blocks.exit_code, 0) << blocks.err;
  EXPECT_GT(std::filesystem::file_size(real.folder / "b.csv"), 10'000u);
  EXPECT_EQ(cli({"verify", real.database}).exit_code, 0);

  if (!std::filesystem::exists("/usr/lib/python3/dist-packages/jsonschema"))
    GTEST_SKIP() << "python3-jsonschema is not installed, so the document is not validated";
  expect_valid(real, ended.out);
}

TEST(Measuring, thePapersMethodIsThreeRoundsOfEachPoint) {
  const Real real;
  const Ended ended = real.cli({"run", "--method", "paper", "--size", "64KiB", "--json"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const json document = parsed(ended.out);
  EXPECT_EQ(document.at("run").at("method"), "paper");
  EXPECT_EQ(document.at("run").at("interval").at("method"), "range over rounds");
  EXPECT_EQ(document.at("points").size(), 2u);
  for (const auto& point : document.at("points")) {
    EXPECT_EQ(point.at("state"), "paper");
    EXPECT_EQ(point.at("method"), "paper");
    EXPECT_EQ(point.at("visits"), 3);
    EXPECT_EQ(point.at("blocks"), 6);
    EXPECT_EQ(point.at("switches").at("expected"), 3 * 2 * 10'001);
    EXPECT_GT(point.at("switching_per_switch_ns").get<double>(), 0);
  }
  EXPECT_EQ(document.at("others").size(), 7u); // perf; lat_ctx twice, once without a point; time1 and time2 twice
  EXPECT_EQ(ended.out, real.cli({"show", "last", "--json"}).out);
  EXPECT_EQ(cli({"verify", real.database}).exit_code, 0);
  EXPECT_EQ(real.cli({"resume", "last"}).exit_code, 0) << "nothing is left to measure";
  const Ended csv = real.cli({"export", "last", "--format", "blocks-csv", "-o", "-"});
  EXPECT_TRUE(holds(csv.out, ",scalar,paper,"));
  if (std::filesystem::exists("/usr/lib/python3/dist-packages/jsonschema")) expect_valid(real, ended.out);
}

TEST(Measuring, bothMethodsStandSideBySide) {
  const Real real;
  const Ended ended = real.cli({"run", "--method", "paired,paper", "--size", "16KiB", "--budget", "1s", "--json"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const json document = parsed(ended.out);
  EXPECT_EQ(document.at("run").at("method"), "paired,paper");
  EXPECT_EQ(document.at("direct").size(), 2u);
  EXPECT_EQ(document.at("run").at("precision_reached").at("of"), 2);
  for (const auto& point : document.at("points")) {
    const bool is_paper = point.at("method") == "paper";
    EXPECT_EQ(point.at("state") == "paper", is_paper) << point;
    if (is_paper) {
      EXPECT_EQ(point.at("visits"), 3);
    }
  }
  const Ended table = real.cli({"show", "last"});
  EXPECT_TRUE(holds(table.out, "the paper's method"));
  EXPECT_TRUE(holds(table.out, "Other tools here would print"));
  if (std::filesystem::exists("/usr/lib/python3/dist-packages/jsonschema")) expect_valid(real, ended.out);
}

TEST(Measuring, threadsAndTwoCpusAndFreePlacementAreMeasured) {
  const Real real;
  const Ended ended = real.cli(
      {"run", "--size", "0", "--cpu", "auto,0:1,free", "--tasks", "process,thread", "--budget", "1s", "--json"});
  if (ended.exit_code == 2 && holds(ended.err, "CPU")) GTEST_SKIP() << "this machine has not both CPUs 0 and 1";
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(parsed(ended.out).at("direct").size(), 6u);
}

TEST(Measuring, oneAtATimeAndQueueingEndsOnCtrlC) {
  const Real first;
  const Real second;
  Command holder(first.with_places({"run", "--size", "0", "--budget", "600s", "--events"}));
  ASSERT_TRUE(holder.out_says("visit-ended"));

  const Ended refused = switchscope::cli({"run", "--size", "0", "--budget", "1s", "--db", second.database});
  EXPECT_EQ(refused.exit_code, 3) << refused.err;
  EXPECT_NE(refused.err, "");
  EXPECT_EQ(cli({"describe"}).exit_code, 0) << "looking at the machine needs no lock";

  Command queued(second.with_places({"run", "--size", "0", "--budget", "1s"}));
  ASSERT_TRUE(queued.err_says("Waiting: another measurement"));
  queued.send(SIGINT);
  const Ended stopped = queued.wait();
  EXPECT_EQ(stopped.exit_code, 4) << stopped.err;
  EXPECT_EQ(second.cli({"list", "--json"}).out, "[]\n");

  Command next(second.with_places({"run", "--size", "0", "--budget", "500ms"}));
  ASSERT_TRUE(next.err_says("Waiting: another measurement"));
  holder.send(SIGINT);
  EXPECT_EQ(holder.wait().exit_code, 0) << "its one point has an estimate";
  EXPECT_EQ(next.wait().exit_code, 0) << "it measures once the machine is free";
}

TEST(Measuring, stopAndResume) {
  const Real real;
  Command command(real.with_places({"run", "--size", "16KiB..256KiB:4", "--budget", "4s", "--events"}));
  ASSERT_TRUE(command.out_says("visit-ended"));
  command.send(SIGINT);
  const Ended stopped = command.wait();
  EXPECT_EQ(stopped.exit_code, 4) << stopped.err;
  EXPECT_TRUE(holds(stopped.err, "switchscope-cli resume ")) << stopped.err;

  const Ended resumed = real.cli({"resume", "last", "--json"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  const json document = parsed(resumed.out);
  EXPECT_EQ(document.at("run").at("state"), "completed");
  for (const auto& point : document.at("points")) EXPECT_NE(point.at("state"), "failed") << point;
  EXPECT_EQ(cli({"verify", real.database}).exit_code, 0);
}

TEST(Measuring, aCpuOutsideTheAffinityIs3WithWhatToDo) {
  const Real real;
  Command::Surroundings around;
  around.through = {"taskset", "-c", "0"};
  const Ended ended = Command(real.with_places({"run", "--size", "0", "--cpu", "1", "--budget", "1s"}), around).wait();
  if (holds(ended.err, "CPU 1 does not exist")) GTEST_SKIP() << "this machine has one CPU";
  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  EXPECT_TRUE(holds(ended.err, "CPU 1 is outside the set this program may use: choose from CPU 0, or widen its cpuset "
                               "or affinity."))
      << ended.err;
  EXPECT_EQ(real.cli({"list", "--json"}).out, "[]\n");
}

TEST(Measuring, aCpuThatIsOfflineIs3WithWhatToDo) {
  const Real real;
  const std::filesystem::path recorded = std::string(SWITCHSCOPE_SOURCE_DIR) + "/tests/data/sysroots/two-cpu-guest";
  std::filesystem::copy(recorded, real.folder / "root", std::filesystem::copy_options::recursive);
  const auto online = real.folder / "root" / "sys/devices/system/cpu/online";
  ASSERT_TRUE(std::filesystem::exists(online));
  (void)real.folder.file("root/sys/devices/system/cpu/online", "0\n");
  const Ended ended = real.cli({"run", "--size", "0", "--cpu", "1", "--sysroot", (real.folder / "root").string()});
  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  EXPECT_TRUE(holds(ended.err, "CPU 1 is offline (online: CPU 0); to switch it on, write 1 to "
                               "/sys/devices/system/cpu/cpu1/online."))
      << ended.err;
}

TEST(Measuring, theSecondSignalCutsAVisitOfALargeArray) {
  const Real real;
  Command command(real.with_places(
      {"run", "--size", "256MiB", "--stride", "8B", "--kernel", "scalar", "--budget", "60s", "--events"}));
  ASSERT_TRUE(command.out_says("\"point_index\":1"));
  command.send(SIGINT);
  ASSERT_TRUE(command.err_says("Stopping after the visit under way (it may take "));
  command.send(SIGINT);
  const Ended ended = command.wait();
  EXPECT_EQ(ended.exit_code, 4) << ended.err;
  const json document = parsed(real.cli({"show", "last", "--json"}).out);
  EXPECT_EQ(document.at("run").at("state"), "cancelled");
  EXPECT_EQ(document.at("points").at(1).at("visits"), 0) << "the visit was waited for";
  EXPECT_EQ(cli({"verify", real.database}).exit_code, 0);
}

} // namespace switchscope
