#include "engine/machine/machine.h"

#include <gtest/gtest.h>

using namespace switchscope;

namespace {

Environment example() {
  Environment environment;
  environment.cpu_model = "AMD EPYC";
  environment.kernel_release = "6.1.0";
  environment.hypervisor = "KVM";
  environment.mitigations = {{"meltdown", "Not affected"}, {"spectre_v2", "Mitigation: Retpolines"}};
  environment.versions = {{"worker build", "abc"}};
  return environment;
}

using Sentences = std::vector<std::string>;

} // namespace

TEST(Differences, NoneBetweenTheSameMachineAtTwoTimes) {
  Environment later = example();
  later.load_1min = 3.5;
  later.memory_available_bytes = 1;
  later.kernel_command_line = "quiet";
  EXPECT_EQ(differences(example(), later), Sentences{});
}

TEST(Differences, EachForbiddenOneIsASentence) {
  Environment now = example();
  now.cpu_model = "Intel Xeon";
  EXPECT_EQ(differences(example(), now), Sentences{"CPU model AMD EPYC then, Intel Xeon now"});
  now = example();
  now.kernel_release = "6.2.0";
  EXPECT_EQ(differences(example(), now), Sentences{"kernel 6.1.0 then, 6.2.0 now"});
  now = example();
  now.hypervisor.clear();
  EXPECT_EQ(differences(example(), now), Sentences{"hypervisor KVM then, none now"});
  now = example();
  now.mitigations["spectre_v2"] = "Vulnerable";
  EXPECT_EQ(differences(example(), now),
            Sentences{"mitigation of spectre_v2: Mitigation: Retpolines then, Vulnerable now"});
  now = example();
  now.mitigations.erase("meltdown");
  EXPECT_EQ(differences(example(), now), Sentences{"mitigation of meltdown: Not affected then, not reported now"});
  now = example();
  now.versions["worker build"] = "def";
  EXPECT_EQ(differences(example(), now), Sentences{"worker build abc then, def now"});
}

TEST(ChangesDuring, WhatACostDependsOnIsToldAndTheRestIsNot) {
  Environment before = example();
  before.clock_source = "tsc";
  before.rt_runtime_us = 950'000;
  before.transparent_huge_pages = "madvise";
  for (int number = 0; number < 3; ++number) {
    Cpu cpu;
    cpu.number = number;
    cpu.governor = "performance";
    before.cpus.push_back(cpu);
  }
  EXPECT_EQ(changes_during(before, before), Sentences{});

  Environment after = before;
  after.load_1min = 7;
  EXPECT_EQ(changes_during(before, after), Sentences{});
  after.clock_source = "hpet";
  after.rt_runtime_us = std::nullopt;
  after.transparent_huge_pages = "never";
  after.cpus[0].governor = "powersave";
  after.cpus[1].allowed = false;
  after.cpus.pop_back(); // an offline CPU may be told of or not
  EXPECT_EQ(
      changes_during(before, after),
      (Sentences{"clock source was tsc, then hpet", "transparent huge pages was madvise, then never",
                 "sched_rt_runtime_us was 950000, then not told", "governor of CPU 0 was performance, then powersave",
                 "CPU 1 was allowed to this program, then outside its cpuset", "CPU 2 was online, then offline"}));
}
