#include "engine/run/worker_process.h"

#include "engine/run/pipes.h"
#include "engine/run/program_path.h"
#include "engine/run/worker_link.h"

#include <boost/version.hpp>
#if BOOST_VERSION < 108600
// Up to 1.85 Process is header-only, and std::filesystem spares a second library. 1.81's headers forget these three.
#define BOOST_PROCESS_USE_STD_FS
#include <boost/optional.hpp>
#include <boost/type_traits/is_constructible.hpp>
#include <boost/type_traits/remove_pointer.hpp>
#endif
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/process/v2.hpp>

#include <fmt/core.h>

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <future>
#include <system_error>
#include <thread>

namespace switchscope {

namespace {

namespace process = boost::process::v2;
using namespace std::chrono_literals;
using Kind = WorkerProblem::Kind;

constexpr auto term_patience = 2s;
constexpr auto kill_patience = 5s;     // one still there then belongs to another user, or hangs in the kernel
constexpr auto drain_patience = 1s;    // a grandchild outside the group may hold the pipe open for ever
constexpr auto group_patience = 200ms; // for the killed rest of a group to be gone
constexpr auto step_without_handle = 10ms;
constexpr std::size_t errors_kept = 4096;
constexpr int pipe_bytes = 1 << 20; // so that the worker is rid of its lines at once

std::string error_text(int number) {
  return std::generic_category().message(number);
}

timespec timespec_until(WorkerProcess::Clock::time_point until) {
  const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(until - WorkerProcess::Clock::now()).count();
  if (left <= 0) return {};
  return {static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
}

void keep_from_exec(int number) {
  ::fcntl(number, F_SETFD, FD_CLOEXEC);
}

// Runs in the child, last of all initializers, and executes the program itself. Boost would report a failed exec by
// exit(), which runs our atexit handlers and flushes our streams a second time; its list of descriptors to close is
// defective up to 1.84. Only async-signal-safe calls here.
struct ChildSetup {
  pid_t parent = 0;
  int failure = -1; // where errno goes when there is nothing to execute; closed by a successful exec

  process::error_code on_exec_setup(process::posix::default_launcher& launcher,
                                    const process::filesystem::path& program, const char* const* argv) const {
    ::setsid(); // its own group; and without our terminal a launcher that wants a password fails instead of stopping
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(126); // the parent died before the line above
    for (const int number : {SIGPIPE, SIGTERM, SIGINT, SIGQUIT, SIGCHLD, SIGALRM, SIGXCPU}) ::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (::syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC) != 0) {
      rlimit limit{};
      const rlim_t all = ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? std::min<rlim_t>(limit.rlim_cur, 65536) : 65536;
      for (int number = 3; static_cast<rlim_t>(number) < all; ++number) keep_from_exec(number);
    }
    ::execve(program.c_str(), const_cast<char* const*>(argv), const_cast<char* const*>(launcher.env));
    const int why = errno;
    [[maybe_unused]] const auto written = ::write(failure, &why, sizeof why);
    ::_exit(127);
  }
};

std::jthread thread_without_signals(boost::asio::io_context& io) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::jthread thread([&io] { io.run(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

// What the child wrote instead of becoming the program; 0: it became it, which closed the pipe.
int exec_failure(ChildPipe failure) {
  failure.write_end.reset();
  int why = 0;
  while (::read(failure.read_end.get(), &why, sizeof why) < 0 && errno == EINTR) {
  }
  return why;
}

[[noreturn]] void refuse_exec(const std::string& program, int why) {
  if (why == ENOEXEC)
    throw WorkerProblem(Kind::not_executable,
                        fmt::format("{} is not a program of a kind this machine can run. Check that "
                                    "it was built for this architecture.",
                                    program));
  if (why == ENOENT)
    throw WorkerProblem(Kind::not_executable,
                        fmt::format("{} needs an interpreter or loader that is not there. Check its "
                                    "first line, or build it for this system.",
                                    program));
  throw WorkerProblem(
      Kind::not_executable,
      fmt::format("{} could not be started: {}. Check the file and its permissions.", program, error_text(why)));
}

} // namespace

// ---- LaunchThread ----

struct LaunchThread::Inside {
  struct ChildPipes {
    ChildPipe in = make_pipe();
    ChildPipe out = make_pipe();
    ChildPipe err = make_pipe();
    ChildPipe failure = make_pipe();
  };
  struct Launched {
    pid_t pid = 0;   // 0: there is no process
    std::string why; // then
  };

  boost::asio::io_context io{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work = boost::asio::make_work_guard(io);
  std::vector<pid_t> never_ended; // used on the thread only, and after it
  std::jthread thread = thread_without_signals(io);

  void reap_latecomers() {
    std::erase_if(never_ended, [](pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) != 0; });
  }

  // On the thread. Tells what happened as a value: an exception would be shared between two threads.
  Launched launch(const std::string& program, const std::vector<std::string>& arguments, const ChildPipes& pipes) {
    reap_latecomers();
    process::posix::default_launcher launcher;
    process::process_stdio standard{pipes.in.read_end.get(), pipes.out.write_end.get(), pipes.err.write_end.get()};
    const ChildSetup setup{::getpid(), pipes.failure.write_end.get()};
    process::error_code code;
    try {
      launcher(io.get_executor(), code, process::filesystem::path(program), arguments, standard, setup).detach();
    } catch (const boost::system::system_error& problem) {
      // Boost's own handle on the child needs pidfd_open, which old containers forbid; it is refused after the fork.
      if (launcher.pid <= 0) code = problem.code();
    }
    if (launcher.pid > 0 && !code) return {launcher.pid, {}};
    if (launcher.pid > 0) ::waitpid(launcher.pid, nullptr, 0);
    return {0, code.message()};
  }
};

LaunchThread::LaunchThread() : inside_(std::make_unique<Inside>()) {}

LaunchThread::~LaunchThread() {
  inside_->work.reset();
  inside_->thread.join();
  inside_->reap_latecomers();
}

// ---- WorkerProcess ----

std::string text_of(const ProcessEnd& end) {
  if (!end.exit_code && !end.signal) return "could not be ended";
  if (!end.by_itself) return "was ended";
  if (end.signal) {
    const char* name = ::sigdescr_np(*end.signal);
    return fmt::format("was killed by signal {} ({})", *end.signal, name == nullptr ? "unknown" : name);
  }
  return fmt::format("ended with exit code {}", *end.exit_code);
}

WorkerProcess::WorkerProcess(LaunchThread& launch_thread, const std::vector<std::string>& argv, const WakeUp& wake,
                             std::size_t line_limit)
    : launch_thread_(launch_thread), wake_(wake), line_limit_(line_limit) {
  const std::string program = program_path(argv.empty() ? "" : argv.front());
  const std::vector<std::string> arguments(argv.empty() ? argv.begin() : argv.begin() + 1, argv.end());
  LaunchThread::Inside::ChildPipes pipes;
  // Refused beyond the user's share of pipes; then it stays small.
  ::fcntl(pipes.out.read_end.get(), F_SETPIPE_SZ, pipe_bytes);

  auto* inside = launch_thread.inside_.get();
  std::packaged_task<LaunchThread::Inside::Launched()> launching(
      [&program, &arguments, &pipes, inside] { return inside->launch(program, arguments, pipes); });
  auto launched = launching.get_future();
  boost::asio::post(inside->io, [task = std::move(launching)]() mutable { task(); });
  const auto [pid, why] = launched.get();
  if (pid <= 0)
    throw WorkerProblem(Kind::broken, fmt::format("No process could be made for {}: {}. Close other programs, or raise "
                                                  "the limit of processes.",
                                                  program, why));
  if (const int refused = exec_failure(std::move(pipes.failure)); refused != 0) {
    ::waitpid(pid, nullptr, 0);
    refuse_exec(program, refused);
  }
  pid_ = pid;
  input_ = std::move(pipes.in.write_end);
  output_ = std::move(pipes.out.read_end);
  error_output_ = std::move(pipes.err.read_end);
  handle_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  for (const auto* ours : {&input_, &output_, &error_output_}) make_nonblocking(ours->get());
}

WorkerProcess::~WorkerProcess() {
  end();
}

std::optional<std::string> WorkerProcess::take_line() {
  const std::size_t newline = unread_.find('\n', searched_);
  if (newline == std::string::npos) {
    searched_ = unread_.size();
    return std::nullopt;
  }
  std::string line = unread_.substr(0, newline);
  unread_.erase(0, newline + 1);
  searched_ = 0;
  return line;
}

Received WorkerProcess::next_line(Clock::time_point deadline) {
  using What = Received::What;
  for (;;) {
    if (wake_.raised()) return {What::stopped, {}};
    auto line = take_line();
    if (line && line->size() <= line_limit_) return {What::line, std::move(*line)};
    if (line || unread_.size() > line_limit_) return {What::too_long, (line ? *line : unread_).substr(0, 256)};
    if (!output_.is_open()) {
      if (unread_.empty()) return {What::end, {}};
      searched_ = 0;
      return {What::half_line, std::exchange(unread_, {})};
    }
    if (!wait(deadline, false)) return {What::timed_out, {}};
  }
}

WorkerProcess::Sent WorkerProcess::send_line(std::string_view line, Clock::time_point deadline) {
  std::string text(line);
  text += '\n';
  const WithoutSigpipe quiet;
  std::size_t sent = 0;
  while (input_.is_open()) {
    if (wake_.raised()) return Sent::stopped;
    const ssize_t count = ::write(input_.get(), text.data() + sent, text.size() - sent);
    if (count >= 0) {
      sent += static_cast<std::size_t>(count);
      if (sent == text.size()) return Sent::all;
    } else if (errno == EAGAIN) {
      if (!wait(deadline, true)) return Sent::timed_out;
    } else if (errno != EINTR) {
      input_.reset();
    }
  }
  return Sent::closed;
}

// Sleeps until something happened and takes it in. False: the deadline passed, or nobody is left to wait for.
bool WorkerProcess::wait(Clock::time_point deadline, bool for_input) {
  const auto now = Clock::now();
  if (exited_ && now >= drain_until_) {
    output_.reset();
    error_output_.reset();
    return !for_input;
  }
  if (now >= deadline) return false;
  auto until = exited_ ? std::min(deadline, drain_until_) : deadline;
  if (!exited_ && !handle_.is_open()) until = std::min<Clock::time_point>(until, now + step_without_handle);
  const timespec timeout = timespec_until(until);

  // poll() leaves out entries with a negative descriptor.
  std::array<pollfd, 5> watched{pollfd{output_.get(), POLLIN, 0}, pollfd{error_output_.get(), POLLIN, 0},
                                pollfd{exited_ ? -1 : handle_.get(), POLLIN, 0}, pollfd{wake_.descriptor(), POLLIN, 0},
                                pollfd{for_input ? input_.get() : -1, POLLOUT, 0}};
  if (for_input) watched[0].fd = -1; // a full buffer of lines must not keep a blocked write spinning
  if (::ppoll(watched.data(), watched.size(), &timeout, nullptr) < 0 && errno != EINTR)
    throw std::system_error(errno, std::generic_category(), "waiting for the worker");
  if (watched[0].revents != 0) read_output();
  if (watched[1].revents != 0) read_errors();
  if (!exited_ && (watched[2].revents != 0 || !handle_.is_open())) look_for_exit();
  return true;
}

void WorkerProcess::look_for_exit() {
  siginfo_t info{};
  // Not reaped yet: while its number is taken, the group's number cannot become somebody else's.
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0) return;
  exited_ = true;
  drain_until_ = Clock::now() + drain_patience;
  ::kill(-pid_, SIGKILL); // what it left behind in its group may hold the pipe, or measure on
}

void WorkerProcess::read_output() {
  if (!read_into(output_.get(), unread_)) output_.reset();
}

void WorkerProcess::read_errors() {
  if (!read_into(error_output_.get(), errors_)) error_output_.reset();
  if (errors_.size() > errors_kept) errors_.erase(0, errors_.size() - errors_kept);
}

// Nothing that arrives now is wanted any more, but it must be taken, or a worker in write() would never end.
void WorkerProcess::take_in_unheard(Clock::time_point deadline) {
  const bool blind = !exited_ && !handle_.is_open();
  const timespec timeout =
      timespec_until(blind ? std::min<Clock::time_point>(deadline, Clock::now() + step_without_handle) : deadline);
  std::array<pollfd, 3> watched{pollfd{output_.get(), POLLIN, 0}, pollfd{error_output_.get(), POLLIN, 0},
                                pollfd{exited_ ? -1 : handle_.get(), POLLIN, 0}};
  ::ppoll(watched.data(), watched.size(), &timeout, nullptr);
  if (watched[0].revents != 0) read_output();
  unread_.clear();
  if (watched[1].revents != 0) read_errors();
  if (!exited_) look_for_exit();
}

bool WorkerProcess::wait_for_exit(Clock::time_point deadline) {
  while (!exited_ && Clock::now() < deadline) take_in_unheard(deadline);
  return exited_;
}

void WorkerProcess::wait_for_group(Clock::time_point deadline) {
  while ((output_.is_open() || error_output_.is_open()) && Clock::now() < deadline) take_in_unheard(deadline);
}

ProcessEnd WorkerProcess::close(std::chrono::milliseconds patience) {
  input_.reset();
  if (!end_) wait_for_exit(Clock::now() + patience);
  return end();
}

ProcessEnd WorkerProcess::end() {
  if (end_) return *end_;
  input_.reset();
  look_for_exit();
  end_ = ProcessEnd{};
  end_->by_itself = exited_;
  if (!exited_) {
    ::kill(-pid_, SIGTERM);
    ::kill(-pid_, SIGCONT); // one that was stopped hears of it only then
    wait_for_exit(Clock::now() + term_patience);
  }
  ::kill(-pid_, SIGKILL);
  if (wait_for_exit(Clock::now() + kill_patience)) {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status))
      end_->signal = WTERMSIG(status);
    else
      end_->exit_code = WEXITSTATUS(status);
    wait_for_group(Clock::now() + group_patience);
  } else {
    boost::asio::post(launch_thread_.inside_->io,
                      [inside = launch_thread_.inside_.get(), pid = pid_] { inside->never_ended.push_back(pid); });
  }
  output_.reset();
  error_output_.reset();
  handle_.reset();
  return *end_;
}

} // namespace switchscope
