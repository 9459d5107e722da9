#include "worker_program.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

TEST(WorkerArguments, HelloSaysWhatItIs) {
  const WorkerRun run = run_worker({"hello"});
  ASSERT_EQ(run.events.size(), 1u);
  const Hello& hello = std::get<Hello>(run.events.front());
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(hello.protocol, protocol_version);
  EXPECT_FALSE(hello.version.empty());
  EXPECT_EQ(hello.build.size(), 16u);
  EXPECT_EQ(hello.mechanisms, std::vector<std::string>{"pipe"});
  EXPECT_EQ(hello.kernel_codes.front(), "scalar");
}

TEST(WorkerArguments, DescribeAnswersWithHelloAndFacts) {
  const WorkerRun run = run_worker({"describe"});
  ASSERT_EQ(run.events.size(), 2u);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(std::holds_alternative<Hello>(run.events[0]));
  EXPECT_TRUE(std::get<Facts>(run.events[1]).files.contains("/proc/cpuinfo"));
}

TEST(WorkerArguments, WhatItDoesNotKnowIsRefusedWithExitTwo) {
  const std::vector<std::vector<std::string>> cases = {{},
                                                       {"measure"},
                                                       {"hello", "there"},
                                                       {"serve", "--frob"},
                                                       {"describe", "--sysroot"},
                                                       {"switch-cost"},
                                                       {"switch-cost", "--size"},
                                                       {"switch-cost", "--cpu", "0", "--duration-ns", "0"},
                                                       {"switch-cost", "--size", "8", "--colour", "red"},
                                                       {"switch-cost", "--access", "look"}};
  for (const auto& arguments : cases) {
    const WorkerRun run = run_worker(arguments);
    SCOPED_TRACE(testing::PrintToString(arguments));
    EXPECT_EQ(run.exit_code, 2);
    ASSERT_NE(run.error(), nullptr);
    EXPECT_EQ(run.error()->code, "arguments");
    EXPECT_FALSE(run.error()->message.empty());
  }
}

} // namespace
} // namespace switchscope
