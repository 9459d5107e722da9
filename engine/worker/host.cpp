#include "engine/worker/host.h"

#include "engine/model/utc.h"
#include "engine/worker/clock.h"
#include "engine/worker/describe.h"
#include "engine/worker/failure.h"
#include "engine/worker/file_descriptor.h"
#include "engine/worker/lines.h"
#include "engine/worker/machine_lock.h"
#include "engine/worker/proc_counters.h"
#include "engine/worker/scheduling.h"
#include "engine/worker/visit_process.h"

#include <cerrno>
#include <csignal>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <variant>

namespace switchscope {
namespace {

constexpr int no_input = -1;

// False when the input ended first.
bool end_of_holder_comes(int holder, int input) {
  pollfd either[2] = {{holder, POLLIN, 0}, {input, POLLIN, 0}};
  for (;;) {
    if (poll(either, input == no_input ? 1 : 2, -1) < 0) continue;
    char ignored[256];
    if (either[0].revents != 0 && read(holder, ignored, sizeof ignored) <= 0) return true;
    // Commands may already wait there; only the end of stdin ends this process.
    if (either[1].revents != 0 && (either[1].revents & POLLIN) == 0) return false;
    if ((either[1].revents & POLLIN) != 0) either[1].events = 0;
  }
}

// The lock, or the exit code when there is none to be had. `input` may end the wait.
std::variant<MachineLock, int> take_machine(bool wait, int input) {
  std::string told; // one `waiting` line for each holder
  for (;;) {
    MachineLock::Attempt attempt = MachineLock::try_take();
    if (attempt.lock) return std::move(*attempt.lock);
    if (!wait) {
      write_event(WorkerError{
          0, "busy", "another measurement holds this machine (" + attempt.holder + "): wait for it, or use --wait"});
      return exit_cannot;
    }
    if (attempt.holder != told) write_event(Waiting{attempt.holder});
    told = attempt.holder;
    if (!end_of_holder_comes(attempt.waiting_on.get(), input)) return exit_ok;
  }
}

class Host {
public:
  // Throws VisitProblem ("pipe").
  explicit Host(MachineLock lock) : lock_(std::move(lock)), since_(utc_now_text().substr(0, 19) + "Z") {
    // A task whose parent died is handed to this process, so that none outlives it unseen.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigset_t child_ended;
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ended, nullptr);
    child_ended_ = FileDescriptor(signalfd(-1, &child_ended, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!child_ended_.is_open()) // nobody would ever learn that a visit is over
      throw VisitProblem("pipe", "cannot watch for the end of a visit: " + error_text(errno) +
                                     "; raise the limit of open files, or close other programs");
  }
  ~Host() {
    if (is_measuring()) kill(visit_, SIGKILL);
    while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
    }
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  [[nodiscard]] bool is_measuring() const { return visit_ > 0; }
  // The way the last visit ended; not looked at before one has.
  [[nodiscard]] bool last_visit_was_done() const { return last_was_done_; }
  [[nodiscard]] bool has_reader() const { return has_reader_; }

  void start(const MeasureCommand& command, std::int64_t received_ns) {
    placement_ = text_of(command.request.point.placement);
    start(command.id, [&] { return start_visit(command, received_ns, lock_); });
  }
  void start(const SharesCommand& command) {
    placement_ = std::to_string(command.request.cpu);
    start(command.id, [&] { return start_sharing(command, lock_); });
  }

  // Sleeps until a visit has ended, somebody asked for the machine, or the input has something; true for the last.
  bool sleep(int input) {
    pollfd events[3] = {{child_ended_.get(), POLLIN, 0}, {lock_.socket(), POLLIN, 0}, {input, POLLIN, 0}};
    if (poll(events, input == no_input ? 2 : 3, -1) < 0) return false;
    if (events[0].revents != 0) collect();
    if (events[1].revents != 0) lock_.answer(description());
    return events[2].revents != 0;
  }

private:
  template <class Start> void start(std::int64_t id, Start start_process) {
    id_ = id;
    try {
      visit_ = start_process();
    } catch (const VisitProblem& problem) {
      write_event(WorkerError{id, problem.code, problem.what()});
      last_was_done_ = false;
    }
  }

  [[nodiscard]] std::string description() const {
    return user_name(file_text("/etc/passwd"), getuid()) + ", process " + std::to_string(getpid()) + ", CPUs " +
           placement_ + ", since " + since_;
  }

