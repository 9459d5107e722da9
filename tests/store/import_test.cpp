// Runs of another database: those that are not here yet, whole or not at all.
#include "engine/store/open.h"
#include "tests/store/samples.h"

#include <gtest/gtest.h>

#include <fstream>

namespace switchscope {
namespace {

namespace fs = std::filesystem;

class Import : public testing::Test {
protected:
  Import() {
    Store store(other);
    for (const char* id : {"01", "02", "03"}) {
      store_run(store, sample_run(id), 2);
      store.append(VisitEnded{failed_visit(2), 3, std::nullopt});
      store.store_set_aside(id, 0, {SetAside::stolen, SetAside::none});
      store.append(sample_end());
      store.append(RunStarted{sample_run(id), sample_run(id).before});
      store.append(sample_end());
    }
  }
  std::string problem() {
    return problem_in([&] { static_cast<void>(mine.import(other)); });
  }

  TemporaryFolder folder;
  fs::path other = folder / "other.db";
  Store mine{folder / "mine.db"};
};

TEST_F(Import, BringsEveryFieldOfWhatIsNotHere) {
  store_run(mine, sample_run("02"), 1); // grew differently here: stays as it is
  EXPECT_EQ(mine.import(other).copied, (std::vector<std::string>{"01", "03"}));
  const Store theirs(other, Store::Access::read_only);
  for (const char* id : {"01", "03"}) {
    EXPECT_EQ(mine.load_run(id), theirs.load_run(id));
    EXPECT_EQ(mine.load_visits(id), theirs.load_visits(id));
    ASSERT_EQ(mine.load_resumptions(id).size(), 1U);
    EXPECT_EQ(mine.load_resumptions(id)[0].environment, sample_run(id).before);
  }
  EXPECT_EQ(mine.load_visits("02").size(), 1U);
  EXPECT_TRUE(mine.verify().empty());
  EXPECT_EQ(value_in(folder / "mine.db", "SELECT count(*) FROM block WHERE set_aside = 'stolen'"), "6");
  EXPECT_EQ(value_in(folder / "mine.db", "SELECT end_reason FROM run WHERE id = '03'"), "The worker was missing.");
}

TEST_F(Import, TwiceBringsNothingNew) {
  EXPECT_EQ(mine.import(other).copied.size(), 3U);
  EXPECT_TRUE(mine.import(other).copied.empty());
  EXPECT_TRUE(mine.import(folder / "mine.db").copied.empty());
  EXPECT_EQ(mine.list().size(), 3U);
}

TEST_F(Import, LeavesTheTrashThere) {
  Store(other).remove("02");
  EXPECT_EQ(mine.import(other).copied, (std::vector<std::string>{"01", "03"}));
}

TEST_F(Import, LeavesTheOtherAsItIs) {
  const auto size = fs::file_size(other);
  EXPECT_EQ(mine.import(other).copied.size(), 3U);
  EXPECT_EQ(fs::file_size(other), size);
  EXPECT_FALSE(fs::exists(other.string() + "-wal"));
}

TEST_F(Import, ARunUnderWayIsLeftOutUntilItHasEnded) {
  Store writer(other);
  store_run(writer, sample_run("04"), 1); // by this process, which lives
  Imported imported = mine.import(other);
  EXPECT_EQ(imported.copied, (std::vector<std::string>{"01", "02", "03"}));
  EXPECT_EQ(imported.under_way, std::vector<std::string>{"04"});
  writer.append(VisitEnded{failed_visit(1), 3, std::nullopt});
  writer.append(sample_end());
  imported = mine.import(other);
  EXPECT_EQ(imported.copied, std::vector<std::string>{"04"});
  EXPECT_TRUE(imported.under_way.empty());
  EXPECT_EQ(mine.load_visits("04").size(), 2U) << "whole";
}

TEST_F(Import, ARunWhoseProcessWasKilledComesInAsItIs) {
  {
    Store writer(other);
    store_run(writer, sample_run("04"), 1);
  }
  change_in(other, "UPDATE run SET writer = '' WHERE id = '04'"); // nothing is known of it
  EXPECT_EQ(mine.import(other).copied.size(), 4U);
}

TEST_F(Import, BringsWhatWasFoundAboutMachinesAndKeepsWhatIsHere) {
  const MachineCheck check{"selftest", "machine", 1, "2026-11-30T19:22:00Z", "{}"};
  const MachineCheck known{"core-sharing", "machine", 1, "2026-11-30T19:22:00Z", "theirs"};
  {
    Store theirs(other);
    theirs.remember_check(check);
    theirs.remember_check(known);
  }
  MachineCheck mine_of_it = known;
  mine_of_it.document = "mine";
  mine.remember_check(mine_of_it);
  static_cast<void>(mine.import(other));
  EXPECT_EQ(mine.latest_checks("selftest", "machine"), std::vector<MachineCheck>{check});
  EXPECT_EQ(mine.latest_checks("core-sharing", "machine"), std::vector<MachineCheck>{mine_of_it});
}

TEST_F(Import, WhatIsNoDatabaseOfOursIsASentence) {
  std::ofstream(folder / "text") << "hello";
  const auto sentence = [&](const fs::path& path) { return problem_in([&] { static_cast<void>(mine.import(path)); }); };
  EXPECT_NE(sentence(folder / "text").find("not an SQLite file"), std::string::npos);
  EXPECT_NE(sentence(folder / "none.db").find("There is no database"), std::string::npos);
  EXPECT_NE(sentence(folder.path()).find("is a folder"), std::string::npos);
  change_in(other, "PRAGMA application_id = 7");
  EXPECT_NE(problem().find("another application"), std::string::npos);
  change_in(other, "PRAGMA application_id = " + std::to_string(application_id) + "; PRAGMA user_version = 999");
  EXPECT_NE(problem().find("newer Switchscope"), std::string::npos);
  EXPECT_TRUE(mine.list().empty());
}

TEST_F(Import, ADamagedFileIsRefused) {
  {
    // Overwrites the pages in the middle, behind SQLite's back.
    std::fstream file(other, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(fs::file_size(other) / 2));
    file << std::string(8192, '\x5a');
  }
  const std::string sentence = problem();
  EXPECT_NE(sentence.find("other.db is damaged"), std::string::npos) << sentence;
  EXPECT_TRUE(mine.list().empty());
  EXPECT_TRUE(mine.verify().empty());
}

TEST_F(Import, ARunThatCannotBeReadDoesNotComeIn) {
  change_in(other, "UPDATE point SET access = 'peek' WHERE run = (SELECT row FROM run WHERE id = '02')");
  const std::string sentence = problem();
  EXPECT_NE(sentence.find("peek"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("other.db is damaged"), std::string::npos) << sentence;
  EXPECT_EQ(sentence.find("mine.db"), std::string::npos) << "the user's own database is well: " << sentence;
  ASSERT_EQ(mine.list().size(), 1U); // the one before it
  EXPECT_EQ(mine.list().front().id, "01");
  EXPECT_TRUE(mine.verify().empty());
}

TEST_F(Import, AFileWithTheMarkButOtherTables) {
  change_in(other, "ALTER TABLE visit RENAME COLUMN pass TO passage");
  const std::string sentence = problem();
  EXPECT_NE(sentence.find("other.db"), std::string::npos) << sentence;
  EXPECT_EQ(sentence.find("mine.db"), std::string::npos) << sentence;
  EXPECT_TRUE(mine.list().empty());
}

} // namespace
} // namespace switchscope
