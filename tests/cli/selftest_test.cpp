// The real program and worker on this machine. The verdict is not judged here: the machine may be noisy.
#include "tests/cli/command.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <sys/wait.h>

namespace switchscope {
namespace {

using nlohmann::json;

TEST(Selftest, AddedTimeIsSeenStoredAndToldUnderLaterRuns) {
  const TestFolder folder;
  const std::string database = (folder / "a.db").string();
  const auto places = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--db", database, "--progress", "none"});
    return arguments;
  };
  const Ended ended = cli(places({"selftest", "--wait", "--json"}));
  ASSERT_TRUE(ended.exit_code == 0 || ended.exit_code == 6) << ended.exit_code << ' ' << ended.err << ended.out;
  const json document = json::parse(ended.out, nullptr, false);
  ASSERT_TRUE(document.is_object()) << ended.out;
  const json check = document.at("instrument_checks").at(0);
  ASSERT_EQ(check.at("checks").size(), 4u);
  const json& thousand = check.at("checks").at(2);
  EXPECT_EQ(thousand.at("added_ns"), 1000);
  EXPECT_GT(thousand.at("read_ns").get<double>(), 500);
  EXPECT_LT(thousand.at("read_ns").get<double>(), 2000);
  EXPECT_TRUE(check.at("count").at("holds").get<bool>()) << check.at("count");
  EXPECT_TRUE(check.at("perf").is_object() != !check.at("perf_absent").get<std::string>().empty());

  const std::string cpu = std::to_string(check.at("cpu").get<int>());
  const Ended run = cli(places({"run", "--wait", "--size", "0", "--budget", "300ms", "--cpu", cpu}));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("Instrument checked today: "), std::string::npos) << run.out;
  const Ended shown = cli({"show", "last", "--json", "--db", database});
  EXPECT_EQ(json::parse(shown.out, nullptr, false).at("instrument_check"), check);
  EXPECT_EQ(cli({"verify", database}).exit_code, 0);

  if (!std::filesystem::exists("/usr/lib/python3/dist-packages/jsonschema"))
    GTEST_SKIP() << "python3-jsonschema is not installed, so the document is not validated";
  const std::string source = SWITCHSCOPE_SOURCE_DIR;
  const int status = std::system(("/usr/bin/python3 '" + source + "/tests/export/validate.py' '" + source +
                                  "/docs/result.schema.json' '" + folder.file("run.json", shown.out) + "'")
                                     .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Selftest, IsOfSwitchesOnOneCpu) {
  for (const std::string cpu : {"0:1", "free", "9999"}) {
    const TestFolder folder;
    const Ended ended = cli({"selftest", "--wait", "--cpu", cpu, "--db", (folder / "a.db").string()});
    EXPECT_EQ(ended.exit_code, 2) << cpu << ended.err;
    EXPECT_NE(ended.err.find("CPU"), std::string::npos) << ended.err;
  }
}

} // namespace
} // namespace switchscope
