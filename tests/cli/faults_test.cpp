// What goes wrong around a run: the database, the worker, the reader of the output. A sentence, the exit code that
// scripts rely on, and nothing lost.
#include "engine/store/store.h"
#include "tests/cli/scripted.h"

#include <SQLiteCpp/Database.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <sys/mount.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace switchscope {

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

nlohmann::json last_run(const Scripted& scripted) {
  const auto runs = nlohmann::json::parse(scripted.cli({"list", "--json"}).out, nullptr, false);
  return runs.is_array() && !runs.empty() ? runs.at(0) : nlohmann::json();
}

void make_database(const std::string& path, const std::string& statement) {
  SQLite::Database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(statement);
}

} // namespace

TEST(DatabaseFault, everyOneIs5WithASentence) {
  const TestFolder folder;
  make_database((folder / "foreign.db").string(), "PRAGMA application_id = 42; CREATE TABLE t (x)");
  make_database((folder / "newer.db").string(), "PRAGMA application_id = " + std::to_string(application_id) +
                                                    "; PRAGMA user_version = 9999; CREATE TABLE t (x)");
  const std::string text = folder.file("text.db", std::string(2000, 'x'));
  const std::vector<std::pair<std::string, std::string>> databases{
      {text, "text.db"},
      {(folder / "foreign.db").string(), "is the database of another application (application id 0x0000002a)"},
      {(folder / "newer.db").string(),
       "has schema version 9999, made by a newer Switchscope; this one knows versions up to 1."},
      {(folder / "").string(), ""},
      {"/proc/no/such/folder/runs.db", "/proc/no/such/folder"},
  };
  for (const auto& [database, says] : databases) {
    for (const auto& command : {std::vector<std::string>{"run", "--size", "0", "--budget", "50ms", "--worker",
                                                         program("switchscope-scripted-worker")},
                                {"list"},
                                {"show", "last"},
                                {"verify", database},
                                {"delete", "last"}}) {
      auto arguments = command;
      arguments.insert(arguments.end(), {"--db", database});
      const Ended ended = cli(arguments);
      EXPECT_EQ(ended.exit_code, 5) << command.front() << ' ' << database << ": " << ended.err;
      EXPECT_TRUE(holds(ended.err, says)) << command.front() << ": " << ended.err;
      EXPECT_EQ(ended.out, "");
    }
  }
  EXPECT_EQ(text_of_file(text), std::string(2000, 'x')) << "a file that is not ours was changed";
}

TEST(DatabaseFault, aFileNamedWithDbMustBeThere) {
  const TestFolder folder;
  for (const auto* verb : {"list", "verify"})
    EXPECT_EQ(cli({verb, "--db", (folder / "typo.db").string()}).exit_code, 5);
  for (const auto* verb : {"show", "delete", "restore", "resume"})
    EXPECT_EQ(cli({verb, "last", "--db", (folder / "typo.db").string()}).exit_code, 5) << verb;
  EXPECT_FALSE(std::filesystem::exists(folder / "typo.db"));
}

TEST(DatabaseFault, importOfWhatIsNoDatabaseIs5) {
  const Scripted scripted;
  const Ended ended = scripted.cli({"import", scripted.folder.file("notes.txt", "not a database")});
  EXPECT_EQ(ended.exit_code, 5) << ended.err;
  EXPECT_TRUE(holds(ended.err, "notes.txt")) << ended.err;
}

TEST(DatabaseFault, aDiskThatFillsUpEndsTheRunAndKeepsWhatWasStored) {
  const TestFolder folder;
  std::filesystem::create_directory(folder / "small");
  if (::mount("tmpfs", (folder / "small").c_str(), "tmpfs", 0, "size=512k") != 0)
    GTEST_SKIP() << "a small tmpfs cannot be mounted here";
  const std::string database = (folder / "small" / "runs.db").string();
  const Ended ended = cli({"run", "--size", "0", "--policy", "other", "--budget", "60s", "--progress", "none", "--db",
                           database, "--worker", program("switchscope-scripted-worker")});
  const Ended verified = cli({"verify", database});
  ::umount2((folder / "small").c_str(), MNT_DETACH);
  EXPECT_EQ(ended.exit_code, 5) << ended.err;
  EXPECT_TRUE(holds(ended.err, "The disk that holds " + database +
                                   " is full (while storing a visit). Everything stored "
                                   "before is safe. Free some space, then try again."))
      << ended.err;
  EXPECT_TRUE(holds(ended.err, "To go on: switchscope-cli resume ")) << ended.err;
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
}

