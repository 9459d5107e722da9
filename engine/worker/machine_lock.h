// One measurement at a time on a machine: an abstract Unix socket that the kernel frees when its last holder is gone,
// by whatever end. The holder answers whoever connects with one line about itself and keeps the connection open, so
// that a waiter is woken by its end and need not poll. The name is one for all users of a network namespace.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace switchscope {

class MachineLock {
public:
  // Absent when another holds it: `holder` then says who ("root, process 812, CPUs 1, since ..."), and `waiting_on` is
  // the open connection to it, for wait_for_end. Throws VisitProblem ("busy") when the socket cannot be made at all.
  struct Attempt;
  [[nodiscard]] static Attempt try_take();

  MachineLock(MachineLock&&) noexcept;
  MachineLock& operator=(MachineLock&&) = delete;
  ~MachineLock();

  // The measuring tasks inherit it on purpose: the machine is free only when they are gone too.
  [[nodiscard]] int socket() const { return socket_; }
  // Takes in who has connected since; does not block.
  void answer(std::string_view line);
  // In a forked task: a waiter must be woken by the end of the holder, not of the task.
  void close_connections();

private:
  explicit MachineLock(int socket) : socket_(socket) {}
  int socket_ = -1;
  std::vector<int> connections_;
};

struct MachineLock::Attempt {
  std::optional<MachineLock> lock;
  std::string holder;
  int waiting_on = -1; // to be closed by the caller
};

} // namespace switchscope
