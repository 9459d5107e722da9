// A selftest of two CPUs that is stopped in the second. The worker is scripted, so the verdict means nothing.
#include "tests/cli/scripted.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>

namespace switchscope {

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST(StoppedSelftest, showsTheCpusThatAreCompleteAndNamesTheOthers) {
  const Scripted scripted;
  Command command({"selftest", "--cpu", "0,1", "--progress", "plain", "--db", scripted.database, "--worker",
                   program("switchscope-scripted-worker")},
                  Scripted::playing("--real-time"));
  ASSERT_TRUE(command.err_says("CPU 1: 8 rounds"));
  command.send(SIGINT);
  const Ended ended = command.wait();
  EXPECT_EQ(ended.exit_code, 4);
  EXPECT_TRUE(holds(ended.err, "The selftest was stopped: CPU 1 is not checked, and nothing of it is stored."))
      << ended.err;
  EXPECT_TRUE(ended.out.starts_with("selftest · ")) << ended.out;
  EXPECT_TRUE(holds(ended.out, " · CPU 0 · ")) << ended.out;
  EXPECT_FALSE(holds(ended.out, " · CPU 1 · ")) << ended.out;
}

} // namespace switchscope