TEST(DatabaseFault, onAReadOnlyMediumRunsAreShownAndNothingIsWritten) {
  const TestFolder folder;
  std::filesystem::create_directory(folder / "medium");
  if (::mount("tmpfs", (folder / "medium").c_str(), "tmpfs", 0, "size=8m") != 0)
    GTEST_SKIP() << "a tmpfs cannot be mounted here";
  const std::string database = (folder / "medium" / "runs.db").string();
  const std::string worker = program("switchscope-scripted-worker");
  const std::vector<std::string> run{"run",    "--size",  "0",    "--policy", "other",    "--budget", "50ms",
                                     "--name", "the one", "--db", database,   "--worker", worker};
  const int measured = cli(run).exit_code;
  const int remounted = ::mount("tmpfs", (folder / "medium").c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr);
  const Ended shown = cli({"show", "the one", "--db", database});
  const Ended listed = cli({"list", "--db", database});
  const Ended deleted = cli({"delete", "the one", "--db", database});
  const Ended again = cli(run);
  ::umount2((folder / "medium").c_str(), MNT_DETACH);
  ASSERT_EQ(measured, 0);
  ASSERT_EQ(remounted, 0);
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_TRUE(holds(listed.out, "the one")) << listed.err;
  EXPECT_EQ(deleted.exit_code, 5) << deleted.err;
  EXPECT_EQ(again.exit_code, 5) << again.err;
}

TEST(DatabaseFault, oneThatAnotherProgramHoldsIs5) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run()).exit_code, 0);
  SQLite::Database holder(scripted.database, SQLite::OPEN_READWRITE);
  holder.exec("BEGIN EXCLUSIVE");
  const Ended ended = scripted.cli(Scripted::short_run());
  EXPECT_EQ(ended.exit_code, 5) << ended.err;
  EXPECT_TRUE(holds(ended.err, scripted.database)) << ended.err;
}

TEST(WorkerFault, oneThatCannotBeginIs3WithASentence) {
  const Scripted scripted;
  const std::string no_program = scripted.folder.file("worker", "not executable");
  const auto run_with = [&](const std::string& worker) {
    return cli({"run", "--size", "0", "--budget", "50ms", "--db", scripted.database, "--worker", worker});
  };
  EXPECT_EQ(run_with("/no/such/worker").exit_code, 3);
  EXPECT_TRUE(holds(run_with("/no/such/worker").err, "/no/such/worker"));
  EXPECT_EQ(run_with(no_program).exit_code, 3);
  EXPECT_TRUE(holds(run_with(no_program).err, "execut"));
  EXPECT_EQ(run_with("/bin/true").exit_code, 3);
  const std::vector<std::pair<std::string, std::string>> starts{{"garbage", "not understood"},
                                                                {"half-line", "middle of a line"},
                                                                {"endless-line", "without a line's end"},
                                                                {"end", "ended"},
                                                                {"crash", "signal"},
                                                                {"wrong-version", "version"},
                                                                {"busy", "Another measurement"},
                                                                {"refused", "may not measure"}};
  for (const auto& [fault, says] : starts) {
    const Ended ended = scripted.cli({"run", "--size", "0", "--budget", "50ms"}, "--start " + fault);
    EXPECT_EQ(ended.exit_code, 3) << fault << ": " << ended.err;
    EXPECT_TRUE(holds(ended.err, says)) << fault << ": " << ended.err;
    EXPECT_EQ(ended.out, "") << fault;
  }
  EXPECT_TRUE(last_run(scripted).is_null()) << "a run was stored that never began";
}

TEST(WorkerFault, whileItWaitsItSaysForWhom) {
  const Scripted scripted;
  const Ended ended = scripted.cli(Scripted::short_run({"--wait"}), "--start queued");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(holds(ended.err, "Waiting: another measurement holds the machine (root, process 812")) << ended.err;
}

TEST(WorkerFault, aVisitThatFailsOnceIsTriedAgain) {
  for (const std::string fault : {"garbage", "half-line", "end", "crash", "error", "missing-pair", "wrong-id"}) {
    const Scripted scripted;
    const Ended ended = scripted.cli(Scripted::short_run(), "--fault " + fault + " --at 2");
    EXPECT_EQ(ended.exit_code, 0) << fault << ": " << ended.err;
    const auto run = last_run(scripted);
    EXPECT_EQ(run.is_null() ? "" : run.value("state", ""), "completed") << fault;
  }
}

TEST(WorkerFault, aPointThatAlwaysFailsIs4WithItsReasonAndTheOthersAreMeasured) {
  const Scripted scripted;
  const Ended ended = scripted.cli(Scripted::short_run({"--json"}), "--fault error --at-size 65536");
  EXPECT_EQ(ended.exit_code, 4) << ended.err;
  EXPECT_TRUE(holds(ended.err, "1 of 3 points have no estimate")) << ended.err;
  EXPECT_TRUE(holds(ended.err, "switchscope-cli resume")) << ended.err;
  EXPECT_TRUE(holds(ended.out, "\"failed\"")) << ended.out;
}

TEST(WorkerFault, aMachineThatCannotHoldTheArrayIs3BeforeItIsAllocated) {
  const Scripted scripted;
  const Ended ended = scripted.cli({"run", "--size", "10240GiB", "--budget", "50ms"});
  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  EXPECT_TRUE(holds(ended.err, "memory")) << ended.err;
}

TEST(WorkerFault, aCpuThatIsNotThereIs2) {
  const Scripted scripted;
  for (const std::string cpu : {"99", "0:99"}) {
    const Ended ended = scripted.cli({"run", "--size", "0", "--budget", "50ms", "--cpu", cpu});
    EXPECT_EQ(ended.exit_code, 2) << ended.err;
    EXPECT_TRUE(holds(ended.err, "99")) << ended.err;
  }
  EXPECT_TRUE(last_run(scripted).is_null());
}

