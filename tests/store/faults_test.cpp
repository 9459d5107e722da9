// What is not a database of ours, or ceases to be one: a sentence each, and the file left as it was.
#include "tests/store/samples.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sys/stat.h>

namespace switchscope {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string open_problem(const fs::path& path, Store::Access access = Store::Access::read_write) {
  return problem_in([&] { const Store store(path, access); });
}

// Both ways of opening say it, name the file, and change nothing.
void expect_refused(const fs::path& path, const std::string& words) {
  const std::string before = bytes_of(path);
  for (const auto access : {Store::Access::read_write, Store::Access::read_only}) {
    const std::string sentence = open_problem(path, access);
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(path.string()), std::string::npos) << sentence;
    EXPECT_TRUE(sentence.ends_with('.')) << sentence;
  }
  EXPECT_EQ(bytes_of(path), before);
}

TEST(Faults, ATextFile) {
  const TemporaryFolder folder;
  write_bytes(folder / "notes.txt", "Milk, eggs.");
  expect_refused(folder / "notes.txt", "is not a Switchscope database: it is not an SQLite file");
  write_bytes(folder / "long.txt", std::string(100'000, 'x'));
  expect_refused(folder / "long.txt", "is not a Switchscope database: it is not an SQLite file");
}

TEST(Faults, AnotherApplicationsDatabase) {
  const TemporaryFolder folder;
  {
    SQLite::Database other((folder / "mail.db").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    other.exec("PRAGMA application_id = 0x1234abcd; CREATE TABLE letter (text TEXT)");
  }
  expect_refused(folder / "mail.db", "is the database of another application (application id 0x1234abcd)");
  {
    SQLite::Database other((folder / "plain.db").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    other.exec("CREATE TABLE letter (text TEXT)");
  }
  expect_refused(folder / "plain.db", "is the database of another application (application id 0x00000000)");
}

TEST(Faults, ANewerSchemaNamesBothVersions) {
  const TemporaryFolder folder;
  { const Store store(folder / "a.db"); }
  const std::string known = value_in(folder / "a.db", "PRAGMA user_version");
  change_in(folder / "a.db", "PRAGMA user_version = 999");
  expect_refused(folder / "a.db",
                 "schema version 999, made by a newer Switchscope; this one knows versions up to " + known);
}

TEST(Faults, AFolder) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "runs");
  EXPECT_NE(open_problem(folder / "runs").find("is a folder, not a database"), std::string::npos);
  EXPECT_NE(open_problem(folder / "runs", Store::Access::read_only).find("is a folder"), std::string::npos);
}

TEST(Faults, ANamedPipe) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_NE(open_problem(folder / "pipe").find("is not a regular file"), std::string::npos);
}

TEST(Faults, NoName) {
  EXPECT_NE(open_problem("").find("is not the name of a file"), std::string::npos);
}

TEST(Faults, AnEmptyFileBecomesADatabase) {
  const TemporaryFolder folder;
  write_bytes(folder / "empty.db", "");
  EXPECT_TRUE(Store(folder / "empty.db", Store::Access::read_only).list().empty());
  EXPECT_EQ(bytes_of(folder / "empty.db"), ""); // reading changed nothing
  {
    Store store(folder / "empty.db");
    store_run(store, sample_run(), 1);
  }
  EXPECT_EQ(Store(folder / "empty.db").list().size(), 1U);
}

TEST(Faults, ATruncatedDatabase) {
  const TemporaryFolder folder;
  {
    Store store(folder / "a.db");
    store_run(store, sample_run(), 20);
  }
  const std::string whole = bytes_of(folder / "a.db");
  for (const std::size_t kept : {whole.size() / 2, std::size_t{5000}, std::size_t{512}, std::size_t{60}}) {
    write_bytes(folder / "cut.db", whole.substr(0, kept));
    const std::string sentence = open_problem(folder / "cut.db");
    EXPECT_TRUE(sentence.find("is damaged") != std::string::npos ||
                sentence.find("it is not an SQLite file") != std::string::npos)
        << kept << ": " << sentence;
  }
}

TEST(Faults, AMissingFolderIsMade) {
  const TemporaryFolder folder;
  { const Store store(folder.path() / "share" / "switchscope" / "a.db"); }
  EXPECT_TRUE(fs::exists(folder.path() / "share" / "switchscope" / "a.db"));
}

TEST(Faults, AFolderThatCannotBeMade) {
  const TemporaryFolder folder;
  write_bytes(folder / "file", "x");
  const std::string sentence = open_problem(folder.path() / "file" / "sub" / "a.db");
  EXPECT_NE(sentence.find("cannot be created: Not a directory"), std::string::npos) << sentence;
}

TEST(Faults, ReadingMakesNoFile) {
  const TemporaryFolder folder;
  EXPECT_NE(open_problem(folder / "a.db", Store::Access::read_only).find("There is no database"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Faults, ReadingLeavesNothingBehindAndWritesNothing) {
  const TemporaryFolder folder;
  {
    Store store(folder / "a.db");
    store_run(store, sample_run(), 1);
  }
  const std::string before = bytes_of(folder / "a.db");
  {
    Store store(folder / "a.db", Store::Access::read_only);
    EXPECT_EQ(store.load_visits(sample_run().id).size(), 1U);
    EXPECT_NE(problem_in([&] { store.remove(sample_run().id); }), "");
    EXPECT_NE(problem_in([&] { store.append(RunStarted{sample_run("02")}); }), "");
  }
  EXPECT_EQ(bytes_of(folder / "a.db"), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}), 1);
}

TEST(Faults, DeletedUnderTheProgram) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  store_run(store, sample_run(), 1);
  fs::remove(folder / "a.db");
  const std::string sentence = problem_in([&] { store.append(VisitEnded{sample_visit(1), 1, std::nullopt}); });
  EXPECT_NE(sentence.find("was deleted, moved or replaced while it was in use"), std::string::npos) << sentence;
}

