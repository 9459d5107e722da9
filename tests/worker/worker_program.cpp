#include "worker_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sched.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace switchscope {

WorkerProgram::WorkerProgram(const std::vector<std::string>& arguments, const std::vector<std::string>& launcher,
                             const std::function<void()>& before_exec) {
  std::signal(SIGPIPE, SIG_IGN);
  int to_worker[2], from_worker[2];
  if (pipe2(to_worker, O_CLOEXEC) != 0 || pipe2(from_worker, O_CLOEXEC) != 0) {
    fail("no pipes");
    return;
  }
  std::vector<std::string> command = launcher;
  const bool launcher_names_a_worker = !launcher.empty() && launcher.back().ends_with("switchscope-worker");
  if (!launcher_names_a_worker) command.emplace_back(SWITCHSCOPE_WORKER);
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    setpgid(0, 0);
    dup2(to_worker[0], STDIN_FILENO);
    dup2(from_worker[1], STDOUT_FILENO);
    std::signal(SIGPIPE, SIG_DFL);
    if (before_exec) before_exec();
    execvp(argv[0], argv.data());
    _exit(127);
  }
  setpgid(pid_, pid_);
  close(to_worker[0]);
  close(from_worker[1]);
  input_ = to_worker[1];
  output_ = from_worker[0];
}

WorkerProgram::~WorkerProgram() {
  close_input();
  if (pid_ > 0) {
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(output_);
}

void WorkerProgram::fail(const std::string& sentence) {
  ADD_FAILURE() << sentence;
}

void WorkerProgram::send(const std::string& line) {
  const std::string text = line + "\n";
  if (write(input_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) fail("the worker takes no command");
}

void WorkerProgram::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

std::optional<WorkerEvent> WorkerProgram::next() {
  for (;;) {
    if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
      const auto decoded = decode_event(std::string_view(read_).substr(0, end));
      read_.erase(0, end + 1);
      if (const auto* const error = std::get_if<DecodeError>(&decoded)) {
        fail("not a line of the protocol: " + error->message);
        return std::nullopt;
      }
      return std::get<WorkerEvent>(decoded);
    }
    pollfd wait{output_, POLLIN, 0};
    if (poll(&wait, 1, 30'000) <= 0) {
      fail("the worker said nothing for 30 s");
      return std::nullopt;
    }
    char chunk[65536];
    const ssize_t got = read(output_, chunk, sizeof chunk);
    if (got <= 0) {
      if (!read_.empty()) fail("half a line at the end: " + read_);
      return std::nullopt;
    }
    read_.append(chunk, static_cast<std::size_t>(got));
  }
}

int WorkerProgram::wait() {
  int status = 0;
  if (pid_ <= 0 || waitpid(pid_, &status, 0) != pid_) return -1000;
  // The group is left to the test: whether somebody is still in it is what it asks.
  pid_ = -1;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

const Done* WorkerRun::done() const {
  return events.empty() ? nullptr : std::get_if<Done>(&events.back());
}
const WorkerError* WorkerRun::error() const {
  return events.empty() ? nullptr : std::get_if<WorkerError>(&events.back());
}

std::vector<Block> WorkerRun::blocks() const {
  std::vector<Block> blocks;
  for (const WorkerEvent& event : events)
    if (const auto* const line = std::get_if<BlockLine>(&event)) blocks.push_back(line->block);
  return blocks;
}

WorkerRun run_worker(const std::vector<std::string>& arguments, const std::vector<std::string>& launcher,
                     const std::function<void()>& before_exec) {
  WorkerProgram worker(arguments, launcher, before_exec);
  WorkerRun run;
  while (auto event = worker.next()) run.events.push_back(std::move(*event));
  run.exit_code = worker.wait();
  return run;
}

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  return cpus;
}

int last_cpu() {
  return allowed_cpus().back();
}

std::vector<std::string> visit_arguments(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"switch-cost", "--wait"};
  const auto add_unless_given = [&](const std::string& name, const std::string& value) {
    if (std::find(more.begin(), more.end(), name) == more.end()) arguments.insert(arguments.end(), {name, value});
  };
  add_unless_given("--cpu", std::to_string(last_cpu()));
  add_unless_given("--duration-ns", "60000000");
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::vector<ProcessInfo> members_of_group(pid_t group) {
  std::vector<ProcessInfo> members;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    std::string text;
    if (!std::getline(file, text)) continue;
    std::istringstream rest(text.substr(std::min(text.rfind(')') + 1, text.size())));
    char state = 0;
    pid_t parent = 0, process_group = 0;
    if (rest >> state >> parent >> process_group && process_group == group && state != 'Z')
      members.push_back({static_cast<pid_t>(std::stol(name)), parent});
  }
  return members;
}

bool becomes_true(const std::function<bool()>& condition) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > give_up) return false;
    poll(nullptr, 0, 2); // looking at /proc all the time would take the CPU from what is awaited
  }
  return true;
}

} // namespace switchscope
