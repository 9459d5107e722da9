#include "engine/machine/machine.h"

#include <gtest/gtest.h>

using namespace switchscope;

namespace {

Environment machine_of(int cpus) {
  Environment environment;
  for (int number = 0; number < cpus; ++number) {
    Cpu cpu;
    cpu.number = number;
    environment.cpus.push_back(cpu);
  }
  return environment;
}

Plan plan_on(const char* placement) {
  Plan plan;
  plan.sizes_bytes = {4096};
  plan.placements = {*parse_placement(placement)};
  return plan;
}

using Problems = std::vector<PlanProblem>;

} // namespace

TEST(ProblemsOn, NoneWhereTheMachineHasWhatIsAsked) {
  for (const char* placement : {"0", "1", "0:1", "free", "auto"})
    EXPECT_EQ(problems_on(machine_of(2), plan_on(placement)), Problems{}) << placement;
}

TEST(ProblemsOn, AbsentCpu) {
  EXPECT_EQ(problems_on(machine_of(2), plan_on("99")),
            (Problems{{"cpu", "CPU 99 does not exist: this machine has CPUs 0-1"}}));
  EXPECT_EQ(problems_on(machine_of(1), plan_on("0:1")),
            (Problems{{"cpu", "CPU 1 does not exist: this machine has CPU 0"}}));
}

TEST(ProblemsOn, OfflineCpu) {
  Environment environment = machine_of(4);
  environment.cpus[2].online = environment.cpus[2].allowed = false;
  EXPECT_EQ(problems_on(environment, plan_on("0:2")),
            (Problems{{"online", "CPU 2 is offline (online: CPUs 0-1,3); to switch it on, write 1 to "
                                 "/sys/devices/system/cpu/cpu2/online"}}));
}

TEST(ProblemsOn, ForbiddenCpu) {
  Environment environment = machine_of(4);
  environment.cpus[0].allowed = false;
  EXPECT_EQ(problems_on(environment, plan_on("0")),
            (Problems{{"allowed",
                       "CPU 0 is outside the set this program may use: choose from CPUs 1-3, or widen its cpuset or "
                       "affinity"}}));
}

TEST(ProblemsOn, SaysNothingOfCpusItDoesNotKnow) {
  EXPECT_EQ(problems_on(Environment{}, plan_on("7")), Problems{});
}

TEST(ProblemsOn, ArraysOfBothTasksMustFit) {
  Environment environment = machine_of(2);
  environment.memory_available_bytes = std::int64_t{4} << 30;
  Plan plan = plan_on("1");
  plan.sizes_bytes = {4096, std::int64_t{2} << 30};
  EXPECT_EQ(problems_on(environment, plan), Problems{});
  plan.sizes_bytes = {4096, std::int64_t{3} << 30};
  EXPECT_EQ(
      problems_on(environment, plan),
      (Problems{{"size",
                 "two tasks with an array of 3 GiB each do not fit into the 4.0 GiB of memory that are available: "
                 "the largest size that fits is 2.0 GiB"}}));
  plan.sizes_bytes = {std::int64_t{1} << 53};
  EXPECT_EQ(problems_on(environment, plan).size(), 1u);
  environment.memory_available_bytes.reset();
  EXPECT_EQ(problems_on(environment, plan), Problems{});
}
