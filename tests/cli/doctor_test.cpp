// doctor through the real program: recorded machines, a scripted one, and the document against its schema.
#include "tests/cli/scripted.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdio>
#include <sys/wait.h>

namespace switchscope {
namespace {

using nlohmann::json;

const std::string source_dir = SWITCHSCOPE_SOURCE_DIR;

std::string tree(const std::string& name) {
  return source_dir + "/tests/data/sysroots/" + name;
}
bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Doctor {
  TestFolder folder;
  std::string database = (folder / "runs.db").string();
  [[nodiscard]] Ended examine(std::vector<std::string> more, const std::string& worker = "switchscope-worker") const {
    std::vector<std::string> arguments{"doctor", "--db", database, "--worker", program(worker)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Command(arguments, Command::Surroundings()).wait();
  }
  [[nodiscard]] Ended recorded(const std::string& name, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"--sysroot", tree(name)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return examine(arguments);
  }
};

std::string light_of(const json& document, const std::string& id) {
  for (const auto& finding : document.at("findings"))
    if (finding.at("id") == id) return finding.at("light");
  return "absent";
}

std::string what_the_schema_says(const std::string& document) {
  const TestFolder folder;
  const std::string command = "/usr/bin/python3 '" + source_dir + "/tests/export/validate.py' '" + source_dir +
                              "/docs/doctor.schema.json' '" + folder.file("doctor.json", document) + "' 2>&1";
  std::string says;
  FILE* pipe = popen(command.c_str(), "r");
  char chunk[4096];
  while (const auto got = fread(chunk, 1, sizeof chunk, pipe)) says.append(chunk, got);
  const int status = pclose(pipe);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "" : says + "(refused)";
}

// Facts as a worker would send them, in a file for the scripted one.
std::string facts_file(const TestFolder& folder, const json& files, const json& calls) {
  return folder.file("facts.json",
                     json{{"type", "facts"}, {"hwloc_xml", ""}, {"files", files}, {"calls", calls}}.dump() + "\n");
}

const json two_cpus{{"/sys/devices/system/cpu/present", "0-1"}, {"/sys/devices/system/cpu/online", "0-1"}};

} // namespace

TEST(Doctor, ReadsWorstFirstAndEndsWithTheChoice) {
  const Ended ended = Doctor().recorded("wsl2");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(ended.out.starts_with("yellow   Windows subsystem       WSL2\n")) << ended.out;
  EXPECT_LT(ended.out.find("\nyellow "), ended.out.find("\nunknown "));
  EXPECT_LT(ended.out.find("\nunknown "), ended.out.find("\ngreen "));
  EXPECT_TRUE(holds(ended.out, "\nChosen      CPU 2 is the first CPU this program may use away from CPU 0"));
  EXPECT_TRUE(holds(ended.out, "What limits a measurement here most: Windows subsystem:"));
  EXPECT_FALSE(holds(ended.out, "\033")) << "colour is for terminals";
}

TEST(Doctor, FitsAHundredColumnsButForCommands) {
  for (const char* name : {"wsl2", "arm64-no-cache-sizes", "two-cpu-guest"}) {
    std::istringstream lines(Doctor().recorded(name).out);
    for (std::string line; std::getline(lines, line);) {
      const bool is_command = holds(line, "  change: ") || holds(line, "  undo:   ");
      EXPECT_TRUE(is_command || line.size() <= 100) << line;
    }
  }
}

TEST(Doctor, JudgesTheCpuThatIsAsked) {
  const json document = json::parse(Doctor().recorded("two-cpu-guest", {"--json", "--cpu", "0"}).out);
  EXPECT_EQ(document.at("cpus"), json::array({0}));
  EXPECT_EQ(document.at("auto").at("cpu"), 1);
  EXPECT_EQ(light_of(document, "isolation"), "yellow");
  EXPECT_EQ(light_of(json::parse(Doctor().recorded("two-cpu-guest", {"--json"}).out), "isolation"), "green");
  const Ended absent = Doctor().recorded("two-cpu-guest", {"--cpu", "7"});
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_TRUE(holds(absent.err, "CPU 7 does not exist")) << absent.err;
  EXPECT_EQ(Doctor().recorded("two-cpu-guest", {"--cpu", "free"}).exit_code, 2);
}

TEST(Doctor, ItsDocumentHoldsTheSchema) {
  if (!std::filesystem::exists("/usr/lib/python3/dist-packages/jsonschema"))
    GTEST_SKIP() << "python3-jsonschema is not installed, so the documents cannot be validated";
  for (const char* name : {"wsl2", "arm64-no-cache-sizes", "two-cpu-guest"})
    EXPECT_EQ(what_the_schema_says(Doctor().recorded(name, {"--json"}).out), "") << name;
  EXPECT_EQ(what_the_schema_says(Doctor().examine({"--json"}, "switchscope-scripted-worker").out), "");
  EXPECT_NE(what_the_schema_says("{\"schema\": 1}"), "");
}

TEST(Doctor, FindsASharedCoreAndTheNextRunKnowsIt) {
  const Doctor doctor;
  json files = two_cpus;
  files["/proc/stat"] = "cpu0 1 0 0 9\ncpu1 1 0 0 9\nbtime 1700000000";
  const std::string facts = facts_file(doctor.folder, files, json{{"uname.nodename", "bench"}});
  Command::Surroundings around;
  around.environment["SWITCHSCOPE_SCRIPT"] = "--facts " + facts;
  const std::vector<std::string> places{"--db", doctor.database, "--worker", program("switchscope-scripted-worker")};
  const auto cli = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), places.begin(), places.end());
    return Command(arguments, around).wait();
  };
  const Ended examined = cli({"doctor"});
  ASSERT_EQ(examined.exit_code, 0) << examined.err;
  EXPECT_TRUE(holds(examined.out, "with CPU 0 (3.80 adds a cycle while")) << examined.out;
  around.environment["SWITCHSCOPE_SCRIPT"] += " --noisy-cores";
  const Ended again = cli({"doctor"}); // what cannot tell does not replace what could
  EXPECT_TRUE(holds(again.out, "with CPU 0 (3.80 adds a cycle while")) << again.out;
  EXPECT_TRUE(holds(again.out, "Not probed  Too much else runs now")) << again.out;
  const json run = json::parse(cli({"run", "--size", "0", "--policy", "other", "--budget", "50ms", "--json"}).out);
  const auto& sharing = run.at("run").at("environment").at("core_sharing");
  ASSERT_EQ(sharing.size(), 1u);
  EXPECT_EQ(sharing.at(0).at("neighbours").at(0).at("verdict"), "shares");
  const Ended shown = Command({"show", "last", "--db", doctor.database}).wait();
  EXPECT_TRUE(holds(shown.out, "\nWhat limits this run's precision: shared core: ")) << shown.out;
}

