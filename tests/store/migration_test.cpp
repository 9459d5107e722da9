// Files of an older schema: brought up to date once, in one transaction, with a copy kept beside them.
#include "engine/store/open.h"
#include "tests/store/samples.h"

#include <gtest/gtest.h>

#include <array>

namespace switchscope {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> steps{
    "CREATE TABLE run (id TEXT NOT NULL) STRICT",
    "ALTER TABLE run ADD COLUMN note TEXT NOT NULL DEFAULT ''; UPDATE run SET note = 'from ' || id",
    "CREATE TABLE extra (x TEXT) STRICT",
};
constexpr std::array<std::string_view, 2> bad_steps{steps[0],
                                                    "CREATE TABLE fine (x TEXT) STRICT; CREATE TABLE run (x TEXT)"};

OpenOptions up_to(std::size_t version) {
  return {MigrationSteps(steps).first(version), ""};
}

// A file as the first version of the schema left it.
void make_version_1(const fs::path& path) {
  OpenDatabase old = open_for_writing(path, up_to(1));
  old.connection.exec("INSERT INTO run VALUES ('a'), ('b')");
}

TEST(Migration, FromVersion1WithACopyBeside) {
  const TemporaryFolder folder;
  make_version_1(folder / "a.db");
  {
    OpenDatabase open = open_for_writing(folder / "a.db", up_to(3));
    EXPECT_EQ(open.connection.execAndGet("SELECT group_concat(note) FROM run").getString(), "from a,from b");
    EXPECT_EQ(open.connection.execAndGet("SELECT count(*) FROM extra").getString(), "0");
    EXPECT_EQ(open.connection.execAndGet("PRAGMA user_version").getString(), "3");
  }
  EXPECT_EQ(value_in(folder / "a.db.v1.bak", "PRAGMA user_version"), "1");
  EXPECT_EQ(value_in(folder / "a.db.v1.bak", "SELECT group_concat(id) FROM run"), "a,b");
  EXPECT_FALSE(fs::exists(folder / "a.db.v1.bak.unfinished"));
}

TEST(Migration, OnlyTheMissingStepsAndNoCopyWhenNoneIs) {
  const TemporaryFolder folder;
  make_version_1(folder / "a.db");
  static_cast<void>(open_for_writing(folder / "a.db", up_to(2)));
  fs::remove(folder / "a.db.v1.bak");
  static_cast<void>(open_for_writing(folder / "a.db", up_to(3))); // step 2 again would fail: the column is there
  EXPECT_TRUE(fs::exists(folder / "a.db.v2.bak"));
  fs::remove(folder / "a.db.v2.bak");
  static_cast<void>(open_for_writing(folder / "a.db", up_to(3)));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}), 1);
}

TEST(Migration, ACopyLeftByAnEarlierAttemptIsReplaced) {
  const TemporaryFolder folder;
  make_version_1(folder / "a.db");
  fs::copy(folder / "a.db", folder / "a.db.v1.bak.unfinished");
  { SQLite::Database stale((folder / "a.db.v1.bak").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE); }
  static_cast<void>(open_for_writing(folder / "a.db", up_to(2)));
  EXPECT_EQ(value_in(folder / "a.db.v1.bak", "SELECT group_concat(id) FROM run"), "a,b");
}

TEST(Migration, AStepThatFailsChangesNothing) {
  const TemporaryFolder folder;
  make_version_1(folder / "a.db");
  EXPECT_NE(problem_in([&] { static_cast<void>(open_for_writing(folder / "a.db", {bad_steps, ""})); }), "");
  EXPECT_EQ(value_in(folder / "a.db", "PRAGMA user_version"), "1");
  EXPECT_EQ(value_in(folder / "a.db", "SELECT count(*) FROM sqlite_schema"), "1");
}

TEST(Migration, ReadingAnOlderFileLeavesItAsItIs) {
  const TemporaryFolder folder;
  make_version_1(folder / "a.db");
  {
    OpenDatabase open = open_for_reading(folder / "a.db", up_to(3));
    EXPECT_EQ(open.connection.execAndGet("SELECT group_concat(note) FROM run").getString(), "from a,from b");
    EXPECT_THROW(open.connection.exec("DELETE FROM run"), SQLite::Exception);
  }
  EXPECT_EQ(value_in(folder / "a.db", "PRAGMA user_version"), "1");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}), 1);
}

TEST(Migration, EveryVersionOfOursLeadsToTheNewest) {
  for (std::size_t version = 1; version <= migration_steps().size(); ++version) {
    const TemporaryFolder folder;
    { static_cast<void>(open_for_writing(folder / "a.db", {migration_steps().first(version), ""})); }
    Store store(folder / "a.db");
    store_run(store, sample_run(), 1);
    EXPECT_TRUE(store.verify().empty());
  }
}

TEST(Migration, AFileSaysWhoseItIs) {
  const TemporaryFolder folder;
  { const Store store(folder / "a.db"); }
  EXPECT_EQ(value_in(folder / "a.db", "PRAGMA application_id"), std::to_string(application_id));
  EXPECT_EQ(value_in(folder / "a.db", "PRAGMA user_version"), std::to_string(migration_steps().size()));
  EXPECT_EQ(value_in(folder / "a.db", "PRAGMA journal_mode"), "wal");
  EXPECT_EQ(value_in(folder / "a.db", "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
                                      "AND name NOT LIKE 'sqlite_%' AND NOT strict"),
            "0");
}

} // namespace
} // namespace switchscope
