// Several processes on one database: writers of different runs, readers of a run that grows, and openings at one
// moment.
#include "tests/store/samples.h"

#include <gtest/gtest.h>

#include <functional>
#include <sys/wait.h>
#include <unistd.h>

namespace switchscope {
namespace {

// Runs `work` in a child; it must not use GoogleTest. 0 on success.
pid_t in_child(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child != 0) return child;
  try {
    work();
  } catch (const std::exception& problem) {
    static_cast<void>(!write(STDERR_FILENO, problem.what(), std::char_traits<char>::length(problem.what())));
    _exit(1);
  }
  _exit(0);
}

int status_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(Concurrency, ProcessesWriteDifferentRunsAtOnce) {
  const TemporaryFolder folder;
  constexpr int visits = 60;
  std::vector<pid_t> children;
  for (const char* id : {"01", "02", "03"})
    children.push_back(in_child([&, id] {
      Store store(folder / "a.db"); // the first one makes it, whoever that is
      store_run(store, sample_run(id), visits);
      store.append(sample_end());
    }));
  for (const pid_t child : children) EXPECT_EQ(status_of(child), 0);

  const Store store(folder / "a.db");
  EXPECT_TRUE(store.verify().empty());
  for (const char* id : {"01", "02", "03"}) {
    const auto stored = store.load_visits(id);
    ASSERT_EQ(stored.size(), static_cast<std::size_t>(visits));
    for (int sequence = 0; sequence < visits; ++sequence)
      EXPECT_EQ(stored[static_cast<std::size_t>(sequence)], sample_visit(sequence));
  }
}

TEST(Concurrency, AReaderSeesWholeVisitsOfARunThatGrows) {
  const TemporaryFolder folder;
  constexpr std::size_t visits = 100;
  { const Store store(folder / "a.db"); }
  const pid_t writer = in_child([&] {
    Store store(folder / "a.db");
    store_run(store, sample_run("01"), visits);
  });
  const Store reader(folder / "a.db", Store::Access::read_only);
  std::size_t seen = 0;
  int status = -1;
  bool writing = true;
  while (writing) {
    writing = waitpid(writer, &status, WNOHANG) == 0;
    if (reader.list().empty()) continue;
    const auto stored = reader.load_visits("01");
    EXPECT_GE(stored.size(), seen);
    seen = stored.size();
    for (const Visit& visit : stored) ASSERT_EQ(visit, sample_visit(visit.sequence));
  }
  EXPECT_EQ(status, 0);
  EXPECT_EQ(seen, visits);
}

TEST(Concurrency, AVisitIsStoredByOneOfTwoProcesses) {
  const TemporaryFolder folder;
  { store_run(*std::make_unique<Store>(folder / "a.db"), sample_run("01"), 0); }
  std::vector<pid_t> children;
  for (int i = 0; i < 2; ++i)
    children.push_back(in_child([&] {
      Store store(folder / "a.db");
      store_run(store, sample_run("01"), 20);
    }));
  int refused = 0;
  for (const pid_t child : children) refused += status_of(child) != 0;
  const Store store(folder / "a.db");
  EXPECT_TRUE(store.verify().empty());
  const auto stored = store.load_visits("01");
  EXPECT_EQ(stored.size(), 20U);
  EXPECT_EQ(refused, 1);
}

TEST(Concurrency, TwoStoresInOneProcess) {
  const TemporaryFolder folder;
  Store first(folder / "a.db");
  {
    Store second(folder / "a.db");
    store_run(first, sample_run("01"), 2);
    store_run(second, sample_run("02"), 2);
  }
  first.append(VisitEnded{sample_visit(2), 1, std::nullopt}); // its locks have outlived the other's
  EXPECT_EQ(first.load_visits("01").size(), 3U);
  EXPECT_EQ(first.load_visits("02").size(), 2U);
}

} // namespace
} // namespace switchscope
