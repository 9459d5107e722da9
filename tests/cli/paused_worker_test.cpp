// A machine that sleeps inside a visit, or a guest whose host stops it: the tasks stand still while the clock goes on.
#include "tests/cli/command.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>

namespace switchscope {
namespace {

std::optional<pid_t> child_of(pid_t parent) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string pid, name, state;
    pid_t its_parent = 0;
    if (file >> pid >> name >> state >> its_parent && its_parent == parent) return std::stoi(pid);
  }
  return std::nullopt;
}

// Nothing can be waited for here: that time passes is what is played.
void let_pass(std::chrono::milliseconds duration) {
  const auto end = std::chrono::steady_clock::now() + duration;
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST(PausedWorker, APauseInsideAVisitIsAStallAndNoCost) {
  const TestFolder folder;
  const std::string database = (folder / "runs.db").string();
  Command command(
      {"run", "--size", "0", "--budget", "2s", "--events", "--wait", "--db", database, "--progress", "none"});
  ASSERT_TRUE(command.out_says("visit-ended"));
  const auto worker = child_of(command.pid());
  ASSERT_TRUE(worker);
  for (int i = 0; i < 5; ++i) { // one or the other falls between two visits
    let_pass(std::chrono::milliseconds(37));
    ASSERT_EQ(kill(-*worker, SIGSTOP), 0);
    let_pass(std::chrono::milliseconds(150));
    ASSERT_EQ(kill(-*worker, SIGCONT), 0);
  }
  const Ended ended = command.wait();
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const auto document = nlohmann::json::parse(cli({"show", "last", "--json", "--db", database}).out);
  const auto& point = document.at("points").at(0);
  // A pause of 150 ms within a block of a thousand trips would read as some 70,000 ns a switch.
  EXPECT_LT(point.at("total_ns").at("estimate").get<double>(), 30'000);
  EXPECT_GE(document.at("conditions").at("stalled_pairs").get<int>(), 1) << document.at("conditions").dump(1);
}

} // namespace
} // namespace switchscope
