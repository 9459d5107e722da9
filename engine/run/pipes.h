// Pipes to and from a child process, and how to use them without harm.
#pragma once

#include "engine/run/descriptor.h"

#include <csignal>
#include <string>

namespace switchscope {

// Both ends above 2, so that no dup2 in a child finds its target in use, and closed by any exec.
struct ChildPipe {
  Descriptor read_end;
  Descriptor write_end;
};
[[nodiscard]] ChildPipe make_pipe(); // throws WorkerProblem when there are no descriptors left

void make_nonblocking(int descriptor);

// Appends what is there now. False: the other end is closed.
[[nodiscard]] bool read_into(int descriptor, std::string& text);

// Writing to a process that has just died must not kill us, whatever the program does with SIGPIPE elsewhere. For the
// calling thread, as long as it lives.
class WithoutSigpipe {
public:
  WithoutSigpipe();
  ~WithoutSigpipe();
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

private:
  sigset_t pipe_only_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

} // namespace switchscope
