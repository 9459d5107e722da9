// One measurement at a time on a machine: an abstract Unix socket that the kernel frees when its last holder is gone,
// by whatever end. The holder answers whoever connects with one line about itself and keeps the connection open, so
// that a waiter is woken by its end and need not poll. The name is one for all users of a network namespace.
#pragma once

#include "engine/worker/file_descriptor.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace switchscope {

class MachineLock {
public:
  // Absent when another holds it: `holder` then says who ("root, process 812, CPUs 1, since ..."), and `waiting_on` is
  // the open connection to it, which ends with it. Throws VisitProblem ("busy") when the socket cannot be made at all.
  struct Attempt;
  [[nodiscard]] static Attempt try_take();

  // The measuring tasks inherit it on purpose: the machine is free only when they are gone too.
  [[nodiscard]] int socket() const { return socket_.get(); }
  // Takes in who has connected since; does not block.
  void answer(std::string_view line);
  // In a forked task: a waiter must be woken by the end of the holder, not of the task.
  void close_connections() { connections_.clear(); }

private:
  explicit MachineLock(FileDescriptor socket) : socket_(std::move(socket)) {}
  FileDescriptor socket_;
  std::vector<FileDescriptor> connections_;
};

struct MachineLock::Attempt {
  std::optional<MachineLock> lock;
  std::string holder;
  FileDescriptor waiting_on;
};

} // namespace switchscope