TEST(Launcher, theWorkerIsStartedThroughIt) {
  const Scripted scripted;
  const std::string log = (scripted.folder / "log").string();
  const std::string launcher = program("switchscope-scripted-worker") + " --log '" + log + "' --exec-after 1 --";
  const Ended ended = scripted.cli(Scripted::short_run({"--worker-launcher", launcher}));
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(text_of_file(log), "launch\n") << "one connection for a run";
}

TEST(Launcher, aFarMachineIsTheOneStoredAndOneConnectionServesItsRun) {
  const Scripted scripted;
  const std::string log = (scripted.folder / "log").string();
  const std::string facts = scripted.folder.file(
      "facts", R"({"type":"facts","hwloc_xml":"","files":{"/proc/sys/kernel/hostname":"far-away",)"
               R"("/proc/cpuinfo":"processor\t: 0\nmodel name\t: Far CPU","/proc/sys/kernel/osrelease":"5.10.0-far",)"
               R"("/proc/meminfo":"MemTotal: 8388608 kB\nMemAvailable: 6291456 kB",)"
               R"("/sys/devices/system/cpu/online":"0-6","/sys/devices/system/cpu/present":"0-6"},)"
               R"("calls":{"recorded":"far","hardware-counters":"no: Permission denied"}})"
               "\n");
  std::string sizes = "16KiB";
  for (int i = 2; i <= 42; ++i) sizes += "," + std::to_string(16 * i) + "KiB";
  const std::string launcher = program("switchscope-scripted-worker") + " --log '" + log + "' --exec-after 300 --";
  const auto began = std::chrono::steady_clock::now();
  Command command(scripted.with_places({"run", "--size", sizes, "--policy", "other", "--budget", "50ms", "--events",
                                        "--progress", "none", "--worker-launcher", launcher}),
                  Scripted::playing("--facts " + facts + " --log " + log));
  ASSERT_TRUE(command.out_says(R"("event":"pass-ended","pass":0)"));
  const auto took = std::chrono::steady_clock::now() - began;
  const Ended ended = command.wait();
  ASSERT_EQ(ended.exit_code, 0) << ended.err;

  const auto shown = nlohmann::json::parse(scripted.cli({"show", "last", "--json"}).out);
  EXPECT_EQ(shown.at("points").size(), 43U);
  const auto& environment = shown.at("run").at("environment");
  EXPECT_EQ(environment.at("host_name"), "far-away");
  EXPECT_EQ(environment.at("cpu_model"), "Far CPU");
  EXPECT_EQ(environment.at("kernel_release"), "5.10.0-far");
  EXPECT_EQ(environment.at("cpus").size(), 7U);
  EXPECT_FALSE(environment.contains("topology_xml"));
  EXPECT_TRUE(holds(scripted.cli({"show", "last"}).out, "No hardware counters here (Permission denied)"));

  std::istringstream lines(text_of_file(log));
  std::map<std::string, int> counts;
  for (std::string line; std::getline(lines, line);) ++counts[line];
  EXPECT_EQ(counts["launch"], 1);
  EXPECT_EQ(counts["start"], 1);

  double load = 0; // a promise to the user, which other programs can spoil
  if (took >= std::chrono::seconds(6) && ::getloadavg(&load, 1) == 1 && load > std::thread::hardware_concurrency() + 1)
    GTEST_SKIP() << "The machine is too busy to tell: load " << load << ".";
  EXPECT_LT(took, std::chrono::seconds(6));
}

TEST(Output, aFullStandardOutputIsSaid) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run()).exit_code, 0);
  Command::Surroundings around;
  around.stdout_to = "/dev/full";
  const Ended ended = Command(scripted.with_places({"show", "last", "--json"}), around).wait();
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_TRUE(holds(ended.err, "The standard output cannot be written: No space left")) << ended.err;
}

TEST(Output, aReaderThatGoesAwayEndsTheRunQuietlyAndItIsStored) {
  const Scripted scripted;
  Command command(scripted.with_places({"run", "--size", "0", "--budget", "600s", "--policy", "other", "--events",
                                        "--progress", "none"}),
                  Scripted::playing("--real-time"));
  ASSERT_TRUE(command.out_says("visit-ended"));
  command.close_out();
  const Ended ended = command.wait();
  EXPECT_EQ(ended.exit_code, 0) << "its one point has an estimate; signal " << ended.signal << ": " << ended.err;
  EXPECT_GE(last_run(scripted).value("visits", 0), 1);
  EXPECT_EQ(scripted.cli({"verify"}).exit_code, 0);
}

TEST(Output, aReaderThatGoesAwayFromTheTableIsNoFault) {
  const Scripted scripted;
  Command command(scripted.with_places(Scripted::short_run()), Scripted::playing(""));
  command.close_out();
  const Ended ended = command.wait();
  EXPECT_EQ(ended.exit_code, 0) << ended.signal << ended.err;
  EXPECT_EQ(last_run(scripted).value("state", ""), "completed");
}

} // namespace switchscope
