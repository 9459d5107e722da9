// Full disks, read-only media, other users, and file systems without shared memory.
#include "tests/store/places.h"

#include "engine/store/open.h"
#include "tests/store/samples.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace switchscope {
namespace {

namespace fs = std::filesystem;

void expect_words(const std::string& sentence, const std::string& words) {
  EXPECT_NE(sentence.find(words), std::string::npos) << "\"" << sentence << "\" should hold \"" << words << "\"";
}

// A folder that only this test sees, with its own small file system.
class OwnFileSystem : public testing::Test {
protected:
  void SetUp() override {
    if (const std::string why = enter_own_mounts(); !why.empty()) GTEST_SKIP() << why;
    ASSERT_TRUE(mount_tmpfs(folder.path(), "1m"));
  }
  void TearDown() override { unmount(folder.path()); } // so that the folder can be removed
  TemporaryFolder folder;
};

TEST_F(OwnFileSystem, AFullDiskLosesNothingThatWasStored) {
  int stored = 0;
  std::string sentence;
  {
    Store store(folder / "a.db");
    store.append(RunStarted{sample_run()});
    while (sentence.empty() && stored < 1000) {
      sentence = problem_in([&] { store.append(VisitEnded{sample_visit(stored, 25), 1, std::nullopt}); });
      if (sentence.empty()) ++stored;
    }
    expect_words(sentence, "is full");
    expect_words(sentence, "while storing a visit");
    EXPECT_GT(stored, 5);
    EXPECT_EQ(store.load_visits(sample_run().id).size(), static_cast<std::size_t>(stored)); // still usable
    EXPECT_TRUE(store.verify().empty());
  }
  const Store again(folder / "a.db", Store::Access::read_only);
  EXPECT_EQ(again.load_visits(sample_run().id).size(), static_cast<std::size_t>(stored));
  EXPECT_TRUE(again.verify().empty());
}

TEST_F(OwnFileSystem, AStoreGoesOnWhenSpaceIsFreed) {
  Store store(folder / "a.db");
  store.append(RunStarted{sample_run()});
  std::ofstream(folder / "ballast") << std::string(2'000'000, 'x'); // as much as fits
  int stored = 0;
  while (problem_in([&] {
           store.append(VisitEnded{sample_visit(stored, 25), 1, std::nullopt});
         }).empty() &&
         stored < 1000)
    ++stored;
  fs::remove(folder / "ballast");
  store.append(VisitEnded{sample_visit(stored, 25), 1, std::nullopt});
  EXPECT_EQ(store.load_visits(sample_run().id).size(), static_cast<std::size_t>(stored + 1));
}

TEST_F(OwnFileSystem, NoRoomForANewDatabase) {
  std::ofstream(folder / "ballast") << std::string(2'000'000, 'x');
  expect_words(problem_in([&] { const Store store(folder / "a.db"); }), "is full");
}

TEST_F(OwnFileSystem, AReadOnlyMediumIsRead) {
  {
    Store store(folder / "50% of #1?.db");
    store_run(store, sample_run(), 2);
  }
  ASSERT_TRUE(make_read_only(folder.path()));
  const Store store(folder / "50% of #1?.db", Store::Access::read_only);
  EXPECT_EQ(store.list().size(), 1U);
  EXPECT_EQ(store.load_visits(sample_run().id).size(), 2U);
  EXPECT_TRUE(store.verify().empty());
  expect_words(problem_in([&] { const Store writer(folder / "50% of #1?.db"); }), "cannot be written");
  expect_words(problem_in([&] { const Store writer(folder / "b.db"); }), "cannot be opened");
}

TEST_F(OwnFileSystem, AnImportFromAReadOnlyMedium) {
  {
    Store store(folder / "a.db");
    store_run(store, sample_run(), 2);
    store.append(sample_end());
  }
  ASSERT_TRUE(make_read_only(folder.path()));
  const TemporaryFolder elsewhere;
  Store store(elsewhere / "mine.db");
  EXPECT_EQ(store.import(folder / "a.db").copied, std::vector<std::string>{sample_run().id});
  EXPECT_EQ(store.load_visits(sample_run().id).size(), 2U);
}

TEST_F(OwnFileSystem, VisitsThatAreOnlyInTheLogAreNotOverlooked) {
  const TemporaryFolder elsewhere;
  {
    Store store(elsewhere / "a.db");
    store_run(store, sample_run(), 2);
    // As after a kill: the database and its log, copied while in use.
    fs::copy(elsewhere / "a.db", folder / "a.db");
    fs::copy(elsewhere / "a.db-wal", folder / "a.db-wal");
  }
  ASSERT_TRUE(make_read_only(folder.path()));
  expect_words(problem_in([&] { const Store store(folder / "a.db", Store::Access::read_only); }), "a.db-wal");
}

TEST_F(OwnFileSystem, NoRoomForTheCopyBeforeAMigration) {
  constexpr std::array<std::string_view, 2> steps{"CREATE TABLE run (id TEXT) STRICT",
                                                  "CREATE TABLE extra (x TEXT) STRICT"};
  {
    OpenDatabase old = open_for_writing(folder / "a.db", OpenOptions{MigrationSteps(steps).first(1), ""});
    old.connection.exec("INSERT INTO run VALUES (hex(zeroblob(100000)))");
  }
  // Room for what every opening needs, not for a copy of 200 kB.
  std::ofstream(folder / "ballast") << std::string(fs::space(folder.path()).available - 120'000, 'x');
  expect_words(problem_in([&] {
                 static_cast<void>(open_for_writing(folder / "a.db", OpenOptions{steps, ""}));
               }),
               "is full");
  fs::remove(folder / "ballast");
  EXPECT_EQ(value_in(folder / "a.db", "PRAGMA user_version"), "1");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}), 1);
}

