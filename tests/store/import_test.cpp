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
  EXPECT_EQ(mine.import(other), (std::vector<std::string>{"01", "03"}));
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
  EXPECT_EQ(mine.import(other).size(), 3U);
  EXPECT_TRUE(mine.import(other).empty());
  EXPECT_TRUE(mine.import(folder / "mine.db").empty());
  EXPECT_EQ(mine.list().size(), 3U);
}

TEST_F(Import, LeavesTheTrashThere) {
  Store(other).remove("02");
  EXPECT_EQ(mine.import(other), (std::vector<std::string>{"01", "03"}));
}

TEST_F(Import, LeavesTheOtherAsItIs) {
  const auto size = fs::file_size(other);
  EXPECT_EQ(mine.import(other).size(), 3U);
  EXPECT_EQ(fs::file_size(other), size);
  EXPECT_FALSE(fs::exists(other.string() + "-wal"));
}

TEST_F(Import, WhileTheOtherIsBeingWritten) {
  Store writer(other);
  store_run(writer, sample_run("04"), 1);
  EXPECT_EQ(mine.import(other).size(), 4U);
  EXPECT_EQ(mine.load_visits("04").size(), 1U);
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
  ASSERT_EQ(mine.list().size(), 1U); // the one before it
  EXPECT_EQ(mine.list().front().id, "01");
  EXPECT_TRUE(mine.verify().empty());
}

TEST_F(Import, AFileWithTheMarkButOtherTables) {
  change_in(other, "ALTER TABLE visit RENAME COLUMN pass TO passage");
  EXPECT_NE(problem(), "");
  EXPECT_TRUE(mine.list().empty());
}

} // namespace
} // namespace switchscope
