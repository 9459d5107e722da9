// Each kind of breach is found and said; a good database has none.
#include "tests/store/samples.h"

#include <gtest/gtest.h>

#include <fstream>

namespace switchscope {
namespace {

class Verify : public testing::Test {
protected:
  Verify() {
    Store store(path);
    store_run(store, sample_run("01"), 3);
    store.append(VisitEnded{failed_visit(3), 3, std::nullopt});
    store.append(sample_end());
  }
  // The first sentence after a change made behind our back.
  std::string after(const std::string& sql) {
    change_in(path, "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;" + sql);
    const auto problems = Store(path, Store::Access::read_only).verify();
    return problems.empty() ? "" : problems.front();
  }
  TemporaryFolder folder;
  std::filesystem::path path = folder / "a.db";
};

TEST_F(Verify, AGoodDatabase) {
  EXPECT_EQ(after("SELECT 1"), "");
}

TEST_F(Verify, AWrongCount) {
  EXPECT_EQ(after("UPDATE run SET visits = 9"), "Run 01 says it has 9 visits and has 4.");
}

TEST_F(Verify, AVisitStoredTwice) {
  EXPECT_EQ(after("UPDATE visit SET pass = 0 WHERE sequence = 2; UPDATE visit SET pass = 0 WHERE sequence = 0"),
            "Visits 0 and 2 of run 01 are the same one.");
}

TEST_F(Verify, AMissingPoint) {
  EXPECT_NE(after("DELETE FROM point WHERE point_index = 1").find("belongs to a row of table point"),
            std::string::npos);
}

TEST_F(Verify, AnIncompletePair) {
  EXPECT_EQ(after("DELETE FROM block WHERE position = 4"),
            "Pair 1 of visit 0 of run 01 is not one block of each phase.");
}

TEST_F(Verify, APairWithAPhaseTwice) {
  EXPECT_EQ(after("UPDATE block SET phase = 'S1' WHERE position = 0 AND visit = 1"),
            "Pair 0 of visit 0 of run 01 is not one block of each phase.");
}

TEST_F(Verify, ARoundOfThePapersMethodIsTwoBlocks) {
  EXPECT_EQ(after("DELETE FROM block WHERE phase = 'S2B'; UPDATE point SET method = 'paper'"), "");
}

TEST_F(Verify, ARoundOfThePapersMethodWithThree) {
  EXPECT_NE(after("UPDATE point SET method = 'paper'").find("is not one block of each phase."), std::string::npos);
}

TEST_F(Verify, BlocksOfAFailure) {
  EXPECT_EQ(after("UPDATE block SET visit = (SELECT row FROM visit WHERE sequence = 3) WHERE visit = 1"),
            "Visit 3 of run 01 failed and yet has blocks.");
}

TEST_F(Verify, ABlockWithoutTime) {
  EXPECT_EQ(after("UPDATE block SET elapsed_ns = 0 WHERE visit = 2"),
            "Visit 1 of run 01 has blocks without time or trips.");
}

TEST_F(Verify, ASessionThatIsNotThere) {
  EXPECT_EQ(after("DELETE FROM session WHERE number = 1"), "Session 1 of run 01 has visits and is not there.");
}

TEST_F(Verify, ADocumentThatCannotBeRead) {
  EXPECT_NE(after("UPDATE visit SET report = '{}' WHERE sequence = 2").find("Run 01 cannot be read"),
            std::string::npos);
}

TEST_F(Verify, AResumptionThatCannotBeRead) {
  EXPECT_NE(after("INSERT INTO resumption SELECT row, 1, started_at, '{}' FROM run").find("Run 01 cannot be read"),
            std::string::npos);
}

TEST_F(Verify, ALostDocument) {
  EXPECT_NE(after("DELETE FROM run_document").find("has lost its plan"), std::string::npos);
}

TEST_F(Verify, ADamagedPage) {
  const int page = std::stoi(value_in(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'visit'"));
  {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(4096 * (page - 1) + 8);
    file << std::string(3000, '\x5a');
  }
  EXPECT_NE(after("SELECT 1").find("SQLite finds the file damaged"), std::string::npos);
}

} // namespace
} // namespace switchscope
