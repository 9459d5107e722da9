// A worker as a process: launched, read line by line, written to, and ended for certain.
#pragma once

#include "engine/protocol/messages.h"
#include "engine/run/descriptor.h"
#include "engine/run/wake_up.h"

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace switchscope {

// The thread that forks. It must live as long as any process launched from it: the kernel sends the parent-death signal
// when the forking *thread* ends. One per program, made in main. Signals are blocked in it.
class LaunchThread {
public:
  LaunchThread();
  ~LaunchThread();
  LaunchThread(const LaunchThread&) = delete;
  LaunchThread& operator=(const LaunchThread&) = delete;

private:
  friend class WorkerProcess;
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

// How a process ended. Both absent: it could not be ended (it belongs to another user, or hangs in the kernel).
struct ProcessEnd {
  std::optional<int> exit_code;
  std::optional<int> signal;
  bool by_itself = false; // before it was sent any signal by us
};
// "ended with exit code 3", "was killed by signal 11 (...)", "was ended".
[[nodiscard]] std::string text_of(const ProcessEnd&);

struct Received {
  enum class What {
    line,      // `text` without its newline
    end,       // the output is closed and everything before was a whole line
    half_line, // the output is closed in the middle of a line; `text` is what came of it
    too_long,  // more than the limit without a newline; `text` is the start. The process is of no use any more
    timed_out, // nothing whole until the deadline
    stopped,   // the wake-up was raised
  };
  What what = What::end;
  std::string text;
};

// In a session and process group of its own, without any descriptor of ours but its three, with default signals, and
// killed by the kernel when our launch thread ends (a program with file capabilities must ask for that itself: exec
// takes it away from it). Its standard error is kept, the last 4 KiB of it. Used by one thread at a time; only the
// wake-up is for others. Waits are poll() on descriptors, never a loop.
class WorkerProcess {
public:
  using Clock = std::chrono::steady_clock;

  // `argv[0]` with a slash is a path, else looked for in PATH. Throws WorkerProblem: missing, not_executable or broken.
  WorkerProcess(LaunchThread&, const std::vector<std::string>& argv, const WakeUp&,
                std::size_t line_limit = max_line_bytes);
  ~WorkerProcess(); // end()
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // What the process leaves unread stays in the pipe, so a flood costs the flooder its time and not us our memory.
  [[nodiscard]] Received next_line(Clock::time_point deadline);

  enum class Sent { all, closed, timed_out, stopped };
  [[nodiscard]] Sent send_line(std::string_view line, Clock::time_point deadline); // the newline is added

  // Orderly: closes its input and gives it that long to end by itself; then as end().
  ProcessEnd close(std::chrono::milliseconds patience);
  // SIGTERM to the group, 2 s, SIGKILL to the group, reaped; and the rest of the group has let go of our pipes, so of
  // the machine's lock too. May be called again; tells the same.
  ProcessEnd end();

  [[nodiscard]] const std::string& last_errors() const { return errors_; } // raw bytes of standard error
  [[nodiscard]] pid_t pid() const { return pid_; }

private:
  std::optional<std::string> take_line();
  bool wait(Clock::time_point deadline, bool for_input);
  bool wait_for_exit(Clock::time_point deadline);
  void wait_for_group(Clock::time_point deadline);
  void take_in_unheard(Clock::time_point deadline);
  void look_for_exit();
  void read_output();
  void read_errors();

  LaunchThread& launch_thread_;
  const WakeUp& wake_;
  std::size_t line_limit_;
  pid_t pid_ = -1;
  Descriptor input_;
  Descriptor output_;
  Descriptor error_output_;
  Descriptor handle_; // pidfd; none on kernels and containers without
  std::string unread_;
  std::size_t searched_ = 0; // of unread_, for a newline
  std::string errors_;
  bool exited_ = false; // known to have ended, not yet reaped: its number cannot be given to another process
  Clock::time_point drain_until_{};
  std::optional<ProcessEnd> end_;
};

} // namespace switchscope
