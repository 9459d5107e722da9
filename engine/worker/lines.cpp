#include "engine/worker/lines.h"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace switchscope {

bool write_text(const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t now = write(STDOUT_FILENO, text.data() + written, text.size() - written);
    if (now >= 0) {
      written += static_cast<std::size_t>(now);
    } else if (errno == EAGAIN) { // the other end made its side of the pipe non-blocking
      pollfd room{STDOUT_FILENO, POLLOUT, 0};
      poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool write_event(const WorkerEvent& event) {
  return write_text(encode(event) + "\n");
}

CommandLines::Input CommandLines::read_more(int input) {
  char chunk[16384];
  const ssize_t got = read(input, chunk, sizeof chunk);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return Input::open;
  if (got <= 0) return Input::ended;
  waiting_.append(chunk, static_cast<std::size_t>(got));
  return Input::open;
}

std::optional<CommandLines::Line> CommandLines::next() {
  for (;;) {
    const std::size_t end = waiting_.find('\n');
    if (end == std::string::npos && waiting_.size() <= max_command_bytes) return std::nullopt;
    const bool too_long = end == std::string::npos || end > max_command_bytes;
    Line line{waiting_.substr(0, too_long ? 256 : end), too_long};
    waiting_.erase(0, end == std::string::npos ? std::string::npos : end + 1);
    const bool is_rest = skipping_;
    skipping_ = end == std::string::npos;
    if (is_rest || (!too_long && line.text.empty())) continue;
    return line;
  }
}

} // namespace switchscope
