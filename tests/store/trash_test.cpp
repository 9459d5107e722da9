// Deleting a run moves it to the trash; nothing measured is lost by it.
#include "tests/store/samples.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

TEST(Trash, ARemovedRunIsHiddenAndComesBackWhole) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  const auto run = sample_run();
  store_run(store, run, 3);
  const auto before = store.load_run(run.id);
  const auto visits = store.load_visits(run.id);

  store.remove(run.id);
  EXPECT_TRUE(store.list().empty());
  ASSERT_EQ(store.list(true).size(), 1U);
  EXPECT_TRUE(store.list(true).front().deleted);

  store.restore(run.id);
  ASSERT_EQ(store.list().size(), 1U);
  EXPECT_FALSE(store.list().front().deleted);
  EXPECT_EQ(store.load_run(run.id), before);
  EXPECT_EQ(store.load_visits(run.id), visits);
}

TEST(Trash, AnUnknownRunIsASentence) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  EXPECT_NE(problem_in([&] { store.remove("nope"); }).find("no run nope"), std::string::npos);
  EXPECT_NE(problem_in([&] { store.restore("nope"); }).find("no run nope"), std::string::npos);
  EXPECT_NE(problem_in([&] { static_cast<void>(store.load_run("nope")); }).find("no run nope"), std::string::npos);
  EXPECT_NE(problem_in([&] { static_cast<void>(store.load_visits("nope")); }).find("no run nope"), std::string::npos);
}

} // namespace
} // namespace switchscope