  void collect() {
    signalfd_siginfo ignored[8];
    while (read(child_ended_.get(), ignored, sizeof ignored) > 0) {
    }
    int status = 0;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (ended != visit_) continue; // an orphaned task B
      visit_ = -1;
      last_was_done_ = was_done(status);
      has_reader_ = !found_no_reader(status);
      // Its task B is being ended by the kernel; the next visit must not meet it.
      while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
      }
      if (const auto error = error_of_end(id_, status)) has_reader_ = write_event(*error);
    }
  }

  MachineLock lock_;
  std::string since_;
  std::string placement_ = "none yet";
  FileDescriptor child_ended_;
  pid_t visit_ = -1;
  std::int64_t id_ = 0;
  bool last_was_done_ = false;
  bool has_reader_ = true;
};

void obey(Host& host, const CommandLines::Line& line, std::int64_t received_ns, const std::string& sysroot) {
  if (line.too_long) {
    write_event(WorkerError{0, "arguments",
                            "a command of more than " + std::to_string(max_command_bytes) +
                                " bytes is refused; it begins with: " + line.text.substr(0, 60)});
    return;
  }
  const auto decoded = decode_command(line.text);
  if (const auto* const error = std::get_if<DecodeError>(&decoded)) {
    write_event(WorkerError{0, "arguments", error->message});
    return;
  }
  const auto& command = std::get<WorkerCommand>(decoded);
  if (const auto* const measure = std::get_if<MeasureCommand>(&command))
    host.start(*measure, received_ns);
  else if (const auto* const shares = std::get_if<SharesCommand>(&command))
    host.start(*shares);
  else
    write_event(collect_facts(sysroot));
}

int serve_machine(bool wait, const std::string& sysroot) {
  auto taken = take_machine(wait, STDIN_FILENO);
  if (const int* const code = std::get_if<int>(&taken)) return *code;
  Host host(std::move(std::get<MachineLock>(taken)));
  if (!write_event(Ready{})) return exit_failed;
  CommandLines commands;
  std::int64_t received_ns = monotonic_raw_ns();
  for (;;) {
    while (!host.is_measuring()) {
      const auto line = commands.next();
      if (!line) break;
      obey(host, *line, received_ns, sysroot);
      received_ns = monotonic_raw_ns();
    }
    const bool has_input = host.sleep(STDIN_FILENO);
    if (!host.has_reader()) return exit_failed;
    if (!has_input) continue;
    received_ns = host.is_measuring() ? received_ns : monotonic_raw_ns();
    if (commands.read_more(STDIN_FILENO) == CommandLines::Input::ended) return exit_ok;
    if (commands.is_flooded()) {
      write_event(WorkerError{0, "arguments",
                              "more than " + std::to_string(max_waiting_bytes) +
                                  " bytes of commands wait: send one when the last is answered"});
      return exit_bad_arguments;
    }
  }
}

int obey_one(const WorkerCommand& command, bool wait) {
  auto taken = take_machine(wait, no_input);
  if (const int* const code = std::get_if<int>(&taken)) return *code;
  const std::int64_t received_ns = monotonic_raw_ns(); // waiting for the machine is no part of the visit
  Host host(std::move(std::get<MachineLock>(taken)));
  if (const auto* const shares = std::get_if<SharesCommand>(&command))
    host.start(*shares);
  else
    host.start(std::get<MeasureCommand>(command), received_ns);
  while (host.is_measuring()) host.sleep(no_input);
  return host.last_visit_was_done() ? exit_ok : exit_cannot;
}

// Greets, then works; says what stands in the way. `work` gives the exit code.
template <class Work> int host_of(Work work) {
  die_with(getppid());
  std::signal(SIGPIPE, SIG_IGN);
  if (!write_event(hello_of_this_worker())) return exit_failed;
  try {
    return work();
  } catch (const VisitProblem& problem) {
    write_event(WorkerError{0, problem.code, problem.what()});
    return exit_cannot;
  }
}

} // namespace

int serve(bool wait, const std::string& sysroot) {
  return host_of([&] { return serve_machine(wait, sysroot); });
}

int obey_once(const WorkerCommand& command, bool wait) {
  return host_of([&] { return obey_one(command, wait); });
}

} // namespace switchscope
