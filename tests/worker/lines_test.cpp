#include "engine/worker/lines.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace switchscope {
namespace {

// What comes out when these pieces arrive one after the other, then the end; "(too long)" after such a line.
std::vector<std::string> lines_from(const std::vector<std::string>& pieces) {
  std::vector<std::string> lines;
  CommandLines commands;
  const auto take = [&] {
    while (const auto line = commands.next())
      lines.push_back(line->text.substr(0, 8) + (line->too_long ? "(too long)" : ""));
  };
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
  for (const std::string& piece : pieces) {
    std::size_t expected = piece.size();
    EXPECT_EQ(write(ends[1], piece.data(), piece.size()), static_cast<ssize_t>(piece.size()));
    while (expected > 0) {
      EXPECT_EQ(commands.read_more(ends[0]), CommandLines::Input::open);
      expected -= std::min<std::size_t>(expected, 16384);
      take();
    }
  }
  close(ends[1]);
  EXPECT_EQ(commands.read_more(ends[0]), CommandLines::Input::ended);
  close(ends[0]);
  return lines;
}

using Lines = std::vector<std::string>;

TEST(CommandLines, AreCutHoweverTheyArrive) {
  EXPECT_EQ(lines_from({"a\nb\n"}), (Lines{"a", "b"}));
  EXPECT_EQ(lines_from({"a", "b", "\n", "\n\nc\n"}), (Lines{"ab", "c"}));
  EXPECT_EQ(lines_from({"half a line"}), Lines{});
}

TEST(CommandLines, OneThatIsTooLongIsToldOnceAndSkippedToItsEnd) {
  const std::string endless(200'000, 'x');
  EXPECT_EQ(lines_from({endless, endless + "\nnext\n"}), (Lines{"xxxxxxxx(too long)", "next"}));
  EXPECT_EQ(lines_from({std::string(max_command_bytes, 'y') + "\nnext\n"}), (Lines{"yyyyyyyy", "next"}));
}

} // namespace
} // namespace switchscope
