// Recorded machines from tree to environment: what a user of that machine would have to see.
#include "engine/machine/machine.h"
#include "engine/worker/describe.h"
#include "tests/machine/trees.h"

#include <gtest/gtest.h>

using namespace switchscope;

namespace {

struct Machine {
  const char* name;
  std::size_t cpus;
  const char* offline;
  const char* allowed;
  int looked_at; // the CPU whose caches are given
  const char* caches;
  const char* performance;
  const char* efficient;
  int chosen;
  const char* reason;
};

std::ostream& operator<<(std::ostream& out, const Machine& machine) {
  return out << machine.name;
}

void expect_machine(const Environment& environment, const Machine& machine) {
  EXPECT_EQ(environment.cpus.size(), machine.cpus);
  EXPECT_EQ(offline_cpus(environment), machine.offline);
  EXPECT_EQ(allowed_cpus(environment), machine.allowed);
  EXPECT_EQ(caches_of(environment, machine.looked_at), machine.caches);
  EXPECT_EQ(cpus_of_type(environment, "performance"), machine.performance);
  EXPECT_EQ(cpus_of_type(environment, "efficient"), machine.efficient);
  const CpuChoice choice = choose_cpu(environment);
  EXPECT_EQ(choice.cpu, machine.chosen);
  EXPECT_EQ(choice.reason, machine.reason);
}

const char* const first_away =
    "CPU 1 is the first CPU this program may use away from CPU 0, which takes most interrupts.";

const Machine hwloc_machines[] = {
    {"20em64t-hybrid-1p6c2t+2ca4co1t", 20, "", "0-19", 12,
     "L1 data 32 KiB 12, L2 unified 2048 KiB 12-15, L3 unified 24576 KiB 0-19", "0-11", "12-19", 2,
     "CPU 2 is the first performance core this program may use away from CPU 0, which takes most interrupts."},
    {"128arm-2pa2n8cluster4co", 128, "", "0-127", 127,
     "L1 data 64 KiB 127, L2 unified 512 KiB 127, L3 unified 32768 KiB 96-127", "", "", 1, first_away},
    {"2arm-2c", 2, "", "0-1", 1, "", "", "", 1, first_away},
    {"256ppc-8n8s4t", 256, "", "0-255", 255,
     "L1 data 32 KiB 252-255, L2 unified 256 KiB 252-255, L3 unified 4096 KiB 252-255", "", "", 4,
     "CPU 4 is the first CPU this program may use away from CPU 0, which takes most interrupts."},
    {"64amd64-4s2n4ca2co", 64, "", "0-63", 63,
     "L1 data 16 KiB 63, L2 unified 2048 KiB 62-63, L3 unified 6144 KiB 56-63", "", "", 1, first_away},
    {"16em64t-4s2c2t-offlines", 16, "2,5,13-14", "0-1,3-4,6-12,15", 8,
     "L1 data 16 KiB 0,8, L2 unified 1024 KiB 0,8, L3 unified 4096 KiB 0,4,8,12", "", "", 1, first_away},
    {"offline-cpu0-node0", 24, "0-3,21-23", "4-20", 5,
     "L1 data 32 KiB 5, L2 unified 256 KiB 5, L3 unified 30720 KiB 5,7,9,11,13,15,17,19", "", "", 4,
     "CPU 4 is the first CPU this program may use."},
    {"16amd64-8n2c-cpusets", 16, "4", "0-3,5-6,12-15", 12, "L1 data 64 KiB 12, L2 unified 1024 KiB 12", "", "", 1,
     first_away},
    {"5intel64-hybrid-lakefield", 0, "", "", 0, "", "", "", 0,
     "CPU 0, because the machine does not tell which CPUs it has."},
};

std::string test_name(const testing::TestParamInfo<Machine>& info) {
  std::string name = info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

} // namespace

class HwlocMachine : public testing::TestWithParam<Machine> {};

TEST_P(HwlocMachine, IsRead) {
  const Machine& machine = GetParam();
  if (!std::filesystem::exists(archive_of(machine.name)))
    GTEST_SKIP() << "hwloc's recorded machines are not at " << archive_of(machine.name).parent_path()
                 << "; set SWITCHSCOPE_SYSROOTS to their directory";
  const TemporaryDirectory directory;
  const auto root = unpack(machine.name, directory.path());
  if (!root) GTEST_SKIP() << "tar cannot unpack " << archive_of(machine.name) << "; is bzip2 installed?";
  expect_machine(environment_from(collect_facts(*root), Hello{}), machine);
}

INSTANTIATE_TEST_SUITE_P(Recorded, HwlocMachine, testing::ValuesIn(hwloc_machines), test_name);

namespace {

const Machine own_machines[] = {
    {"wsl2", 4, "", "0-3", 3, "L1 data 48 KiB 2-3, L2 unified 1280 KiB 2-3, L3 unified 12288 KiB 0-3", "", "", 2,
     "CPU 2 is the first CPU this program may use away from CPU 0, which takes most interrupts."},
    {"arm64-no-cache-sizes", 4, "", "0-3", 1, "", "", "", 1, first_away},
    {"two-cpu-guest", 2, "", "0-1", 1, "L1 data 32 KiB 1, L2 unified 4096 KiB 1, L3 unified 16384 KiB 1", "", "", 1,
     "CPU 1 is the only isolated CPU this program may use."},
};

} // namespace

class OwnMachine : public testing::TestWithParam<Machine> {};

TEST_P(OwnMachine, IsRead) {
  expect_machine(environment_from(collect_facts(own_tree(GetParam().name)), Hello{}), GetParam());
}

// A worker built without hwloc sends no XML: the files of /sys tell the same.
TEST_P(OwnMachine, IsReadWithoutHwloc) {
  Facts facts = collect_facts(own_tree(GetParam().name));
  facts.hwloc_xml.clear();
  expect_machine(environment_from(facts, Hello{}), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Recorded, OwnMachine, testing::ValuesIn(own_machines), test_name);

TEST(OwnMachineDetails, Wsl2) {
  const Environment environment = environment_from(collect_facts(own_tree("wsl2")), Hello{});
  EXPECT_EQ(environment.host_name, "laptop");
  EXPECT_EQ(environment.architecture, "x86_64");
  EXPECT_EQ(environment.cpu_model, "11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz");
  EXPECT_EQ(environment.microcode, "0xffffffff");
  EXPECT_EQ(environment.hypervisor, "WSL2");
  EXPECT_EQ(environment.clock_source, "hyperv_clocksource_tsc_page");
  EXPECT_EQ(environment.smt, "on");
  EXPECT_EQ(environment.transparent_huge_pages, "madvise");
  EXPECT_EQ(environment.preemption, "none or voluntary");
  EXPECT_EQ(environment.hz, std::nullopt);
  EXPECT_EQ(environment.rt_priority_limit, std::nullopt);
  EXPECT_EQ(environment.memory_total_bytes, std::int64_t{8018564} * 1024);
  EXPECT_EQ(environment.load_1min, 0.05);
  EXPECT_EQ(environment.mitigations.at("meltdown"), "Not affected");
}

TEST(OwnMachineDetails, TwoCpuGuest) {
  const Environment environment = environment_from(collect_facts(own_tree("two-cpu-guest")), Hello{});
  EXPECT_EQ(environment.hypervisor, "KVM");
  EXPECT_EQ(environment.container, "docker");
  EXPECT_EQ(environment.kernel_release, "6.1.0-28-amd64");
  EXPECT_EQ(environment.preemption, "dynamic: voluntary");
  EXPECT_EQ(environment.no_hz, "full");
  EXPECT_EQ(environment.hz, 250);
  EXPECT_EQ(environment.rt_runtime_us, -1);
  EXPECT_EQ(environment.hugetlb_free_pages, 6);
  EXPECT_EQ(environment.memory_available_bytes, 1073741824); // the control group's limit, below MemAvailable
  EXPECT_TRUE(find_cpu(environment, 1)->isolated);
  EXPECT_TRUE(find_cpu(environment, 1)->nohz_full);
  EXPECT_FALSE(find_cpu(environment, 0)->isolated);
}

TEST(OwnMachineDetails, Arm64WithoutCacheSizes) {
  const Environment environment = environment_from(collect_facts(own_tree("arm64-no-cache-sizes")), Hello{});
  EXPECT_EQ(environment.architecture, "aarch64");
  EXPECT_EQ(environment.cpu_model, "Arm Neoverse-N1");
  EXPECT_EQ(environment.hypervisor, "KVM");
  EXPECT_EQ(environment.caches, std::vector<Cache>{});
  EXPECT_EQ(environment.emulation, "");
}

TEST(ThisMachine, HasACpuToMeasureOn) {
  const Environment environment = environment_from(collect_facts(""), Hello{});
  const Cpu* chosen = find_cpu(environment, choose_cpu(environment).cpu);
  ASSERT_NE(chosen, nullptr);
  EXPECT_TRUE(chosen->online);
  EXPECT_TRUE(chosen->allowed);
  EXPECT_FALSE(environment.kernel_release.empty());
  EXPECT_TRUE(environment.hz.has_value());
  EXPECT_GT(environment.memory_available_bytes.value_or(0), 0);
}
