// Runs the real switchscope-worker and reads its lines; looks at the processes it started.
#pragma once

#include "engine/protocol/messages.h"

#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace switchscope {

// A started worker, leader of its own process group. Its whole group is killed and waited for at the end.
class WorkerProgram {
public:
  // `before_exec` runs in the child. `launcher`: the program and arguments in front, setpriv for example.
  explicit WorkerProgram(const std::vector<std::string>& arguments, const std::vector<std::string>& launcher = {},
                         const std::function<void()>& before_exec = {});
  ~WorkerProgram();
  WorkerProgram(const WorkerProgram&) = delete;
  WorkerProgram& operator=(const WorkerProgram&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  void send(const std::string& line);
  void close_input();
  // The next line, absent at the end of its output. Fails the test when nothing comes for 30 s.
  [[nodiscard]] std::optional<WorkerEvent> next();
  // All up to and including the first event of the kind; what came before is dropped. Fails the test when it does not
  // come.
  template <class Event> [[nodiscard]] Event until() {
    while (auto event = next())
      if (const auto* const wanted = std::get_if<Event>(&*event)) return *wanted;
    fail("the worker ended before the expected line");
    return {};
  }
  // Waits for its end: the exit code, or minus the signal.
  [[nodiscard]] int wait();

private:
  static void fail(const std::string&);
  pid_t pid_ = -1;
  int input_ = -1, output_ = -1;
  std::string read_;
};

struct WorkerRun {
  std::vector<WorkerEvent> events;
  int exit_code = 0;
  [[nodiscard]] const Done* done() const;
  [[nodiscard]] const WorkerError* error() const;
  [[nodiscard]] std::vector<Block> blocks() const;
};
[[nodiscard]] WorkerRun run_worker(const std::vector<std::string>& arguments,
                                   const std::vector<std::string>& launcher = {},
                                   const std::function<void()>& before_exec = {});

// {"switch-cost", "--wait", "--cpu", <last allowed CPU>, "--duration-ns", "60000000", ...}: a later option must not
// repeat one of these.
[[nodiscard]] std::vector<std::string> visit_arguments(const std::vector<std::string>& more);
[[nodiscard]] int last_cpu();
[[nodiscard]] std::vector<int> allowed_cpus();

struct ProcessInfo {
  pid_t pid = 0;
  pid_t parent = 0;
};
// Living members of a process group (no zombies).
[[nodiscard]] std::vector<ProcessInfo> members_of_group(pid_t group);
// Looks again and again until it holds; false when it does not within 20 s.
[[nodiscard]] bool becomes_true(const std::function<bool()>&);

} // namespace switchscope
