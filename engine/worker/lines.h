// The worker's answers on stdout, and the commands on its stdin.
#pragma once

#include "engine/protocol/messages.h"

#include <optional>
#include <string>

namespace switchscope {

// Writes all of it, however the other end reads; false when nobody reads any more.
bool write_text(const std::string&);
bool write_event(const WorkerEvent&); // one line

inline constexpr std::size_t max_command_bytes = 64 * 1024;   // of one line; longer ones are refused and skipped
inline constexpr std::size_t max_waiting_bytes = 1024 * 1024; // of lines not yet obeyed

// Cuts what arrives into lines.
class CommandLines {
public:
  enum class Input { open, ended };
  Input read_more(int input); // blocks until there is something
  struct Line {
    std::string text;
    bool too_long = false; // then the text is its first part only
  };
  [[nodiscard]] std::optional<Line> next();
  [[nodiscard]] bool is_flooded() const { return waiting_.size() > max_waiting_bytes; }

private:
  std::string waiting_;
  bool skipping_ = false; // until the end of a line that was too long
};

} // namespace switchscope
