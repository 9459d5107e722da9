// Bad arguments and plans: each gives one sentence, exit 2, and no file is made.
#include "tests/cli/command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace switchscope {

namespace {

struct BadCommand {
  std::vector<std::string> arguments;
  std::string says;
};

const std::vector<BadCommand> bad_commands{
    {{}, "Say what to do"},
    {{"fly"}, "fly"},
    {{"run", "--frobnicate"}, "--frobnicate"},
    {{"run"}, "Say what to measure"},
    {{"run", "--size", ""}, "--size"},
    {{"run", "--size", "0", "--stride", "128B"}, "--stride has no meaning"},
    {{"run", "--size", "0", "--access", "read"}, "--access has no meaning"},
    {{"run", "--size", "0", "--pattern", "random"}, "--pattern has no meaning"},
    {{"run", "--size", "0,64KiB"}, "Size 0"},
    {{"run", "--preset", "direct", "--stride", "128B"}, "--stride has no meaning"},
    {{"run", "--size", "64KiB", "--stride", "128KiB"}, "no combination is left"},
    {{"run", "--size", "64KiB", "--stride", "12"}, "multiple of 8"},
    {{"run", "--size", "64KiB", "--stride", "0"}, "multiple of 8"},
    {{"run", "--size", "64KiB", "--pattern", "random", "--stride", "128B"}, "takes no stride"},
    {{"run", "--size", "10PiB"}, "--size"},
    {{"run", "--size", "-4KiB"}, "--size"},
    {{"run", "--size", "1.."}, "--size"},
    {{"run", "--size", "4MiB..1KiB"}, "--size"},
    {{"run", "--size", "64KiB,,128KiB"}, "--size"},
    {{"run", "--size", "many"}, "--size"},
    {{"run", "--size", "64KiB", "--access", "peek"}, "Give read, write or rmw"},
    {{"run", "--size", "64KiB", "--access", "read,"}, "empty place"},
    {{"run", "--size", "64KiB", "--pattern", "zigzag"}, "Give strided, sparse or random"},
    {{"run", "--size", "64KiB", "--kernel", "fast"}, "Give scalar or vector"},
    {{"run", "--size", "64KiB", "--pages", "2m"}, "Give 4k, thp or hugetlb"},
    {{"run", "--size", "64KiB", "--tasks", "fiber"}, "Give process or thread"},
    {{"run", "--size", "64KiB", "--mechanism", "smoke"}, "Give pipe"},
    {{"run", "--size", "64KiB", "--policy", "fifo,rr"}, "Give auto, fifo, rr or other"},
    {{"run", "--size", "64KiB", "--cpu", "one"}, "is no placement"},
    {{"run", "--size", "64KiB", "--cpu", "-1"}, "is no placement"},
    {{"run", "--size", "64KiB", "--budget", "0"}, "--budget"},
    {{"run", "--size", "64KiB", "--budget", "0s"}, "--budget"},
    {{"run", "--size", "64KiB", "--budget", "soon"}, "--budget"},
    {{"run", "--size", "64KiB", "--precision", "0"}, "--precision"},
    {{"run", "--size", "64KiB", "--precision", "120%"}, "--precision"},
    {{"run", "--size", "64KiB", "--seed", "-1"}, "--seed"},
    {{"run", "--size", "64KiB", "--seed", "x"}, "--seed"},
    {{"run", "--size", "64KiB", "--method", "paper", "--budget", "5s"}, "three rounds and takes no budget"},
    {{"run", "--size", "64KiB", "--method", "paper", "--precision", "2%"}, "no interval, so it takes no precision"},
    {{"run", "--size", "64KiB", "--method", "paper", "--tasks", "thread"}, "knows no threads"},
    {{"run", "--size", "64KiB", "--method", "paired,paper", "--pattern", "random"}, "the pattern strided only"},
    {{"run", "--size", "64KiB", "--method", "paper", "--kernel", "vector"}, "--kernel has no meaning"},
    {{"run", "--size", "64KiB", "--method", "paper", "--require", "precision"}, "neither precision nor clean"},
    {{"run", "--size", "64KiB", "--method", "guess"}, "Give paired or paper"},
    {{"run", "--preset", "quick", "--add-points", "-1"}, "between 0 and 1000"},
    {{"run", "--preset", "quick", "--add-points", "some"}, "--add-points"},
    {{"run", "--preset", "quick", "--method", "paper", "--add-points", "3"}, "nothing tells where to add sizes"},
    {{"run", "--preset", "quick", "--edge-resolution", "65"}, "between 1 and 64"},
    {{"run", "--size", "64KiB", "--sessions", "1001"}, "between 1 and 1000"},
    {{"run", "--size", "64KiB", "--every", "10min"}, "add --sessions 2 or more"},
    {{"run", "--size", "64KiB", "--sessions", "2", "--every", "44000min"}, "30 days"},
    {{"run", "--size", "64KiB", "--sessions", "0"}, "1 or more"},
    {{"run", "--size", "64KiB", "--require", "luck"}, "Give precision, fifo, pages or clean"},
    {{"run", "--size", "64KiB", "--name", "two\nlines"}, "control characters"},
    {{"run", "--size", "64KiB", "--name", "\xff"}, "not UTF-8"},
    {{"run", "--size", "64KiB", "--name", std::string(300, 'x')}, "longer than 200"},
    {{"run", "--size", "64KiB", "--worker-launcher", " "}, "launcher is empty"},
    {{"run", "--size", "64KiB", "--progress", "loud"}, "--progress"},
    {{"run", "--size", "64KiB", "--events", "--json"}, "--events"},
    {{"run", "--size", "64KiB", "--size", "128KiB"}, "--size is given more than once"},
    {{"run", "--size", "64KiB", "surplus"}, "surplus"},
    {{"run", "--preset", "unheard-of"}, "There are: l2-cliff"},
    {{"run", "--plan", "/nowhere/plan.json"}, "There is no plan file"},
    {{"run", "--plan", "/tmp"}, "is a folder"},
    {{"run", "--plan", "/dev/null"}, "is empty"},
    {{"run", "--plan", "/dev/zero"}, "larger than 1 MiB"},
    {{"resume"}, "RUN"},
    {{"show"}, "RUN"},
    {{"show", "last", "--ascii"}, "--plot"},
    {{"export", "last"}, "--format"},
    {{"export", "last", "--format", "docx"}, "docx"},
    {{"import"}, "FILE"},
    {{"list", "--db", ""}, "--db"},
    {{"run", "--size", "0", "--worker", ""}, "--worker"},
    {{"export", "last", "--format", "csv", "-o", ""}, "--output"},
};

} // namespace

