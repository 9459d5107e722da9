// Kills at random moments: nothing committed is lost, nothing is stored twice, nobody is left behind.
#include "engine/protocol/json.h"
#include "engine/store/store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;
using namespace switchscope;
using Clock = std::chrono::steady_clock;

namespace {

const fs::path bin = fs::path(SWITCHSCOPE_BINARY_DIR) / "bin";

struct Places {
  fs::path folder; // of this test alone; readable by the user who runs
  fs::path cli;
  fs::path worker;
  fs::path database;
};

// Processes whose program is this worker, zombies left out.
std::vector<pid_t> workers_alive(const fs::path& worker) {
  std::vector<pid_t> alive;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const fs::path program = fs::read_symlink(entry.path() / "exe", ignored);
    if (!ignored && program == worker) alive.push_back(std::stoi(name));
    ignored.clear();
  }
  return alive;
}

// Waits until no worker is left; false after ten seconds.
bool all_workers_gone(const fs::path& worker) {
  const auto deadline = Clock::now() + std::chrono::seconds(10);
  while (!workers_alive(worker).empty())
    if (Clock::now() > deadline)
      return false;
    else
      sched_yield();
  return true;
}

struct Started {
  pid_t pid = -1;
  int events = -1; // its standard output
};

Started start_run(const Places& places, const std::vector<std::string>& prefix, const std::vector<std::string>& verb) {
  std::vector<std::string> words = prefix;
  words.push_back(places.cli);
  words.insert(words.end(), verb.begin(), verb.end());
  for (const std::string& word :
       {std::string("--events"), std::string("--progress"), std::string("none"), std::string("--worker"),
        places.worker.string(), std::string("--db"), places.database.string()})
    words.push_back(word);
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return {};
  const pid_t pid = fork();
  if (pid == 0) {
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    dup2(pipe_ends[1], STDOUT_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  close(pipe_ends[1]);
  return {pid, pipe_ends[0]};
}

// Reads whole event lines until the moment comes or the program ends. What was read was committed before.
void read_until(int events, Clock::time_point moment, std::string& text) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(moment - Clock::now()).count();
    pollfd wait{events, POLLIN, 0};
    if (left <= 0 || poll(&wait, 1, static_cast<int>(left)) <= 0) {
      if (left <= 1) return;
      continue;
    }
    std::array<char, 65536> chunk{};
    const ssize_t got = read(events, chunk.data(), chunk.size());
    if (got <= 0) return;
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

struct Acknowledged {
  std::string run_id;
  std::set<int> sequences;
};

Acknowledged acknowledged_in(const std::string& text) {
  Acknowledged seen;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (lines.eof()) break; // a line cut short by the kill
    const RunEvent event = run_event_from_text(line);
    if (const auto* started = std::get_if<RunStarted>(&event)) seen.run_id = started->run.id;
    if (const auto* ended = std::get_if<VisitEnded>(&event)) seen.sequences.insert(ended->visit.sequence);
  }
  return seen;
}

enum class Victim { worker, program, both };

void kill_victims(Victim victim, pid_t program, const fs::path& worker, std::mt19937& random) {
  const auto workers = workers_alive(worker);
  if (victim != Victim::program && !workers.empty())
    kill(workers[std::uniform_int_distribution<std::size_t>(0, workers.size() - 1)(random)], SIGKILL);
  if (victim != Victim::worker) kill(program, SIGKILL);
}

// One round: start (or resume what the last round left), kill at a random moment, look at what is left.
void play_rounds(const Places& places, const std::vector<std::string>& prefix, int rounds, unsigned seed) {
  std::mt19937 random(seed);
  std::string unfinished;
  int rounds_that_measured = 0;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const auto victim = static_cast<Victim>(round % 3);
    const bool resume = !unfinished.empty() && round % 2 == 1;
    const std::vector<std::string> verb =
        resume ? std::vector<std::string>{"resume", unfinished}
               : std::vector<std::string>{"run", "--size", "4KiB,64KiB", "--stride", "128B", "--budget", "10s"};
    const Started started = start_run(places, prefix, verb);
    ASSERT_GT(started.pid, 0);
    const auto moment = Clock::now() + std::chrono::milliseconds(std::uniform_int_distribution<int>(1, 400)(random));
    std::string text;
    read_until(started.events, moment, text);
    kill_victims(victim, started.pid, places.worker, random);
    if (victim == Victim::worker) { // the program lives on: it replaces its worker until it is ended too
      read_until(started.events, Clock::now() + std::chrono::milliseconds(30), text);
      kill(started.pid, SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(started.pid, &status, 0), started.pid);
    for (std::array<char, 65536> rest{};;) { // committed and told, but not read yet
      const ssize_t got = read(started.events, rest.data(), rest.size());
      if (got <= 0) break;
      text.append(rest.data(), static_cast<std::size_t>(got));
    }
    close(started.events);

    EXPECT_TRUE(all_workers_gone(places.worker)) << "a worker outlived the kill";
    if (!fs::exists(places.database)) continue; // killed before it was made
    const Store store(places.database, Store::Access::read_only);
    EXPECT_EQ(store.verify(), std::vector<std::string>{});
    const Acknowledged seen = acknowledged_in(text);
    if (seen.run_id.empty()) continue;
    std::set<int> stored;
    for (const auto& visit : store.load_visits(seen.run_id))
      EXPECT_TRUE(stored.insert(visit.sequence).second) << "visit " << visit.sequence << " is stored twice";
    EXPECT_TRUE(std::includes(stored.begin(), stored.end(), seen.sequences.begin(), seen.sequences.end()))
        << "a committed visit is lost";
    unfinished = seen.run_id;
    if (!seen.sequences.empty()) ++rounds_that_measured;
  }
  // A kill before the first visit shows little; most moments lie after it.
  EXPECT_GT(rounds_that_measured, rounds / 4) << "too few rounds got as far as a visit; does something else measure?";
}

class Kill : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "switchscope-kill-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    places_.folder = pattern;
    places_.cli = places_.folder / "switchscope-cli";
    places_.worker = places_.folder / "switchscope-worker";
    places_.database = places_.folder / "runs.db";
    fs::copy_file(bin / "switchscope-cli", places_.cli);
    fs::copy_file(bin / "switchscope-worker", places_.worker);
  }
  void TearDown() override { fs::remove_all(places_.folder); }
  Places places_;
};

} // namespace

TEST_F(Kill, hundredRoundsAsTheUserWhoRunsTheTests) {
  play_rounds(places_, {}, 100, 1);
}

TEST_F(Kill, hundredRoundsAsAnotherUserWithAWorkerThatCarriesCapabilities) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root, to become another user and to give a file capabilities";
  if (std::system(("setcap cap_sys_nice,cap_ipc_lock+ep " + places_.worker.string()).c_str()) != 0)
    GTEST_SKIP() << "setcap is absent or this file system keeps no capabilities";
  ASSERT_EQ(chmod(places_.folder.c_str(), 0755), 0);
  ASSERT_EQ(chown(places_.folder.c_str(), 65534, 65534), 0);
  play_rounds(places_, {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"}, 100, 2);
}
