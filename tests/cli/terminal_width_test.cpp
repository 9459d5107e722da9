// What is printed on a terminal fits it; what goes through a pipe has 100 columns.
#include "tests/cli/scripted.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <sstream>
#include <stdexcept>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

namespace switchscope {

namespace {

// A pseudo terminal whose screen is read all the while, so that nobody waits for room in it.
class Screen {
public:
  explicit Screen(int columns) : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    const winsize size{24, static_cast<unsigned short>(columns), 0, 0};
    std::array<char, 64> name{};
    if (::grantpt(master_) != 0 || ::unlockpt(master_) != 0 || ::ioctl(master_, TIOCSWINSZ, &size) != 0 ||
        ::ptsname_r(master_, name.data(), name.size()) != 0)
      throw std::runtime_error("no pseudo terminal");
    name_ = name.data();
    slave_ = ::open(name_.c_str(), O_RDWR | O_NOCTTY); // held open, so that reading goes on until `text` is asked for
    reader_ = std::thread([this] {
      std::array<char, 4096> buffer{};
      for (ssize_t count = 0; (count = ::read(master_, buffer.data(), buffer.size())) > 0;)
        text_.append(buffer.data(), static_cast<std::size_t>(count));
    });
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  ~Screen() {
    end();
    ::close(master_);
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string text() {
    end();
    text_.erase(std::remove(text_.begin(), text_.end(), '\r'), text_.end());
    return text_;
  }

private:
  void end() {
    if (!reader_.joinable()) return;
    ::close(slave_);
    reader_.join();
  }

  int master_;
  int slave_ = -1;
  std::string name_;
  std::string text_;
  std::thread reader_;
};

std::string printed_on(int columns, const Scripted& scripted, const std::vector<std::string>& arguments) {
  Screen screen(columns);
  auto around = Scripted::playing("");
  around.stdout_to = screen.name();
  EXPECT_EQ(Command(scripted.with_places(arguments), around).wait().exit_code, 0);
  return screen.text();
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto starts = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u; };
    widest = std::max(widest, static_cast<std::size_t>(std::count_if(line.begin(), line.end(), starts)));
  }
  return widest;
}

} // namespace

TEST(TerminalWidth, tablesFitTheTerminal) {
  const Scripted scripted;
  ASSERT_EQ(scripted
                .cli(Scripted::short_run(
                    {"--name", "a name of several words that is longer than sixty columns are wide, and then some"}))
                .exit_code,
            0);
  const std::string piped = scripted.cli({"show", "last"}).out;
  for (const int columns : {60, 80}) {
    for (const auto& arguments : {std::vector<std::string>{"show", "last"}, {"list"}, Scripted::short_run()}) {
      const std::string printed = printed_on(columns, scripted, arguments);
      EXPECT_LE(widest_line(printed), static_cast<std::size_t>(columns)) << arguments.front() << '\n' << printed;
    }
    const std::string shown = printed_on(columns, scripted, {"show", "last"});
    EXPECT_NE(shown.find("all blocks "), std::string::npos) << shown;
  }
  EXPECT_EQ(piped.find("all blocks "), std::string::npos);
  EXPECT_GT(widest_line(piped), 80U);
}

TEST(TerminalWidth, aWideTerminalIsAsAPipe) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run()).exit_code, 0);
  for (const int columns : {100, 200}) {
    EXPECT_EQ(printed_on(columns, scripted, {"show", "last"}), scripted.cli({"show", "last"}).out);
    EXPECT_EQ(printed_on(columns, scripted, {"list"}), scripted.cli({"list"}).out);
  }
}

} // namespace switchscope
