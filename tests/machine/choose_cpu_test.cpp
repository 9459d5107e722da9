#include "engine/machine/machine.h"

#include <gtest/gtest.h>

using namespace switchscope;

namespace {

Environment machine_of(int cpus) {
  Environment environment;
  for (int number = 0; number < cpus; ++number) {
    Cpu cpu;
    cpu.number = number;
    cpu.siblings = {number};
    environment.cpus.push_back(cpu);
  }
  return environment;
}

} // namespace

TEST(ChooseCpu, KeepsAwayFromCpu0) {
  EXPECT_EQ(choose_cpu(machine_of(4)).cpu, 1);
  EXPECT_EQ(choose_cpu(machine_of(4)).reason,
            "CPU 1 is the first CPU this program may use away from CPU 0, which takes most interrupts.");
}

TEST(ChooseCpu, KeepsAwayFromTheHyperthreadsOfCpu0) {
  Environment environment = machine_of(4);
  environment.cpus[0].siblings = environment.cpus[1].siblings = {0, 1};
  environment.cpus[2].siblings = environment.cpus[3].siblings = {2, 3};
  EXPECT_EQ(choose_cpu(environment).cpu, 2);
}

TEST(ChooseCpu, TakesTheHyperthreadWhereThereIsOneCore) {
  Environment environment = machine_of(2);
  environment.cpus[0].siblings = environment.cpus[1].siblings = {0, 1};
  EXPECT_EQ(choose_cpu(environment).cpu, 1);
  EXPECT_EQ(
      choose_cpu(environment).reason,
      "CPU 1 is the first CPU this program may use besides CPU 0, which takes most interrupts; they share a core.");
}

TEST(ChooseCpu, TakesCpu0WhereItIsAlone) {
  EXPECT_EQ(choose_cpu(machine_of(1)).cpu, 0);
  EXPECT_EQ(choose_cpu(machine_of(1)).reason, "CPU 0 is the only CPU this program may use.");
}

TEST(ChooseCpu, SkipsOfflineAndForbiddenCpus) {
  Environment environment = machine_of(4);
  environment.cpus[1].online = false;
  environment.cpus[1].allowed = false;
  environment.cpus[2].allowed = false;
  EXPECT_EQ(choose_cpu(environment).cpu, 3);
}

TEST(ChooseCpu, PrefersAnIsolatedCpu) {
  Environment environment = machine_of(4);
  environment.cpus[3].isolated = true;
  EXPECT_EQ(choose_cpu(environment).cpu, 3);
  EXPECT_EQ(choose_cpu(environment).reason, "CPU 3 is the only isolated CPU this program may use.");
}

TEST(ChooseCpu, PrefersAFastCoreToAnIsolatedOne) {
  Environment environment = machine_of(4);
  environment.cpus[0].core_type = environment.cpus[1].core_type = "efficient";
  environment.cpus[2].core_type = environment.cpus[3].core_type = "performance";
  environment.cpus[1].isolated = true;
  EXPECT_EQ(choose_cpu(environment).cpu, 2);
  EXPECT_EQ(choose_cpu(environment).reason, "CPU 2 is the first performance core this program may use.");
}

TEST(ChooseCpu, PrefersCpu0ToASlowerCore) {
  Environment environment = machine_of(2);
  environment.cpus[0].core_type = "performance";
  environment.cpus[1].core_type = "efficient";
  EXPECT_EQ(choose_cpu(environment).cpu, 0);
  EXPECT_EQ(choose_cpu(environment).reason, "CPU 0 is the only performance core this program may use.");
}

TEST(ChooseCpu, SaysSoWhenNothingIsTold) {
  EXPECT_EQ(choose_cpu(Environment{}).reason, "CPU 0, because the machine does not tell which CPUs it has.");
  Environment forbidden = machine_of(2);
  for (Cpu& cpu : forbidden.cpus) cpu.allowed = false;
  EXPECT_EQ(choose_cpu(forbidden).reason, "CPU 0, although no CPU seems to be allowed to this program.");
}

TEST(WithCpusChosen, ReplacesAutoAndNothingElse) {
  Plan plan;
  plan.placements = {Placement{}, *parse_placement("0:1"), *parse_placement("free")};
  const Plan chosen = with_cpus_chosen(plan, machine_of(4));
  ASSERT_EQ(chosen.placements.size(), 3u);
  EXPECT_EQ(text_of(chosen.placements[0]), "1");
  EXPECT_EQ(text_of(chosen.placements[1]), "0:1");
  EXPECT_EQ(text_of(chosen.placements[2]), "free");
}

TEST(WithCpusChosen, MeasuresTheSameCpuOnce) {
  Plan plan;
  plan.placements = {Placement{}, *parse_placement("1")};
  EXPECT_EQ(with_cpus_chosen(plan, machine_of(4)).placements.size(), 1u);
}
