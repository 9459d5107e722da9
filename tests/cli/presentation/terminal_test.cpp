#include "app/cli/terminal.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace switchscope {
namespace {

TEST(Terminal, fileIsNoTerminalAndHasAHundredColumns) {
  const int file = open("/dev/null", O_RDONLY);
  EXPECT_FALSE(is_terminal(file));
  EXPECT_EQ(terminal_columns(file), 100);
  close(file);
}

TEST(Terminal, pseudoTerminalTellsItsColumns) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  ASSERT_EQ(grantpt(terminal), 0);
  ASSERT_EQ(unlockpt(terminal), 0);
  const winsize size{40, 77, 0, 0};
  ASSERT_EQ(ioctl(terminal, TIOCSWINSZ, &size), 0);
  EXPECT_TRUE(is_terminal(terminal));
  EXPECT_EQ(terminal_columns(terminal), 77);
  close(terminal);
}

TEST(Terminal, firstLocaleVariableThatIsSetDecides) {
  const auto with = [](const char* all, const char* ctype, const char* lang) {
    setenv("LC_ALL", all, 1);
    setenv("LC_CTYPE", ctype, 1);
    setenv("LANG", lang, 1);
    return locale_is_utf8();
  };
  EXPECT_TRUE(with("", "", "C.UTF-8"));
  EXPECT_TRUE(with("", "de_DE.utf8", "C"));
  EXPECT_FALSE(with("C", "", "C.UTF-8"));
  EXPECT_FALSE(with("", "", ""));
}

} // namespace
} // namespace switchscope
