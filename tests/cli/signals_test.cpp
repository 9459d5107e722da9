// Ctrl-C once, twice, and before anything is measured; resuming afterwards.
#include "tests/cli/scripted.h"

#include <SQLiteCpp/Database.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>

namespace switchscope {

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::vector<std::string> long_run{"run",  "--size",   "64KiB..512KiB:2", "--policy", "other",  "--budget",
                                        "600s", "--events", "--progress",      "none",     "--seed", "7"};

nlohmann::json shown(const Scripted& scripted) {
  return nlohmann::json::parse(scripted.cli({"show", "last", "--json"}).out, nullptr, false);
}

int estimated(const nlohmann::json& document) {
  int count = 0;
  for (const auto& point : document.at("points"))
    if (point.at("state") != "failed") ++count;
  return count;
}

} // namespace

class EitherSignal : public testing::TestWithParam<int> {};

TEST_P(EitherSignal, endsTheRunAfterTheVisitUnderWayWithTheResumeLine) {
  const Scripted scripted;
  Command command(scripted.with_places(long_run), Scripted::playing("--real-time"));
  ASSERT_TRUE(command.out_says("visit-ended"));
  command.send(GetParam());
  const Ended ended = command.wait();
  EXPECT_EQ(ended.exit_code, 4) << ended.err;
  EXPECT_TRUE(holds(ended.err, "Stopping after the visit under way; Ctrl-C again to stop at once.")) << ended.err;
  EXPECT_TRUE(holds(ended.err, "switchscope-cli resume " + shown(scripted).at("run").at("id").get<std::string>() +
                                   " --db " + scripted.database))
      << ended.err;
  EXPECT_TRUE(holds(ended.out.substr(ended.out.rfind("\n", ended.out.size() - 2) + 1), "run-ended"));
  EXPECT_GE(estimated(shown(scripted)), 1);
  EXPECT_EQ(scripted.cli({"verify"}).exit_code, 0);
}

