// A database that is damaged and can still be read takes no new runs.
#include "tests/cli/scripted.h"

#include <SQLiteCpp/Database.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

namespace switchscope {

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The page on which a table begins.
void overwrite_page_of(const std::string& table, const std::string& database) {
  const int page =
      SQLite::Database(database).execAndGet("SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'").getInt();
  std::fstream file(database, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(std::streamoff{page - 1} * 4096);
  file << std::string(4096, '\x5a');
}

void expect_refused(const Ended& ended, const std::string& verb) {
  EXPECT_EQ(ended.exit_code, 5) << verb << ": " << ended.err;
  for (const char* says : {" is damaged (", "`switchscope-cli verify`", "`switchscope-cli import`"})
    EXPECT_TRUE(holds(ended.err, says)) << verb << ": " << ended.err;
}

} // namespace

TEST(DamagedDatabase, isShownButNothingIsStoredInIt) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run({"--name", "before"})).exit_code, 0);
  overwrite_page_of("cpu_level", scripted.database); // nothing that a run reads or writes at once
  const std::string before = text_of_file(scripted.database);
  expect_refused(scripted.cli(Scripted::short_run()), "run");
  expect_refused(scripted.cli({"delete", "before"}), "delete");
  expect_refused(scripted.cli({"import", scripted.database}), "import");
  EXPECT_EQ(text_of_file(scripted.database), before);
  EXPECT_EQ(scripted.cli({"show", "before"}).exit_code, 0);
  EXPECT_EQ(scripted.cli({"verify"}).exit_code, 5);
}

TEST(DamagedDatabase, aLargeOneIsCheckedWhenItWasNotClosedProperly) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run({"--name", "before"})).exit_code, 0);
  {
    SQLite::Database filler(scripted.database, SQLite::OPEN_READWRITE);
    filler.exec("UPDATE run SET host_name = printf('%.*c', 5000000, 'x')");
  }
  ASSERT_GT(std::filesystem::file_size(scripted.database), 5'000'000U);
  overwrite_page_of("cpu_level", scripted.database);
  EXPECT_EQ(scripted.cli({"delete", "before"}).exit_code, 0) << "so large a file is not read on every start";
  {
    // As a process that was killed leaves it: the log is not empty, and nobody has it open.
    SQLite::Database killed(scripted.database, SQLite::OPEN_READWRITE);
    killed.exec("UPDATE run SET name = 'after'");
    std::filesystem::copy(scripted.database + "-wal", scripted.folder / "wal");
    std::filesystem::copy(scripted.database, scripted.folder / "db");
  }
  std::filesystem::rename(scripted.folder / "db", scripted.database);
  std::filesystem::rename(scripted.folder / "wal", scripted.database + "-wal");
  expect_refused(scripted.cli({"restore", "after"}), "restore");
}

} // namespace switchscope