TEST(BadArguments, areRefusedWithASentenceBeforeAnythingIsDone) {
  const TestFolder folder;
  Command::Surroundings around;
  around.environment["XDG_DATA_HOME"] = (folder / "data").string();
  for (const auto& [arguments, says] : bad_commands) {
    std::string line;
    for (const auto& argument : arguments) line += argument + ' ';
    const Ended ended = Command(arguments, around).wait();
    EXPECT_EQ(ended.exit_code, 2) << line << '\n' << ended.err;
    EXPECT_NE(ended.err.find(says), std::string::npos) << line << "\nshould say: " << says << "\nsaid: " << ended.err;
    EXPECT_EQ(ended.out, "") << line;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "data"));
}

TEST(Sysroot, behindALauncherLiesOnTheOtherMachine) {
  const TestFolder folder;
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"run", "--size", "0"}, {"doctor"}, {"selftest"}}) {
    std::vector<std::string> arguments = verb;
    arguments.insert(arguments.end(), {"--sysroot", "/nowhere", "--db", (folder / "runs.db").string()});
    EXPECT_EQ(cli(arguments).exit_code, 2) << verb.front();
    arguments.insert(arguments.end(), {"--worker-launcher", "/bin/false"});
    const Ended far = cli(arguments);
    EXPECT_EQ(far.exit_code, 3) << verb.front() << far.err;
    EXPECT_EQ(far.err.find("neither proc nor sys"), std::string::npos) << far.err;
  }
}

TEST(PlanFile, badOnesAreRefusedByWhatIsWrong) {
  const TestFolder folder;
  struct BadFile {
    std::string content;
    std::string says;
  };
  const std::vector<BadFile> files{
      {"", "is empty"},
      {" \n", "is empty"},
      {"this is not JSON", "JSON"},
      {"{\"sizes_bytes\": [65536]", "JSON"},
      {"[]", "cannot be used"},
      {R"({"schema": 99})", "schema"},
      {R"({"schema": 1, "sizes_furlongs": [1]})", "sizes_furlongs"},
      {R"({"schema": 1, "sizes_bytes": [0], "strides_bytes": [128]})", "no meaning"},
      {R"({"schema": 1, "sizes_bytes": [65536], "strides_bytes": [128], "preset": "mine"})", "There is no preset"},
      {R"({"run": {"plan": 7}})", "cannot be used"},
  };
  for (const auto& [content, says] : files) {
    const Ended ended = cli({"run", "--plan", folder.file("plan.json", content), "--db", (folder / "db").string()});
    EXPECT_EQ(ended.exit_code, 2) << content;
    EXPECT_NE(ended.err.find(says), std::string::npos) << content << ": " << ended.err;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "db"));
}

TEST(PlanFile, excludesAPreset) {
  const TestFolder folder;
  const std::string plan = folder.file("plan.json", R"({"schema": 1, "sizes_bytes": [65536], "strides_bytes": [128]})");
  const Ended ended = cli({"run", "--plan", plan, "--preset", "quick", "--db", (folder / "db").string()});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_NE(ended.err.find("excludes"), std::string::npos) << ended.err;
}

TEST(PlanFile, aHugeOneIsRefusedWithoutReadingIt) {
  const TestFolder folder;
  const std::string path = folder.file("plan.json", "{");
  ASSERT_EQ(::truncate(path.c_str(), 200'000'000), 0);
  const Ended ended = cli({"run", "--plan", path});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_NE(ended.err.find("larger than 1 MiB"), std::string::npos) << ended.err;
}

TEST(Help, goesToStdoutAndEndsWell) {
  const Ended all = cli({"--help"});
  EXPECT_EQ(all.exit_code, 0);
  for (const char* verb : {"run", "resume", "list", "show", "export", "presets", "import", "delete", "restore",
                           "verify", "describe", "selftest"})
    EXPECT_NE(all.out.find(verb), std::string::npos) << verb;
  EXPECT_EQ(all.out.find("compare"), std::string::npos) << "listed, but it does not work yet";
  const Ended run = cli({"run", "--help"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.out.find("--stride"), std::string::npos);
  const Ended version = cli({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.rfind("switchscope-cli ", 0), 0u) << version.out;
}

TEST(Presets, everyOneIsListed) {
  const Ended ended = cli({"presets"});
  EXPECT_EQ(ended.exit_code, 0);
  for (const char* preset : {"l2-cliff", "quick", "direct", "paper-figure-1", "paper-figure-2", "stride",
                             "memory-mountain", "paper-vs-paired"})
    EXPECT_NE(ended.out.find(preset), std::string::npos) << preset;
  EXPECT_LT(std::count(ended.out.begin(), ended.out.end(), '\n'), 20) << ended.out;
}

} // namespace switchscope
