// Whatever a tree or a worker's line holds, readings are absent and nothing crashes. Run these under the sanitizers.
#include "engine/machine/machine.h"
#include "engine/worker/describe.h"
#include "tests/machine/trees.h"

#include <gtest/gtest.h>

namespace fs = std::filesystem;
using namespace switchscope;

namespace {

const std::vector<std::string> nonsense{
    "",
    "letters",
    "-",
    "0-",
    "-1",
    "99999999999999999999",
    "0-99999999",
    "0-65535",
    "[[((::,,--",
    std::string(3, '\0') + "\xff\xfe",
    std::string(100'000, 'x'),
};

Environment read(const Facts& facts) {
  Environment environment = environment_from(facts, Hello{});
  // What follows from an environment must stand it, too.
  Plan plan;
  plan.sizes_bytes = {4096};
  plan.placements = {Placement{}, *parse_placement("0:1")};
  const Plan chosen = with_cpus_chosen(plan, environment);
  EXPECT_FALSE(choose_cpu(environment).reason.empty());
  EXPECT_LE(problems_on(environment, chosen).size(), 3u);
  for (const Cache& cache : environment.caches) EXPECT_GT(cache.size_bytes, 0);
  return environment;
}

std::vector<fs::path> files_below(const fs::path& root) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.is_regular_file()) files.push_back(entry.path());
  return files;
}

} // namespace

TEST(MalformedTree, EveryFileFullOfTheSameNonsense) {
  for (const std::string& content : nonsense) {
    const TemporaryDirectory tree;
    fs::copy(own_tree("two-cpu-guest"), tree.path(), fs::copy_options::recursive);
    for (const fs::path& file : files_below(tree.path()))
      write_file(tree.path(), "/" + fs::relative(file, tree.path()).string(), content);
    const Environment environment = read(collect_facts(tree.path()));
    EXPECT_EQ(environment.hz, std::nullopt);
    EXPECT_EQ(environment.memory_total_bytes, std::nullopt);
    EXPECT_EQ(environment.memory_available_bytes, std::nullopt);
    EXPECT_EQ(environment.hugetlb_free_pages, std::nullopt);
    EXPECT_TRUE(environment.caches.empty());
  }
}

TEST(MalformedTree, WithoutTheDirectoryOfACpu) {
  const TemporaryDirectory tree;
  fs::copy(own_tree("two-cpu-guest"), tree.path(), fs::copy_options::recursive);
  fs::remove_all(tree.path() / "sys/devices/system/cpu/cpu1");
  const Environment environment = read(collect_facts(tree.path()));
  EXPECT_EQ(environment.cpus.size(), 2u); // "present" still says so
  EXPECT_EQ(caches_of(environment, 0), "L1 data 32 KiB 0, L2 unified 4096 KiB 0, L3 unified 16384 KiB 0");
  EXPECT_EQ(caches_of(environment, 1), "");
}

TEST(MalformedTree, WithoutAnyCpuDirectory) {
  const TemporaryDirectory tree;
  fs::copy(own_tree("wsl2"), tree.path(), fs::copy_options::recursive);
  fs::remove_all(tree.path() / "sys/devices/system/cpu");
  const Environment environment = read(collect_facts(tree.path()));
  EXPECT_TRUE(environment.cpus.empty()); // and not this machine's
  EXPECT_EQ(environment.hypervisor, "WSL2");
}

TEST(MalformedTree, OneFileAtATimeTakesNothingElseAway) {
  Facts facts = collect_facts(own_tree("two-cpu-guest"));
  facts.hwloc_xml.clear();
  const Environment whole = read(facts);
  for (const auto& [path, content] : facts.files)
    for (const std::string& text : nonsense) {
      Facts broken = facts;
      broken.files[path] = text;
      const Environment environment = read(broken);
      const auto unless_from = [&, &path = path](const char* source, const auto& reading, const auto& expected) {
        if (path != source) {
          EXPECT_EQ(reading, expected) << path;
        }
      };
      unless_from("/proc/cpuinfo", environment.cpu_model, whole.cpu_model);
      unless_from("/proc/loadavg", environment.load_1min, whole.load_1min);
      unless_from("/proc/sys/kernel/sched_rt_period_us", environment.rt_period_us, whole.rt_period_us);
    }
}

TEST(MalformedXml, CutAtEveryByte) {
  Facts facts = collect_facts(own_tree("wsl2"));
  const std::string xml = facts.hwloc_xml;
  ASSERT_FALSE(xml.empty());
  const Environment whole = read(facts);
  for (std::size_t length = 0; length < xml.size(); length += 7) {
    facts.hwloc_xml = xml.substr(0, length);
    const Environment environment = read(facts);
    EXPECT_EQ(environment.cpus.size(), whole.cpus.size()) << "cut after " << length << " bytes";
    EXPECT_EQ(caches_of(environment, 3), caches_of(whole, 3)) << "cut after " << length << " bytes"; // out of the files
  }
}

TEST(MalformedXml, GarbageAndNulBytes) {
  Facts facts = collect_facts(own_tree("wsl2"));
  for (const std::string& text : nonsense) {
    facts.hwloc_xml = text;
    EXPECT_EQ(read(facts).cpus.size(), 4u);
  }
}

TEST(MalformedCalls, AreAbsentReadings) {
  for (const char* key :
       {"affinity", "rlimit.rtprio", "rlimit.memlock", "coarse_clock_resolution_ns", "cpuid.kvm_features"})
    for (const std::string& text : nonsense) {
      Facts facts;
      facts.calls[key] = text;
      (void)read(facts);
    }
  Facts facts;
  facts.calls["coarse_clock_resolution_ns"] = "letters";
  EXPECT_EQ(read(facts).hz, std::nullopt);
}
