// kill -9 of a writer at any moment: the database stays good, and no visit is lost that was said to be stored.
#include "tests/store/samples.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

namespace switchscope {
namespace {

constexpr int rounds = 50;
constexpr int pairs = 8;

// What a writer sends for each stored visit. So large that the smallest pipe holds eight: a writer that nobody reads
// from waits there instead of filling the database.
constexpr std::size_t acknowledgement_bytes = 512;
constexpr int pipe_bytes = 4096;

// Appends visits to a run for as long as it lives, and acknowledges each once append() has returned.
[[noreturn]] void append_for_ever(const std::filesystem::path& path, const std::string& id, int acknowledgements) {
  try {
    Store store(path);
    store.append(RunStarted{sample_run(id)});
    int sequence = 0;
    for (const RunSummary& run : store.list())
      if (run.id == id) sequence = run.visits;
    for (;;) {
      store.append(VisitEnded{sample_visit(sequence++, pairs), 1, std::nullopt});
      const std::array<char, acknowledgement_bytes> stored{};
      if (write(acknowledgements, stored.data(), stored.size()) != acknowledgement_bytes) _exit(1);
    }
  } catch (const std::exception& problem) {
    static_cast<void>(!write(STDERR_FILENO, problem.what(), std::char_traits<char>::length(problem.what())));
    _exit(1);
  }
}

struct Victim {
  pid_t process = -1;
  int acknowledgements = -1;
};

Victim start(const std::filesystem::path& path, const std::string& id) {
  int ends[2] = {-1, -1};
  if (pipe(ends) != 0 || fcntl(ends[1], F_SETPIPE_SZ, pipe_bytes) < 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    append_for_ever(path, id, ends[1]);
  }
  close(ends[1]);
  return {child, ends[0]};
}

int read_acknowledgements(int from, int at_most) {
  int got = 0;
  std::array<char, acknowledgement_bytes> stored{};
  while (got < at_most && read(from, stored.data(), stored.size()) == acknowledgement_bytes) ++got;
  return got;
}

// A delay that is no sleep: the moment of the kill within an append must be any.
void spin_for(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST(Kill, NoVisitIsLostThatWasSaidToBeStored) {
  const TemporaryFolder folder;
  std::mt19937 random(20'261'130); // NOLINT: the same moments in every run, as far as the machine allows
  std::size_t acknowledged[2] = {0, 0};
  const std::string ids[2] = {"01", "02"};
  for (int round = 0; round < rounds; ++round) {
    // Two writers at once in every second round; the second one is killed while the first is still writing.
    const int writers = round % 2 + 1;
    Victim victims[2];
    for (int i = 0; i < writers; ++i) victims[i] = start(folder / "a.db", ids[i]);
    for (int i = writers - 1; i >= 0; --i) {
      acknowledged[i] +=
          static_cast<std::size_t>(read_acknowledgements(victims[i].acknowledgements, static_cast<int>(random() % 6)));
      spin_for(std::chrono::microseconds(random() % 2000));
      kill(victims[i].process, SIGKILL);
      int status = 0;
      waitpid(victims[i].process, &status, 0);
      ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself in round " << round;
      acknowledged[i] += static_cast<std::size_t>(read_acknowledgements(victims[i].acknowledgements, 1'000'000));
      close(victims[i].acknowledgements);
    }

    // Every third round a reader comes first: it must finish what the killed writer left.
    const Store store(folder / "a.db", round % 3 == 0 ? Store::Access::read_only : Store::Access::read_write);
    ASSERT_EQ(store.verify(), std::vector<std::string>{}) << "round " << round;
    for (int i = 0; i < 2; ++i) {
      if (acknowledged[i] == 0) continue;
      const auto visits = store.load_visits(ids[i]);
      ASSERT_GE(visits.size(), acknowledged[i]) << "round " << round;
      for (const Visit& visit : visits) ASSERT_EQ(visit, sample_visit(visit.sequence, pairs));
      acknowledged[i] = visits.size(); // one may have been stored without its acknowledgement
    }
  }
  EXPECT_GT(acknowledged[0], 30U); // the rounds did store something
}

TEST(Kill, WhileADatabaseIsBeingMade) {
  std::mt19937 random(7);
  for (int round = 0; round < rounds; ++round) {
    const TemporaryFolder folder;
    const Victim victim = start(folder / "a.db", "01");
    spin_for(std::chrono::microseconds(random() % 20'000));
    kill(victim.process, SIGKILL);
    int status = 0;
    waitpid(victim.process, &status, 0);
    const auto acknowledged = static_cast<std::size_t>(read_acknowledgements(victim.acknowledgements, 1'000'000));
    close(victim.acknowledgements);

    Store store(folder / "a.db");
    ASSERT_EQ(store.verify(), std::vector<std::string>{}) << "round " << round;
    if (acknowledged > 0) {
      ASSERT_GE(store.load_visits("01").size(), acknowledged);
    }
    store_run(store, sample_run("02"), 1); // and it can be used
  }
}

} // namespace
} // namespace switchscope