// CPU 1 is the first choice of four until it is found to share the core of CPU 0.
TEST(Doctor, WhatItFoundChangesTheChoiceOfEveryVerb) {
  const Doctor doctor;
  json files{{"/sys/devices/system/cpu/present", "0-3"}, {"/sys/devices/system/cpu/online", "0-3"}};
  files["/proc/stat"] = "btime 1700000000";
  Command::Surroundings around;
  around.environment["SWITCHSCOPE_SCRIPT"] =
      "--real-time --facts " + facts_file(doctor.folder, files, json{{"uname.nodename", "bench"}});
  const auto arguments = [&](std::vector<std::string> verb) {
    verb.insert(verb.end(), {"--db", doctor.database, "--worker", program("switchscope-scripted-worker")});
    return verb;
  };
  const auto cli = [&](const std::vector<std::string>& verb) { return Command(arguments(verb), around).wait(); };
  EXPECT_TRUE(holds(cli({"describe"}).out, "CPU 1 is the first CPU"));
  EXPECT_FALSE(std::filesystem::exists(doctor.database)) << "describing makes none";
  ASSERT_EQ(cli({"doctor", "--cpu", "1"}).exit_code, 0);

  EXPECT_TRUE(holds(cli({"describe"}).out, "CPU 2 is the first CPU")) << cli({"describe"}).out;
  EXPECT_EQ(json::parse(cli({"presets", "--json"}).out).at(0).at("plan").at("placements"), json::array({"2"}));
  EXPECT_TRUE(holds(cli({"run", "--size", "0", "--policy", "other", "--budget", "50ms"}).err, "CPU 2 is the first"));
  Command selftest(arguments({"selftest", "--progress", "plain"}), around);
  EXPECT_TRUE(selftest.err_says("CPU 2: 8 rounds"));
  selftest.send(SIGINT);
  EXPECT_EQ(selftest.wait().exit_code, 4);
  around.environment["SWITCHSCOPE_SCRIPT"] += " --start busy";
  EXPECT_TRUE(holds(cli({"doctor"}).out, "\nChosen      CPU 2 is the first CPU")) << cli({"doctor"}).out;
}

