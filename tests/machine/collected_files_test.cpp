#include "engine/worker/describe.h"
#include "engine/worker/facts_calls.h"
#include "engine/worker/facts_files.h"
#include "tests/machine/trees.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace switchscope;

TEST(OneBlockPerModel, KeepsTheFirstOfEachAndWhatBelongsToNone) {
  EXPECT_EQ(one_block_per_model("processor\t: 0\nmodel name\t: A\ncpu MHz\t: 1\n\n"
                                "processor\t: 1\nmodel name\t: A\ncpu MHz\t: 2\n\n"
                                "processor\t: 2\nmodel name\t: B\n\n"
                                "Hardware\t: Board\nSerial\t: 0123\n"),
            "processor\t: 0\nmodel name\t: A\ncpu MHz\t: 1\n\n"
            "processor\t: 2\nmodel name\t: B\n\n"
            "Hardware\t: Board");
}

TEST(SchedulingOptions, LeaveOutTheRestOfTheConfiguration) {
  EXPECT_EQ(scheduling_options("CONFIG_64BIT=y\nCONFIG_HZ=250\n# CONFIG_HZ_PERIODIC is not set\nCONFIG_NO_HZ_IDLE=y\n"
                               "CONFIG_PREEMPT_NONE=y\n"),
            "CONFIG_HZ=250\nCONFIG_NO_HZ_IDLE=y\nCONFIG_PREEMPT_NONE=y");
}

TEST(CollectFacts, ReadsBelowTheRootOnly) {
  const Facts facts = collect_facts(own_tree("two-cpu-guest"));
  EXPECT_EQ(facts.files.at("/proc/sys/kernel/hostname"), "guest");
  EXPECT_EQ(facts.files.at("/boot/config-6.1.0-28-amd64"),
            "CONFIG_NO_HZ_COMMON=y\nCONFIG_NO_HZ_FULL=y\nCONFIG_PREEMPT_BUILD=y\nCONFIG_PREEMPT_VOLUNTARY=y\n"
            "CONFIG_PREEMPT_DYNAMIC=y\nCONFIG_HZ_250=y\nCONFIG_HZ=250");
  EXPECT_EQ(facts.files.at("/proc/self/status"), "CapEff:\t0000000000804000\nSeccomp:\t2\nCpus_allowed_list:\t0-1");
  EXPECT_EQ(facts.calls.at("recorded"), "yes");
  EXPECT_FALSE(facts.calls.contains("uname.release"));
  EXPECT_FALSE(facts.calls.contains("affinity"));
}

TEST(CollectFacts, WritesASharedCacheOnce) {
  const Facts facts = collect_facts(own_tree("wsl2"));
  const std::string root = "/sys/devices/system/cpu/";
  EXPECT_TRUE(facts.files.contains(root + "cpu0/cache/index3/size"));
  EXPECT_FALSE(facts.files.contains(root + "cpu1/cache/index3/size"));
  EXPECT_TRUE(facts.files.contains(root + "cpu2/cache/index2/size"));
  EXPECT_FALSE(facts.files.contains(root + "cpu3/cache/index2/size"));
}

TEST(CollectFacts, AnEmptyTreeTellsNothingOfThisMachine) {
  const TemporaryDirectory empty;
  const Facts facts = collect_facts(empty.path());
  EXPECT_TRUE(facts.files.empty());
  EXPECT_EQ(facts.hwloc_xml, "");
}

TEST(CollectFacts, DoesNotWaitForAFifoNorReadADirectory) {
  const TemporaryDirectory tree;
  write_file(tree.path(), "/proc/loadavg/inside", "1");
  ASSERT_EQ(::mkfifo((tree.path() / "proc/meminfo").c_str(), 0600), 0);
  const Facts facts = collect_facts(tree.path());
  EXPECT_FALSE(facts.files.contains("/proc/meminfo"));
  EXPECT_FALSE(facts.files.contains("/proc/loadavg"));
}

TEST(CollectFacts, KeepsTheEnergyMetersOfPackagesOnly) {
  const TemporaryDirectory tree;
  for (const std::string domain : {"intel-rapl:0", "intel-rapl:0:0", "intel-rapl-mmio:0"}) {
    write_file(tree.path(), "/sys/class/powercap/" + domain + "/name", "package-0");
    write_file(tree.path(), "/sys/class/powercap/" + domain + "/energy_uj", "123");
  }
  EXPECT_EQ(collect_facts(tree.path()).files,
            (std::map<std::string, std::string>{{"/sys/class/powercap/intel-rapl:0/name", "package-0"},
                                                {"/sys/class/powercap/intel-rapl:0/energy_uj", "123"}}));
}

TEST(CollectFacts, MakesTextOfAnyBytes) {
  const TemporaryDirectory tree;
  write_file(tree.path(), "/proc/cmdline", std::string("a\xff\x01z\0\0", 6));
  write_file(tree.path(), "/proc/version", "  Linux \n\n");
  const Facts facts = collect_facts(tree.path());
  EXPECT_EQ(facts.files.at("/proc/cmdline"), "a??z");
  EXPECT_EQ(facts.files.at("/proc/version"), "Linux");
}

TEST(CollectFacts, ThisMachineTellsWhatNoFileDoes) {
  const Facts facts = collect_facts("/");
  EXPECT_FALSE(facts.calls.contains("recorded"));
  EXPECT_FALSE(facts.calls.at("uname.release").empty());
  EXPECT_FALSE(facts.calls.at("affinity").empty());
  const std::string counters = facts.calls.at("hardware-counters");
  EXPECT_TRUE(counters == "yes" || (counters.starts_with("no: ") && counters.size() > 4)) << counters;
  auto calls = facts.calls;
  auto again = collect_facts("").calls;
  for (auto* each : {&calls, &again}) EXPECT_EQ(each->erase(earlier_times_key), 1u);
  EXPECT_EQ(again, calls);
}

TEST(CollectFacts, TheUsersHwlocVariablesDoNotChangeTheMachine) {
  const std::string plain = collect_facts(own_tree("wsl2")).hwloc_xml;
  ::setenv("HWLOC_SYNTHETIC", "node:2 core:4 pu:2", 1);
  ::setenv("HWLOC_COMPONENTS", "synthetic,stop", 1);
  EXPECT_EQ(collect_facts(own_tree("wsl2")).hwloc_xml, plain);
  ::unsetenv("HWLOC_SYNTHETIC");
  ::unsetenv("HWLOC_COMPONENTS");
}
