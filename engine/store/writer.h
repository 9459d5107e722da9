// Which process measures a run, so that a run under way can be told from one whose process was killed.
#pragma once

#include <string>

namespace switchscope {

enum class WriterLife {
  alive,
  gone,
  unknown, // of another machine or container, or nothing is known of it
};

// This process in words: machine, boot, process namespace, process and its start, so that a process that got the number
// of a dead one is not taken for it. "-" for what the kernel does not tell.
[[nodiscard]] std::string this_writer();

[[nodiscard]] WriterLife life_of_writer(const std::string& writer);

} // namespace switchscope
