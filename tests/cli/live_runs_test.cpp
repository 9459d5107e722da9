// Whether a run is being measured now: its process tells, not what it once stored.
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

struct Live : Scripted {
  Command command{with_places({"run", "--size", "64KiB..512KiB:2", "--policy", "other", "--budget", "600s", "--events",
                               "--progress", "none"}),
                  playing("--real-time")};

  [[nodiscard]] std::string state() const {
    const auto runs = nlohmann::json::parse(cli({"list", "--json"}).out, nullptr, false);
    return runs.is_array() && runs.size() == 1 ? runs.at(0).at("state").get<std::string>() : "not one run";
  }
  [[nodiscard]] std::string heading() const {
    const std::string table = cli({"show", "last"}).out;
    return table.substr(0, table.find('\n'));
  }
  void set_writer(const std::string& sql) const {
    SQLite::Database(database, SQLite::OPEN_READWRITE).exec("UPDATE run SET writer = " + sql);
  }
};

constexpr const char* to_go_on = "switchscope-cli resume ";

} // namespace

TEST(LiveRun, isRunningWhileItsProcessLivesAndIncompleteOnceItWasKilled) {
  Live live;
  ASSERT_TRUE(live.command.out_says("visit-ended"));
  EXPECT_EQ(live.state(), "running");
  EXPECT_TRUE(holds(live.heading(), " · running · ")) << live.heading();
  EXPECT_FALSE(holds(live.cli({"list"}).err + live.cli({"show", "last"}).err, to_go_on));
  const Ended deleted = live.cli({"delete", "last"});
  EXPECT_EQ(deleted.exit_code, 2);
  EXPECT_TRUE(holds(deleted.err, "is being measured now. Stop it")) << deleted.err;
  live.command.send(SIGKILL);
  ASSERT_EQ(live.command.wait().signal, SIGKILL);
  EXPECT_EQ(live.state(), "incomplete");
  EXPECT_TRUE(holds(live.heading(), " · incomplete · ")) << live.heading();
  for (const auto& looked : {live.cli({"list"}), live.cli({"show", "last"})}) {
    EXPECT_EQ(looked.exit_code, 0);
    EXPECT_TRUE(holds(looked.err, to_go_on)) << looked.err;
    EXPECT_TRUE(holds(looked.err, " --db " + live.database)) << looked.err;
  }
  EXPECT_EQ(live.cli({"verify"}).exit_code, 0);
}

TEST(LiveRun, aProcessThatGotTheNumberOfTheDeadOneIsNotTakenForIt) {
  Live live;
  ASSERT_TRUE(live.command.out_says("visit-ended"));
  // The last word is when the process began.
  live.set_writer("substr(writer, 1, length(writer) - 1) || ((substr(writer, -1) + 1) % 10)");
  EXPECT_EQ(live.state(), "incomplete");
}

TEST(LiveRun, ofAnotherMachineHasNotEnded) {
  Live live;
  ASSERT_TRUE(live.command.out_says("visit-ended"));
  live.set_writer("'another-machine another-boot pid:[1] 1 1'");
  EXPECT_EQ(live.state(), "not-ended");
  EXPECT_TRUE(holds(live.heading(), " · not ended · ")) << live.heading();
  EXPECT_TRUE(holds(live.cli({"list"}).out, "  not ended ")) << live.cli({"list"}).out;
  live.set_writer("''");
  EXPECT_EQ(live.state(), "not-ended");
}

TEST(LiveRun, afterARestartOfTheMachineIsIncomplete) {
  Live live;
  ASSERT_TRUE(live.command.out_says("visit-ended"));
  if (SQLite::Database(live.database).execAndGet("SELECT substr(writer, 1, 2) FROM run").getString() == "- ")
    GTEST_SKIP() << "this machine has no /etc/machine-id";
  live.set_writer("substr(writer, 1, instr(writer, ' ')) || 'earlier-boot pid:[4026531836] 1 1'");
  EXPECT_EQ(live.state(), "incomplete");
}

TEST(LiveRun, thatHasEndedKeepsItsStateAndNoWriter) {
  Live live;
  ASSERT_TRUE(live.command.out_says("visit-ended"));
  live.command.send(SIGINT);
  ASSERT_EQ(live.command.wait().exit_code, 4);
  EXPECT_EQ(live.state(), "cancelled");
  EXPECT_EQ(SQLite::Database(live.database).execAndGet("SELECT writer FROM run").getString(), "");
}

} // namespace switchscope
