// What the standard error says before and after a run: what is measured and for how long, and why it ended.
#include "tests/cli/scripted.h"

#include <gtest/gtest.h>

#include <csignal>

namespace switchscope {

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string unwrapped(std::string text) {
  for (auto at = text.find("\n  "); at != std::string::npos; at = text.find("\n  ", at)) text.replace(at, 3, " ");
  return text;
}

std::string start_line(const Scripted& scripted, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"run", "--size", "64KiB", "--policy", "other", "--seed", "7"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const std::string said = unwrapped(scripted.cli(arguments).err);
  return said.substr(0, said.find('\n'));
}

} // namespace

TEST(StartLine, saysWhatIsMeasuredForHowLongAndWhere) {
  const Scripted scripted;
  EXPECT_EQ(start_line(scripted, {"--budget", "300ms", "--cpu", "1"}), "2 points, about 0.3 s, seed 7, CPU 1.");
  EXPECT_EQ(start_line(scripted, {"--budget", "300ms", "--cpu", "0:1,free"}),
            "4 points, about 0.3 s, seed 7, CPU 0:1, free CPUs.");
  EXPECT_EQ(start_line(scripted, {"--stride", "64B,128KiB", "--budget", "300ms", "--cpu", "0"}),
            "2 points (1 of 2 left out: stride above size), about 0.3 s, seed 7, CPU 0.");
  EXPECT_EQ(start_line(scripted, {"--precision", "5%", "--cpu", "1"}),
            "2 points, until 5 % precise, at most about 1 min 00 s, seed 7, CPU 1.");
  EXPECT_EQ(start_line(scripted, {"--precision", "5%", "--budget", "400ms", "--cpu", "1"}),
            "2 points, until 5 % precise, at most about 0.4 s, seed 7, CPU 1.");
  EXPECT_TRUE(holds(start_line(scripted, {"--budget", "20ms", "--cpu", "1"}),
                    "(the first pass is always finished; the budget of 20.0 ms is less), seed 7, CPU 1."))
      << start_line(scripted, {"--budget", "20ms", "--cpu", "1"});
  EXPECT_TRUE(start_line(scripted, {"--budget", "300ms"}).starts_with("2 points, about 0.3 s, seed 7, CPU 1. "))
      << "why that CPU was chosen: " << start_line(scripted, {"--budget", "300ms"});
}

TEST(StartLine, ofAResumedRunCountsWhatIsLeftOfTheBudget) {
  const Scripted scripted;
  Command command(scripted.with_places({"run", "--size", "64KiB..512KiB:2", "--policy", "other", "--cpu", "1",
                                        "--budget", "3s", "--events", "--progress", "none", "--seed", "7"}),
                  Scripted::playing("--real-time"));
  ASSERT_TRUE(command.out_says("visit-ended"));
  command.send(SIGINT);
  ASSERT_EQ(command.wait().exit_code, 4);
  Command resumed(scripted.with_places({"resume", "last", "--events", "--progress", "plain"}),
                  Scripted::playing("--real-time"));
  ASSERT_TRUE(resumed.out_says("visit-ended"));
  resumed.send(SIGINT);
  const std::string said = unwrapped(resumed.wait().err);
  EXPECT_TRUE(said.starts_with("8 points, about 2.")) << said;
  EXPECT_TRUE(holds(said.substr(0, said.find('\n')), " s, seed 7, CPU 1.")) << said;
}

TEST(EndLine, withoutProgressStillSaysWhyARunEndedByItself) {
  const Scripted scripted;
  const Ended failed = scripted.cli(Scripted::short_run(), "--fault error");
  EXPECT_EQ(failed.exit_code, 4) << failed.err;
  EXPECT_TRUE(holds(failed.err, "No point could be measured. The array does not fit into memory.\n")) << failed.err;
  EXPECT_FALSE(holds(scripted.cli(Scripted::short_run()).err, "measured")) << "a good end needs no reason";
}

TEST(EndLine, withProgressSaysItOnce) {
  const Scripted scripted;
  auto arguments = Scripted::short_run();
  arguments.back() = "plain";
  const std::string said = scripted.cli(arguments, "--fault error").err;
  const auto first = said.find("No point could be measured.");
  ASSERT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("No point could be measured.", first + 1), std::string::npos) << said;
}

} // namespace switchscope
