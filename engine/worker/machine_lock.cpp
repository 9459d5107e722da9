#include "engine/worker/machine_lock.h"

#include "engine/worker/failure.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace switchscope {
namespace {

constexpr std::string_view socket_name = "switchscope-measuring";
constexpr int answer_timeout_ms = 2000; // a stopped holder does not answer, and is still a holder

std::pair<sockaddr_un, socklen_t> address() {
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  std::memcpy(where.sun_path + 1, socket_name.data(), socket_name.size()); // a leading 0 makes it abstract
  return {where, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + socket_name.size())};
}

int new_socket() {
  const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) throw VisitProblem("busy", "cannot make the socket that marks a measurement: " + error_text(errno));
  return made;
}

// The holder's line; absent when it ended before it answered.
std::optional<std::string> line_from(int connection) {
  std::string line;
  for (;;) {
    pollfd wait{connection, POLLIN, 0};
    if (poll(&wait, 1, answer_timeout_ms) == 0) return "a process that does not answer";
    char chunk[256];
    const ssize_t got = read(connection, chunk, sizeof chunk);
    if (got <= 0) return std::nullopt;
    line.append(chunk, static_cast<std::size_t>(got));
    if (const std::size_t end = line.find('\n'); end != std::string::npos) return line.substr(0, end);
  }
}

} // namespace

MachineLock::Attempt MachineLock::try_take() {
  const auto [where, length] = address();
  const auto* const generic = reinterpret_cast<const sockaddr*>(&where);
  for (;;) {
    const int made = new_socket();
    if (bind(made, generic, length) == 0) {
      if (listen(made, 16) != 0) {
        const int error = errno;
        close(made);
        throw VisitProblem("busy", "cannot listen at the socket that marks a measurement: " + error_text(error));
      }
      return {MachineLock(made), {}, -1};
    }
    if (errno != EADDRINUSE) {
      const int error = errno;
      close(made);
      throw VisitProblem("busy", "cannot mark this machine as measuring: " + error_text(error));
    }
    // A refused connection is a holder between bind and listen, or one that has just ended: look again.
    if (connect(made, generic, length) == 0) {
      if (auto line = line_from(made)) return {std::nullopt, *line, made};
    }
    close(made);
  }
}

MachineLock::MachineLock(MachineLock&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), connections_(std::move(other.connections_)) {}

MachineLock::~MachineLock() {
  close_connections();
  if (socket_ >= 0) close(socket_);
}

void MachineLock::answer(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  for (pollfd more{socket_, POLLIN, 0}; poll(&more, 1, 0) > 0;) {
    const int taken = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (taken < 0) break;
    if (send(taken, text.data(), text.size(), MSG_NOSIGNAL) < 0)
      close(taken);
    else
      connections_.push_back(taken);
  }
  std::erase_if(connections_, [](int connection) { // those that only asked have gone again
    pollfd peer{connection, 0, 0};
    const bool is_gone = poll(&peer, 1, 0) > 0;
    if (is_gone) close(connection);
    return is_gone;
  });
}

void MachineLock::close_connections() {
  for (const int connection : connections_) close(connection);
  connections_.clear();
}

} // namespace switchscope