TEST_P(EitherSignal, theSecondCutsAVisitThatHangsAndTheFirstSaysHowLongItWaits) {
  const Scripted scripted;
  // So large that the watchdog would wait longer than this test does.
  Command command(scripted.with_places({"run", "--size", "512MiB", "--policy", "other", "--budget", "600s", "--events",
                                        "--progress", "none"}),
                  Scripted::playing("--fault hang --at-size 536870912"));
  ASSERT_TRUE(command.out_says("\"point_index\":1"));
  command.send(GetParam());
  ASSERT_TRUE(command.err_says("Stopping after the visit under way (it may take "));
  ASSERT_TRUE(command.err_says("); Ctrl-C again to stop at once."));
  command.send(GetParam());
  const Ended ended = command.wait();
  EXPECT_EQ(ended.exit_code, 4) << ended.err;
  const auto document = shown(scripted);
  EXPECT_EQ(document.at("run").at("state"), "cancelled");
  EXPECT_EQ(document.at("points").at(1).at("visits"), 0) << "the visit was cut";
  EXPECT_EQ(scripted.cli({"verify"}).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Stop, EitherSignal, testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST(StopSignal, whileTheResultIsPrintedLosesNothing) {
  const Scripted scripted;
  auto arguments = scripted.with_places(long_run);
  Command command(arguments, Scripted::playing("--real-time"));
  ASSERT_TRUE(command.out_says("visit-ended"));
  command.send(SIGINT);
  ASSERT_TRUE(command.out_says("run-ended"));
  for (int i = 0; i < 20; ++i) command.send(SIGINT);
  const Ended ended = command.wait();
  EXPECT_EQ(ended.exit_code, 4) << ended.err;
  EXPECT_TRUE(holds(ended.err, "To go on: switchscope-cli resume ")) << ended.err;
}

TEST(Start, saysWhenTheFirstPassOutlastsTheBudget) {
  const Scripted scripted;
  Command command(scripted.with_places({"run", "--size", "64KiB..512KiB:8", "--policy", "other", "--budget", "100ms",
                                        "--progress", "plain"}),
                  Scripted::playing(""));
  const Ended ended = command.wait();
  EXPECT_TRUE(holds(ended.err, "(the first pass is always finished; the budget of 0.1 s is less)")) << ended.err;
  EXPECT_FALSE(holds(scripted.cli({"run", "--size", "0", "--policy", "other", "--budget", "200ms"}).err, "first pass"));
}

TEST(Resume, finishesTheFirstPassOfAStoppedRun) {
  const Scripted scripted;
  auto arguments = scripted.with_places(long_run);
  Command command(arguments, Scripted::playing("--fault hang --at 3"));
  ASSERT_TRUE(command.out_says("\"sequence\":2"));
  command.send(SIGINT);
  ASSERT_TRUE(command.err_says("Ctrl-C again"));
  command.send(SIGINT);
  ASSERT_EQ(command.wait().exit_code, 4);

  Command resumed(scripted.with_places({"resume", "last", "--events", "--progress", "none"}),
                  Scripted::playing("--real-time"));
  ASSERT_TRUE(resumed.out_says("pass-ended"));
  resumed.send(SIGINT);
  const Ended ended = resumed.wait();
  EXPECT_EQ(ended.exit_code, 0) << "every point has an estimate: " << ended.err;
  EXPECT_TRUE(holds(ended.err, "To go on: switchscope-cli resume")) << "budget is left: " << ended.err;
  EXPECT_EQ(estimated(shown(scripted)), 8);
}

TEST(Resume, afterAKillTheTimesAreThoseOfAllStretches) {
  const Scripted scripted;
  const auto time = [&](const char* sql) {
    return SQLite::Database(scripted.database, SQLite::OPEN_READWRITE).execAndGet(sql).getDouble();
  };
  Command command(scripted.with_places(long_run), Scripted::playing("--real-time"));
  ASSERT_TRUE(command.out_says("pass-ended"));
  command.send(SIGKILL);
  EXPECT_EQ(command.wait().signal, SIGKILL);
  const double measured_s = time("SELECT measuring_s FROM run");
  EXPECT_GT(measured_s, 0);
  EXPECT_GE(time("SELECT elapsed_s FROM run"), measured_s);

  Command resumed(scripted.with_places({"resume", "last", "--events", "--progress", "none"}),
                  Scripted::playing("--real-time"));
  ASSERT_TRUE(resumed.out_says("visit-ended"));
  resumed.send(SIGINT);
  const Ended ended = resumed.wait();
  EXPECT_GT(time("SELECT measuring_s FROM run"), measured_s);
  EXPECT_GE(time("SELECT elapsed_s - measuring_s FROM run"), 0);
  const auto last_line = ended.out.substr(ended.out.rfind('\n', ended.out.size() - 2) + 1);
  const auto told = nlohmann::json::parse(last_line);
  EXPECT_EQ(told.at("elapsed_s"), time("SELECT elapsed_s FROM run"));
  EXPECT_EQ(told.at("measuring_s"), time("SELECT measuring_s FROM run"));
}

TEST(Resume, aCompletedRunSaysSoAndEndsWell) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run()).exit_code, 0);
  const Ended ended = scripted.cli({"resume", "last"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(holds(ended.err, "is complete")) << ended.err;
}

TEST(Resume, anotherMachineIsRefusedUnlessAnyway) {
  const Scripted scripted;
  Command command(scripted.with_places(long_run), Scripted::playing("--real-time"));
  ASSERT_TRUE(command.out_says("visit-ended"));
  command.send(SIGINT);
  ASSERT_EQ(command.wait().exit_code, 4);

  const std::vector<std::string> elsewhere{
      "resume",    "last",
      "--db",      scripted.database,
      "--worker",  program("switchscope-worker"),
      "--sysroot", std::string(SWITCHSCOPE_SOURCE_DIR) + "/tests/data/sysroots/wsl2"};
  const Ended ended = cli(elsewhere);
  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  EXPECT_TRUE(holds(ended.err, "--anyway")) << ended.err;

  const auto in_database = [&](const char* sql) {
    return SQLite::Database(scripted.database, SQLite::OPEN_READWRITE).execAndGet(sql).getString();
  };
  EXPECT_EQ(in_database("SELECT count(*) FROM resumption"), "0");
  const std::string facts = scripted.folder.file(
      "facts", R"({"type":"facts","hwloc_xml":"<topology/>","files":{"/proc/sys/kernel/hostname":"far-away",)"
               R"("/sys/devices/system/cpu/online":"0-1","/sys/devices/system/cpu/present":"0-1"},)"
               R"("calls":{"recorded":"far"}})"
               "\n");
  Command mixed(scripted.with_places({"resume", "last", "--anyway", "--events", "--progress", "none"}),
                Scripted::playing("--real-time --facts " + facts));
  ASSERT_TRUE(mixed.out_says("visit-ended"));
  mixed.send(SIGINT);
  (void)mixed.wait();
  EXPECT_EQ(in_database("SELECT (environment ->> 'host_name') || (environment ->> 'topology_xml') FROM resumption"),
            "far-away<topology/>");
  EXPECT_EQ(in_database("SELECT environment_before ->> 'host_name' FROM run_document"), "scripted");

  const std::string difference = "CPU model Scripted CPU then, unknown now";
  EXPECT_TRUE(
      holds(scripted.cli({"show", "last"}).out, "\nResumed once, on another machine: " + difference + "; kernel"));
  const auto told = shown(scripted).at("run").at("resumptions");
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.at(0).at("differences").at(0), difference);
}

} // namespace switchscope
