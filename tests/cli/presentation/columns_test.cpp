#include "app/cli/columns.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

using Lines = std::vector<std::string>;

TEST(Columns, widthCountsCharactersNotBytes) {
  EXPECT_EQ(width_of("7.43 µs · −1"), 12);
  EXPECT_EQ(width_of("⣀⠤●"), 3);
  EXPECT_EQ(width_of(""), 0);
}

TEST(Columns, paddingFillsToTheWidthAndNeverCuts) {
  EXPECT_EQ(padded_left("µs", 4), "  µs");
  EXPECT_EQ(padded_right("µs", 4), "µs  ");
  EXPECT_EQ(padded_left("long", 2), "long");
}

TEST(Columns, cuttingKeepsWholeCharacters) {
  EXPECT_EQ(cut_to("µµµµ", 4), "µµµµ");
  EXPECT_EQ(cut_to("µµµµ", 3), "µµ…");
  EXPECT_EQ(cut_to("abcd", 3, false), "ab~");
  EXPECT_EQ(cut_to("abcd", 1), "…");
  EXPECT_EQ(cut_to("abcd", 0), "");
}

TEST(Columns, wrapsAtBlanksAndIndentsWhatFollows) {
  EXPECT_EQ(wrapped("aa bb cc dd", 5, 2), (Lines{"aa bb", "  cc", "  dd"}));
  EXPECT_EQ(wrapped("a  b", 5), Lines{"a b"});
  EXPECT_EQ(wrapped("unbreakable x", 5), (Lines{"unbreakable", "x"}));
  EXPECT_EQ(wrapped("", 5), Lines{});
}

TEST(Columns, joinsWhatIsNotEmpty) {
  EXPECT_EQ(joined({"a", "", "b"}, " · "), "a · b");
}

TEST(Columns, controlCharactersNeverReachTheTerminal) {
  EXPECT_EQ(printable("a\x1b[2Jb\n\x7f"), "a?[2Jb??");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m µ é"),
            "?31m µ é");
}

TEST(Columns, asciiHasAWordForWhatItLacks) {
  EXPECT_EQ(in_ascii("−1 µs · x…"), "-1 us | x~");
  EXPECT_EQ(in_ascii("名"), "?");
}

} // namespace
} // namespace switchscope
