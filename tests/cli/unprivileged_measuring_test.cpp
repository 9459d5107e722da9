// The real worker for a user without any right: it measures under the ordinary policy, and says so.
#include "tests/cli/unprivileged.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace switchscope {

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST(MeasuringUnprivileged, fallsBackToTheOrdinaryPolicyAndLabelsIt) {
  const Unprivileged without;
  if (!without.possible) GTEST_SKIP() << "needs root, to become another user";
  const Ended ended = without.cli({"run", "--size", "0", "--budget", "1s", "--json", "--wait"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const auto document = nlohmann::json::parse(ended.out);
  const auto& point = document.at("points").at(0);
  EXPECT_EQ(point.at("placement").at("policy").at("obtained"), "other");
  const auto& flags = point.at("flags");
  EXPECT_NE(std::find(flags.begin(), flags.end(), "policy-fallback"), flags.end()) << flags;
  EXPECT_GT(point.at("total_ns").at("estimate").get<double>(), 0);

  struct stat facts {};
  const auto database = without.home / ".local/share/switchscope/switchscope.db";
  ASSERT_EQ(::stat(database.c_str(), &facts), 0) << "the default place: " << ended.err;
  EXPECT_EQ(facts.st_uid, Unprivileged::user);
  const std::string table = without.cli({"show", "last"}).out;
  EXPECT_TRUE(holds(table, "ordinary scheduling")) << table;
  EXPECT_TRUE(holds(table, "a real-time policy was not allowed, so ordinary scheduling was used. Allow it with: sudo"))
      << table;
}

TEST(MeasuringUnprivileged, aRequirementOfTheRealTimePolicyIs3WithWhatAllowsIt) {
  const Unprivileged without;
  if (!without.possible) GTEST_SKIP() << "needs root, to become another user";
  const Ended ended = without.cli({"run", "--size", "0", "--budget", "200ms", "--require", "fifo", "--wait"});
  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  EXPECT_TRUE(holds(ended.err, "setcap cap_sys_nice,cap_ipc_lock+ep")) << ended.err;
  const Ended asked = without.cli({"run", "--size", "0", "--budget", "200ms", "--policy", "fifo", "--json", "--wait"});
  EXPECT_EQ(asked.exit_code, 0) << asked.err;
  EXPECT_TRUE(holds(asked.out, "policy-fallback")) << asked.out;
}

} // namespace switchscope
