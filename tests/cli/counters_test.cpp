// Hardware counters from the worker to the table. The scripted worker's cycles are 3.2 for each ns of the true cost.
#include "tests/cli/scripted.h"

#include <SQLiteCpp/Database.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace switchscope {

namespace {

using nlohmann::json;

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int visits_that_count(const std::string& log) {
  std::istringstream lines(text_of_file(log));
  int count = 0;
  for (std::string line; std::getline(lines, line);) count += line.starts_with("visit") && holds(line, " --counters");
  return count;
}

json point_of(const std::string& document, std::int64_t array_bytes) {
  const json parsed = json::parse(document);
  for (const auto& point : parsed.at("points"))
    if (point.at("array_bytes") == array_bytes) return point;
  return {};
}

// Ends once every point has 8 visits, however long that takes: the second pass is always made.
std::vector<std::string> precise_run(const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"run",    "--size", "64KiB,512KiB", "--policy", "other", "--precision", "50%",
                                     "--seed", "7",      "--progress",   "none"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string line_with(const std::string& text, const std::string& part) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (holds(line, part)) return line;
  return {};
}

// As text after a heading, which the table of costs does not have.
std::string counters_in(const std::string& table) {
  const auto start = table.find("\nper switch ");
  return start == std::string::npos ? "" : table.substr(start + 1);
}

} // namespace

TEST(Counters, perSwitchAreInTheDocumentAndInTheTable) {
  const Scripted scripted;
  const std::string log = (scripted.folder / "log").string();
  const Ended ended = scripted.cli(precise_run({"--json"}), "--counters --log " + log);
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(visits_that_count(log), 3) << "one of each point";
  const json small = point_of(ended.out, 64 * 1024).at("counters");
  EXPECT_NEAR(small.at("cycles").at("per_switch").get<double>(), 3.2 * 2500, 1e-6);
  EXPECT_EQ(small.at("cycles").at("unit"), "count");
  EXPECT_EQ(small.at("cycles").at("visits"), 1);
  EXPECT_EQ(small.at("cycles").at("scheduled_share"), 1);
  EXPECT_NEAR(small.at("dtlb-misses").at("per_switch").get<double>(), -1.5, 1e-9) << "negative stays negative";
  EXPECT_EQ(small.at("dtlb-misses").at("scheduled_share"), 0.5);
  EXPECT_NEAR(point_of(ended.out, 512 * 1024).at("counters").at("cycles").at("per_switch").get<double>(), 3.2 * 6500,
              1e-6);
  EXPECT_EQ(scripted.cli({"show", "last", "--json"}).out, ended.out);

  const std::string table = scripted.cli({"show", "last"}).out;
  const std::string counters = counters_in(table);
  EXPECT_TRUE(holds(line_with(counters, "per switch"), "cycles  dtlb-misses")) << table;
  EXPECT_TRUE(holds(line_with(counters, "no data"), "8000       ~−1.50")) << table;
  EXPECT_TRUE(holds(line_with(counters, "512 KiB"), "20800       ~−1.50")) << table;
  EXPECT_TRUE(holds(table, "~ counted for part of the time (50 % at least)")) << table;
  EXPECT_TRUE(holds(table, "Counters: instructions cannot be counted: the script says so.")) << table;
}

TEST(Counters, noCostComesFromAVisitThatCounts) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(precise_run(), "--counters").exit_code, 0);
  const std::string before = scripted.cli({"show", "last", "--json"}).out;
  const std::string blocks = (scripted.folder / "blocks.csv").string();
  ASSERT_EQ(scripted.cli({"export", "last", "--format", "blocks-csv", "-o", blocks}).exit_code, 0);
  const std::string rows = text_of_file(blocks);
  {
    SQLite::Database database(scripted.database, SQLite::OPEN_READWRITE);
    const std::string counting = "(SELECT row FROM visit WHERE json_extract(request, '$.counters'))";
    EXPECT_EQ(database.execAndGet("SELECT count(*) FROM visit WHERE row IN " + counting).getInt(), 3);
    EXPECT_EQ(
        database.execAndGet("SELECT count(*) FROM block WHERE set_aside IS NOT NULL AND visit IN " + counting).getInt(),
        0)
        << "they are not judged";
    database.exec("UPDATE block SET elapsed_ns = elapsed_ns * 7 WHERE visit IN " + counting);
  }
  EXPECT_EQ(scripted.cli({"show", "last", "--json"}).out, before);
  ASSERT_EQ(scripted.cli({"export", "last", "--format", "blocks-csv", "-o", blocks}).exit_code, 0);
  EXPECT_EQ(text_of_file(blocks), rows);
}

TEST(Counters, areNotAskedForWhereThereAreNone) {
  const Scripted scripted;
  const std::string log = (scripted.folder / "log").string();
  const Ended ended = scripted.cli(precise_run({"--json"}), "--log " + log);
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(visits_that_count(log), 0);
  EXPECT_EQ(point_of(ended.out, 64 * 1024).at("counters"), json::object());
  EXPECT_EQ(counters_in(scripted.cli({"show", "last"}).out), "");
}

TEST(Counters, aRunThatEndsBeforeTheySaysSo) {
  const Scripted scripted;
  auto arguments = Scripted::short_run();
  for (auto& argument : arguments)
    if (argument == "100ms") argument = "1us";
  const Ended ended = scripted.cli(arguments, "--counters");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(holds(ended.out, "Hardware counters were not read: the run ended before")) << ended.out;
}

TEST(Counters, aCountingVisitThatFailsIsToldAndTheRunIsWell) {
  const Scripted scripted;
  const Ended ended =
      scripted.cli({"run", "--size", "0", "--policy", "other", "--precision", "50%", "--progress", "plain"},
                   "--counters --fault error --at 3"); // one point: pass 1, pass 2, counting
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(holds(ended.err, "Counting visit failed: no data: The array does not fit into memory.")) << ended.err;
  EXPECT_FALSE(holds(ended.out, "failed")) << ended.out;
}

} // namespace switchscope