class OtherUser : public testing::Test {
protected:
  void SetUp() override {
    if (!can_drop_rights()) GTEST_SKIP() << "needs root and setpriv to become another user";
    ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
    ASSERT_EQ(access(SWITCHSCOPE_STORE_PROBE, X_OK), 0);
    Store store(folder / "a.db");
    store_run(store, sample_run(), 1);
  }
  std::string probe(const std::string& verb, const fs::path& path) {
    return output_without_rights(std::string(SWITCHSCOPE_STORE_PROBE) + " " + verb + " '" + path.string() + "'",
                                 exit_code);
  }
  TemporaryFolder folder;
  int exit_code = -1;
};

TEST_F(OtherUser, ReadsAForeignDatabaseInAFolderItCannotWrite) {
  EXPECT_EQ(probe("read", folder / "a.db"), "1 runs\n");
  const std::string sentence = probe("write", folder / "a.db");
  EXPECT_EQ(exit_code, 5) << sentence;
  expect_words(sentence, "cannot be written: the file or the medium it lies on is read-only for this user");
}

TEST_F(OtherUser, ReadsWhileTheOwnerIsWriting) {
  Store owner(folder / "a.db");
  owner.append(RunStarted{sample_run("02")});
  EXPECT_EQ(probe("read", folder / "a.db"), "2 runs\n");
}

TEST_F(OtherUser, MayWriteTheFileButNotItsFolder) {
  ASSERT_EQ(chmod((folder / "a.db").c_str(), 0666), 0);
  const std::string sentence = probe("write", folder / "a.db");
  EXPECT_EQ(exit_code, 5) << sentence;
  expect_words(sentence, "cannot be written: its folder is read-only for this user");
}

TEST_F(OtherUser, MayNotReadIt) {
  ASSERT_EQ(chmod((folder / "a.db").c_str(), 0600), 0);
  for (const char* verb : {"read", "write"}) {
    expect_words(probe(verb, folder / "a.db"), "this user may not read it");
    EXPECT_EQ(exit_code, 5);
  }
}

TEST_F(OtherUser, MayNotEnterTheFolder) {
  ASSERT_EQ(chmod(folder.path().c_str(), 0700), 0);
  for (const char* verb : {"read", "write"}) {
    expect_words(probe(verb, folder / "a.db"), "its folder cannot be entered by this user");
    EXPECT_EQ(exit_code, 5);
  }
}

TEST_F(OtherUser, MayNotMakeTheFolder) {
  expect_words(probe("write", folder / "sub/a.db"), "cannot be created: Permission denied");
  EXPECT_EQ(exit_code, 5);
}

// SQLite's "unix-dotfile" layer has no shared memory, like a network home.
const OpenOptions without_shared_memory{migration_steps(), "unix-dotfile"};

TEST(WithoutSharedMemory, ARollbackJournalIsUsedAndSaid) {
  const TemporaryFolder folder;
  const OpenDatabase open = open_for_writing(folder / "a.db", without_shared_memory);
  expect_words(open.journal_note, "rollback journal");
  EXPECT_EQ(OpenDatabase(open_for_writing(folder / "b.db")).journal_note, "");
}

TEST(WithoutSharedMemory, ADatabaseThatCameWithALogIsTakenOver) {
  const TemporaryFolder folder;
  {
    Store store(folder / "a.db");
    store_run(store, sample_run(), 2);
    fs::copy(folder / "a.db", folder / "b.db");
    fs::copy(folder / "a.db-wal", folder / "b.db-wal");
  }
  {
    OpenDatabase open = open_for_writing(folder / "b.db", without_shared_memory);
    expect_words(open.journal_note, "rollback journal");
    EXPECT_EQ(open.connection.execAndGet("PRAGMA journal_mode").getString(), "delete");
    EXPECT_EQ(open.connection.execAndGet("SELECT count(*) FROM visit").getString(), "2");
    // The lock is given back: another connection reads.
    OpenDatabase other = open_for_reading(folder / "b.db", without_shared_memory);
    EXPECT_EQ(other.connection.execAndGet("SELECT count(*) FROM visit").getString(), "2");
  }
}

TEST(WithoutSharedMemory, ALockThatOutlivedItsProcessIsExplained) {
  const TemporaryFolder folder;
  { static_cast<void>(open_for_writing(folder / "a.db", without_shared_memory)); }
  fs::create_directory(folder / "a.db.lock");
  const auto open = [&] { static_cast<void>(open_for_writing(folder / "a.db", without_shared_memory)); };
  expect_words(problem_in(open), "delete the folder " + (folder / "a.db.lock").string());
  fs::remove(folder / "a.db.lock");
  EXPECT_EQ(problem_in(open), "");
}

TEST(WithoutSharedMemory, LocksWorkHereAndTheTrialLeavesNothing) {
  const TemporaryFolder folder;
  EXPECT_TRUE(locks_work_in(folder.path()));
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(WithoutSharedMemory, NetworkFileSystemsAreKnown) {
  EXPECT_TRUE(is_network_file_system(0x6969));
  EXPECT_TRUE(is_network_file_system(static_cast<long>(0xFF534D42)));
  EXPECT_TRUE(is_network_file_system(static_cast<int>(0xFF534D42))); // where the field is a signed int
  EXPECT_FALSE(is_network_file_system(0xEF53));                      // ext4
  EXPECT_FALSE(is_network_file_system(0x01021994));                  // tmpfs
}

} // namespace
} // namespace switchscope