TEST(Faults, ReplacedUnderTheProgram) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  store_run(store, sample_run(), 1);
  fs::rename(folder / "a.db", folder / "b.db");
  write_bytes(folder / "a.db", "something else");
  const std::string sentence = problem_in([&] { store.append(VisitEnded{sample_visit(1), 1, std::nullopt}); });
  EXPECT_NE(sentence.find("was deleted, moved or replaced"), std::string::npos) << sentence;
}

TEST(Faults, LockedForTooLong) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  store_run(store, sample_run(), 1);
  SQLite::Database other((folder / "a.db").string(), SQLite::OPEN_READWRITE);
  other.exec("BEGIN IMMEDIATE");
  const std::string sentence = problem_in([&] { store.append(VisitEnded{sample_visit(1), 1, std::nullopt}); });
  EXPECT_NE(sentence.find("has been locked by another process for more than 5 s"), std::string::npos) << sentence;
  EXPECT_EQ(Store(folder / "a.db", Store::Access::read_only).load_visits(sample_run().id).size(),
            1U); // readers do not wait
  other.exec("ROLLBACK");
  store.append(VisitEnded{sample_visit(1), 1, std::nullopt});
  EXPECT_EQ(store.load_visits(sample_run().id).size(), 2U);
}

TEST(Faults, LockedAltogether) {
  const TemporaryFolder folder;
  { const Store store(folder / "a.db"); }
  SQLite::Database other((folder / "a.db").string(), SQLite::OPEN_READWRITE);
  other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  const std::string sentence = open_problem(folder / "a.db");
  EXPECT_NE(sentence.find("has been locked by another process"), std::string::npos) << sentence;
}

TEST(Faults, AWordThatIsNoneOfOurs) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  store_run(store, sample_run(), 1);
  change_in(folder / "a.db", "UPDATE point SET access = 'peek' WHERE point_index = 1");
  const std::string sentence = problem_in([&] { static_cast<void>(store.load_run(sample_run().id)); });
  EXPECT_NE(sentence.find("\"peek\" is no read, write or rmw"), std::string::npos) << sentence;
}

TEST(Faults, APlanThatIsNotJson) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  store_run(store, sample_run(), 1);
  change_in(folder / "a.db", "UPDATE run_document SET plan = '{\"name\":'");
  const std::string sentence = problem_in([&] { static_cast<void>(store.load_run(sample_run().id)); });
  EXPECT_NE(sentence.find("is damaged"), std::string::npos) << sentence;
}

TEST(Faults, TheDefaultPlace) {
  setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(default_database_path(), "/data/switchscope/switchscope.db");
  setenv("XDG_DATA_HOME", "relative", 1);
  setenv("HOME", "/home/li", 1);
  EXPECT_EQ(default_database_path(), "/home/li/.local/share/switchscope/switchscope.db");
  unsetenv("XDG_DATA_HOME");
  EXPECT_EQ(default_database_path(), "/home/li/.local/share/switchscope/switchscope.db");
  unsetenv("HOME");
  EXPECT_NE(problem_in([] { static_cast<void>(default_database_path()); }).find("--db"), std::string::npos);
}

} // namespace
} // namespace switchscope
