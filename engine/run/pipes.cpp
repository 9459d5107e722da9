#include "engine/run/pipes.h"

#include "engine/run/worker_link.h"

#include <fmt/core.h>

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <system_error>

namespace switchscope {

namespace {

Descriptor above_standard(int number) {
  if (number > STDERR_FILENO) return Descriptor(number);
  const Descriptor low(number);
  return Descriptor(::fcntl(low.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

} // namespace

ChildPipe make_pipe() {
  std::array<int, 2> ends{-1, -1};
  ChildPipe pipe;
  if (::pipe2(ends.data(), O_CLOEXEC) == 0) {
    pipe.read_end = above_standard(ends[0]);
    pipe.write_end = above_standard(ends[1]);
  }
  if (!pipe.read_end.is_open() || !pipe.write_end.is_open())
    throw WorkerProblem(WorkerProblem::Kind::broken,
                        fmt::format("No pipe to the worker could be made: {}. Close other programs, or "
                                    "raise the limit of open files.",
                                    std::generic_category().message(errno)));
  return pipe;
}

void make_nonblocking(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

bool read_into(int descriptor, std::string& text) {
  std::array<char, 65536> piece;
  const ssize_t count = ::read(descriptor, piece.data(), piece.size());
  if (count > 0) text.append(piece.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

WithoutSigpipe::WithoutSigpipe() {
  ::sigemptyset(&pipe_only_);
  ::sigaddset(&pipe_only_, SIGPIPE);
  sigset_t pending;
  ::sigpending(&pending);
  was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
  ::pthread_sigmask(SIG_BLOCK, &pipe_only_, &before_);
}

// One that came meanwhile is taken off before the mask is restored.
WithoutSigpipe::~WithoutSigpipe() {
  const timespec at_once{};
  if (!was_pending_)
    while (::sigtimedwait(&pipe_only_, nullptr, &at_once) == -1 && errno == EINTR) {
    }
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

} // namespace switchscope
