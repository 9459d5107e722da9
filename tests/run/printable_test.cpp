#include "engine/run/printable.h"

#include <gtest/gtest.h>

using namespace switchscope;

TEST(Printable, KeepsPlainTextAndUtf8) {
  EXPECT_EQ(printable("7.43 µs − 漢 𝄞"), "7.43 µs − 漢 𝄞");
}

TEST(Printable, MakesOneLineOfControlCharacters) {
  EXPECT_EQ(printable("\n a\r\n\tb\x1b[0m\x7f c \n"), "a b [0m c");
}

TEST(Printable, MarksWhatIsNotUtf8) {
  EXPECT_EQ(printable("caf\xE9"), "caf?");
  EXPECT_EQ(printable("\xC0\xAF"), "??");           // overlong
  EXPECT_EQ(printable("\xE0\x80\x80"), "???");      // overlong
  EXPECT_EQ(printable("\xED\xA0\x80"), "???");      // a surrogate
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "????"); // above U+10FFFF
  EXPECT_EQ(printable("\xE6\xBC"), "??");           // cut short
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a b");
}

TEST(Printable, CutsAtTheLimitBetweenCharacters) {
  EXPECT_EQ(printable("abcdef", 6), "abcdef");
  EXPECT_EQ(printable("abcdefg", 6), "abcdef...");
  EXPECT_EQ(printable("abcdeµg", 6), "abcde...");
  EXPECT_EQ(printable(std::string(1000, 'x'), 3), "xxx...");
}

TEST(Printable, TheTailKeepsTheEnd) {
  EXPECT_EQ(printable_tail("abc", 6), "abc");
  EXPECT_EQ(printable_tail("abcdefg", 6), "...bcdefg");
  EXPECT_EQ(printable_tail("aµbcdef", 6), "...bcdef");
  EXPECT_EQ(printable_tail(std::string(1000, 'x') + "yz\n", 3), "...xyz");
}
