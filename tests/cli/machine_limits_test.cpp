// What the machine cannot do, and folders that are no machine.
#include "tests/cli/scripted.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace switchscope {

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Four CPUs: 2 is offline, and the worker may use 0 and 1 only.
std::string facts_of_four_cpus(const TestFolder& folder) {
  return folder.file("facts", R"({"type":"facts","hwloc_xml":"","files":{"/proc/meminfo":"MemAvailable: 6291456 kB",)"
                              R"("/sys/devices/system/cpu/online":"0-1,3","/sys/devices/system/cpu/present":"0-3"},)"
                              R"("calls":{"affinity":"0-1"}})"
                              "\n");
}

} // namespace

TEST(MachineLimit, aCpuThatCouldBeMadeUsableIs3AndOneThatDoesNotExistIs2) {
  const Scripted scripted;
  const std::string facts = facts_of_four_cpus(scripted.folder);
  struct Case {
    std::string cpu;
    int exit_code;
    std::string says;
  };
  for (const auto& [cpu, exit_code, says] :
       {Case{"2", 3,
             "CPU 2 is offline (online: CPUs 0-1,3); to switch it on, write 1 to "
             "/sys/devices/system/cpu/cpu2/online."},
        Case{"0:2", 3, "CPU 2 is offline"},
        Case{"3", 3,
             "CPU 3 is outside the set this program may use: choose from CPUs 0-1, or widen its cpuset or "
             "affinity."},
        Case{"4", 2, "CPU 4 does not exist: this machine has CPUs 0-3."},
        Case{"2,4", 2, "CPU 4 does not exist: this machine has CPUs 0-3."}}) {
    const Ended ended = scripted.cli({"run", "--size", "0", "--budget", "50ms", "--cpu", cpu}, "--facts " + facts);
    EXPECT_EQ(ended.exit_code, exit_code) << cpu << ": " << ended.err;
    EXPECT_TRUE(holds(ended.err, says)) << cpu << ": " << ended.err;
  }
  EXPECT_EQ(scripted.cli({"list", "--json"}).out, "[]\n");
  EXPECT_EQ(scripted.cli(Scripted::short_run({"--cpu", "0,1"}), "--facts " + facts).exit_code, 0);
}

TEST(Sysroot, aFolderWithoutProcAndSysIsRefusedBeforeAnythingIsDone) {
  const Scripted scripted;
  (void)scripted.folder.file("notes", "proc and sys");
  const std::string folder = (scripted.folder / "").string();
  for (const auto& root : {folder, folder + "absent", folder + "notes", std::string()})
    for (const auto& command : {std::vector<std::string>{"run", "--size", "0", "--budget", "50ms"},
                                {"resume", "last"},
                                {"describe", "--worker", program("switchscope-worker")},
                                {"presets", "--json"}}) {
      auto arguments = command;
      arguments.insert(arguments.end(), {"--sysroot", root});
      const Ended ended = scripted.cli(arguments);
      EXPECT_EQ(ended.exit_code, 2) << command.front() << ' ' << root << ": " << ended.err;
      const std::string says = root.empty() ? "--sysroot: The path is empty" : "holds neither proc nor sys";
      EXPECT_TRUE(holds(ended.err, says)) << ended.err;
    }
  EXPECT_FALSE(std::filesystem::exists(scripted.database));
}

TEST(Sysroot, eitherOfThemIsEnoughAndBehindALauncherTheFolderIsNotLookedFor) {
  const Scripted scripted;
  std::filesystem::create_directories(scripted.folder / "tree" / "sys");
  const std::string tree = (scripted.folder / "tree").string();
  EXPECT_EQ(scripted.cli(Scripted::short_run({"--sysroot", tree})).exit_code, 0);
  const Ended far = scripted.cli(Scripted::short_run({"--sysroot", "/over/there", "--worker-launcher", "env"}));
  EXPECT_EQ(far.exit_code, 0) << far.err;
}

} // namespace switchscope