TEST(Doctor, ExaminesAlsoWhileAnotherMeasures) {
  const Doctor doctor;
  Command::Surroundings around;
  around.environment["SWITCHSCOPE_SCRIPT"] = "--start busy";
  const Ended ended =
      Command({"doctor", "--db", doctor.database, "--worker", program("switchscope-scripted-worker")}, around).wait();
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(holds(ended.out, "Not probed  Another measurement holds this machine")) << ended.out;
}

TEST(Doctor, ExaminesWithoutADatabase) {
  const Ended ended = cli({"doctor", "--db", "/proc/none/runs.db", "--worker", program("switchscope-scripted-worker")});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(holds(ended.out, "shared core")) << ended.out;
  EXPECT_FALSE(ended.err.empty());
}

TEST(Doctor, AMachineWithoutAUsableCpuIsExit3) {
  const Doctor doctor;
  json calls{{"affinity", "1"}};
  json files = two_cpus;
  files["/sys/devices/system/cpu/online"] = "0";
  Command::Surroundings around;
  around.environment["SWITCHSCOPE_SCRIPT"] = "--facts " + facts_file(doctor.folder, files, calls);
  const Ended ended =
      Command({"doctor", "--db", doctor.database, "--worker", program("switchscope-scripted-worker")}, around).wait();
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_TRUE(holds(ended.out, "Nothing can be measured here")) << ended.out;
}

TEST(Emulated, ARunIsRefusedUnlessItIsMeantSo) {
  const Doctor doctor;
  json files = two_cpus;
  files["/proc/sys/kernel/arch"] = "x86_64";
  Command::Surroundings around;
  around.environment["SWITCHSCOPE_SCRIPT"] =
      "--facts " + facts_file(doctor.folder, files, json{{"compiled_for", "aarch64"}});
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run",
                                       "--size",
                                       "0",
                                       "--policy",
                                       "other",
                                       "--budget",
                                       "50ms",
                                       "--db",
                                       doctor.database,
                                       "--worker",
                                       program("switchscope-scripted-worker")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Command(arguments, around).wait();
  };
  const Ended refused = run({});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_TRUE(holds(refused.err, "--emulated-anyway")) << refused.err;
  const Ended meant = run({"--emulated-anyway"});
  EXPECT_EQ(meant.exit_code, 0) << meant.err;
  EXPECT_TRUE(holds(meant.out, "What limits this run's precision: instruction emulation:")) << meant.out;

  const auto selftest = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"selftest", "--progress", "plain", "--db", doctor.database, "--worker",
                               program("switchscope-scripted-worker")});
    return more;
  };
  around.environment["SWITCHSCOPE_SCRIPT"] += " --real-time";
  const Ended not_checked = Command(selftest({}), around).wait();
  EXPECT_EQ(not_checked.exit_code, 3);
  EXPECT_TRUE(holds(not_checked.err, "--emulated-anyway")) << not_checked.err;
  Command checked(selftest({"--emulated-anyway"}), around);
  EXPECT_TRUE(checked.err_says("CPU 1: 8 rounds"));
  checked.send(SIGINT);
  const Ended stopped = checked.wait();
  EXPECT_EQ(stopped.exit_code, 4);
  EXPECT_TRUE(holds(stopped.err, "CPU 1 is not checked, and nothing of it is stored.")) << stopped.err;
  EXPECT_EQ(stopped.out, "");
}

} // namespace switchscope
