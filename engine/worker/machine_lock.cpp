#include "engine/worker/machine_lock.h"

#include "engine/worker/failure.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
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

FileDescriptor new_socket() {
  FileDescriptor made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!made.is_open())
    throw VisitProblem("busy", "cannot make the socket that marks a measurement: " + error_text(errno));
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
    FileDescriptor made = new_socket();
    if (bind(made.get(), generic, length) == 0) {
      if (listen(made.get(), 16) != 0)
        throw VisitProblem("busy", "cannot listen at the socket that marks a measurement: " + error_text(errno));
      return {MachineLock(std::move(made)), {}, {}};
    }
    if (errno != EADDRINUSE) throw VisitProblem("busy", "cannot mark this machine as measuring: " + error_text(errno));
    // A refused connection is a holder between bind and listen, or one that has just ended: look again.
    if (connect(made.get(), generic, length) == 0) {
      if (auto line = line_from(made.get())) return {std::nullopt, *line, std::move(made)};
    }
  }
}

void MachineLock::answer(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  for (pollfd more{socket(), POLLIN, 0}; poll(&more, 1, 0) > 0;) {
    FileDescriptor taken(accept4(socket(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!taken.is_open()) break;
    if (send(taken.get(), text.data(), text.size(), MSG_NOSIGNAL) >= 0) connections_.push_back(std::move(taken));
  }
  std::erase_if(connections_, [](const FileDescriptor& connection) { // those that only asked have gone again
    pollfd peer{connection.get(), 0, 0};
    return poll(&peer, 1, 0) > 0;
  });
}

} // namespace switchscope
