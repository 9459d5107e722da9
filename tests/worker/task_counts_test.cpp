// Where a task was before and after a block.
#include "engine/worker/facts_files.h"
#include "engine/worker/task.h"

#include <gtest/gtest.h>

#include <sched.h>

namespace switchscope {
namespace {

constexpr int not_pinned = -1;

CountsReading on_cpu(int cpu) {
  CountsReading reading;
  reading.cpu = cpu;
  return reading;
}

TEST(TaskCounts, ATaskThatMovedHasMigratedWhetherPinnedOrFree) {
  EXPECT_EQ(counts_between(on_cpu(1), on_cpu(1), not_pinned).migrations, 0);
  EXPECT_EQ(counts_between(on_cpu(1), on_cpu(0), not_pinned).migrations, 1);
  EXPECT_EQ(counts_between(on_cpu(1), on_cpu(1), 1).migrations, 0);
  EXPECT_EQ(counts_between(on_cpu(1), on_cpu(0), 1).migrations, 1);
  EXPECT_EQ(counts_between(on_cpu(0), on_cpu(1), 1).migrations, 1);
  EXPECT_EQ(counts_between(on_cpu(0), on_cpu(0), 1).migrations, 1);
}

TEST(TaskCounts, AReadingTellsTheCpu) {
  EXPECT_GE(counts_now().cpu, 0);
  const CountsReading before = counts_now();
  sched_yield();
  EXPECT_GE(counts_between(before, counts_now(), not_pinned).voluntary_switches, 0);
}

TEST(GroupRealTimeFiles, AreThoseOfTheCpuController) {
  using Paths = std::vector<std::string>;
  EXPECT_EQ(group_real_time_files("0::/user.slice/session-1.scope\n"), Paths{});
  EXPECT_EQ(group_real_time_files("4:memory:/box\n3:cpu,cpuacct:/box\n2:cpuset:/\n"),
            (Paths{"/sys/fs/cgroup/cpu/box/cpu.rt_runtime_us", "/sys/fs/cgroup/cpu,cpuacct/box/cpu.rt_runtime_us"}));
  EXPECT_EQ(group_real_time_files("3:cpu:/\n").front(), "/sys/fs/cgroup/cpu/cpu.rt_runtime_us");
  EXPECT_EQ(group_real_time_files("no line of that kind"), Paths{});
}

} // namespace
} // namespace switchscope
