// From what a user types to a run, and the list.
#include "tests/store/samples.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

Run run_of(const std::string& id, const std::string& name, const std::string& started_at) {
  Run run = sample_run(id);
  run.name = name;
  run.started_at = started_at;
  return run;
}

class FindRun : public testing::Test {
protected:
  FindRun() {
    for (const auto& run :
         {run_of("01aaa1", "morning", "2026-11-01T08:00:00.000Z"),
          run_of("01aab2", "evening", "2026-11-03T08:00:00.000Z"),
          run_of("01bbb3", "evening", "2026-11-02T08:00:00.000Z"), run_of("01ccc4", "", "2026-10-01T08:00:00.000Z")})
      store.append(RunStarted{run});
  }
  std::string missing(const std::string& reference, bool among_deleted = false) {
    return problem_in([&] { static_cast<void>(store.resolve(reference, among_deleted)); });
  }
  TemporaryFolder folder;
  Store store{folder / "a.db"};
};

TEST_F(FindRun, ByIdPrefixNameOrLast) {
  EXPECT_EQ(store.resolve("01ccc4"), "01ccc4");
  EXPECT_EQ(store.resolve("01b"), "01bbb3");
  EXPECT_EQ(store.resolve("01BBB"), "01bbb3");
  EXPECT_EQ(store.resolve("morning"), "01aaa1");
  EXPECT_EQ(store.resolve("evening"), "01aab2"); // the newest of that name
  EXPECT_EQ(store.resolve("last"), "01aab2");
}

TEST_F(FindRun, ANameIsFoundAlsoWhereItBeginsIds) {
  store.append(RunStarted{run_of("02ddd5", "01a", "2026-09-01T08:00:00.000Z")});
  EXPECT_EQ(store.resolve("01a"), "02ddd5");
}

TEST_F(FindRun, SeveralAreListed) {
  const std::string sentence = missing("01a");
  EXPECT_NE(sentence.find("several runs"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("01aaa1"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("01aab2  2026-11-03T08:00:00.000Z  evening"), std::string::npos) << sentence;
  EXPECT_EQ(sentence.find("01bbb3"), std::string::npos) << sentence;
}

TEST_F(FindRun, NoneSaysWhatThereIs) {
  for (const std::string reference : {"nightly", "%", "_1aaa1", "", "01aaa1x"}) {
    const std::string sentence = missing(reference);
    EXPECT_NE(sentence.find("\"" + reference + "\""), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("01aab2"), std::string::npos) << sentence;
  }
}

TEST_F(FindRun, AnEmptyDatabaseSaysSo) {
  const Store empty(folder / "empty.db");
  EXPECT_NE(problem_in([&] { static_cast<void>(empty.resolve("last")); }).find("There is no run in"),
            std::string::npos);
}

TEST_F(FindRun, DeletedRunsAreFoundOnlyInTheTrash) {
  store.remove("01aab2");
  EXPECT_EQ(store.resolve("evening"), "01bbb3");
  EXPECT_EQ(store.resolve("last"), "01bbb3");
  EXPECT_EQ(store.resolve("evening", true), "01aab2");
  EXPECT_EQ(store.resolve("last", true), "01aab2");
  EXPECT_EQ(store.resolve("01a"), "01aaa1");
  EXPECT_NE(missing("01aab2").find("restore 01aab2"), std::string::npos) << missing("01aab2");
  EXPECT_NE(missing("01bbb3", true).find("not in the trash"), std::string::npos) << missing("01bbb3", true);
}

TEST_F(FindRun, TheListIsNewestFirst) {
  const auto runs = store.list();
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_EQ(runs[0].id, "01aab2");
  EXPECT_EQ(runs[1].id, "01bbb3");
  EXPECT_EQ(runs[2].id, "01aaa1");
  EXPECT_EQ(runs[3].id, "01ccc4");
}

TEST_F(FindRun, ALineOfTheListTellsTheRun) {
  store.append(RunStarted{run_of("02eee6", "night", "2026-12-01T08:00:00.000Z")});
  store.append(VisitEnded{sample_visit(0), 1, std::nullopt});
  store.append(VisitEnded{failed_visit(1), 2, std::nullopt});
  store.append(sample_end());
  const RunSummary line = store.list().front();
  EXPECT_EQ(line.id, "02eee6");
  EXPECT_EQ(line.name, "night");
  EXPECT_EQ(line.preset, "l2-cliff");
  EXPECT_EQ(line.state, RunState::incomplete);
  EXPECT_EQ(line.started_at, "2026-12-01T08:00:00.000Z");
  EXPECT_EQ(line.host_name, "lab-7");
  EXPECT_EQ(line.cpu_model, "AMD EPYC 7B13");
  EXPECT_EQ(line.points, 2);
  EXPECT_EQ(line.visits, 2);
  EXPECT_FALSE(line.deleted);
}

} // namespace
} // namespace switchscope
