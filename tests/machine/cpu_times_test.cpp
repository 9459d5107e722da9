// /proc/stat, /proc/interrupts and /sys/class/power_supply -> what the CPUs did, and what the machine runs on.
#include "engine/machine/machine.h"
#include "engine/worker/facts_files.h"

#include <gtest/gtest.h>

using namespace switchscope;

namespace {

Facts two_cpus() {
  Facts facts;
  facts.files = {{"/sys/devices/system/cpu/present", "0-1"}, {"/sys/devices/system/cpu/online", "0-1"}};
  return facts;
}

Environment read(const Facts& facts) {
  return environment_from(facts, Hello{});
}

} // namespace

TEST(CpuTimes, BusyJustNowStolenAndInterruptedSinceBoot) {
  Facts facts = two_cpus();
  facts.calls["proc-stat.earlier"] = "cpu 0 0 0 0\ncpu0 100 0 0 900 0 0 0 0\ncpu1 100 0 0 900 0 0 0 0";
  facts.files["/proc/stat"] = "cpu 0 0 0 0\ncpu0 101 0 0 904 0 0 0 0\ncpu1 105 0 0 895 0 0 0 50\nbtime 1764500000";
  facts.files["/proc/interrupts"] = "CPU0 CPU1\nsum: 1005 21000";
  const Environment machine = read(facts);
  EXPECT_EQ(machine.cpus[0].busy_ratio, 0.2);
  EXPECT_EQ(machine.cpus[1].busy_ratio, std::nullopt); // its idle time ran backwards
  EXPECT_EQ(machine.cpus[0].steal_ratio, 0);
  EXPECT_DOUBLE_EQ(*machine.cpus[1].steal_ratio, 50.0 / 1050);
  EXPECT_DOUBLE_EQ(*machine.cpus[0].interrupts_per_s, 100);
  EXPECT_DOUBLE_EQ(*machine.cpus[1].interrupts_per_s, 2000);
  EXPECT_EQ(machine.booted_at_s, 1764500000);
}

TEST(CpuTimes, NothingToldIsAbsent) {
  const Environment machine = read(two_cpus());
  EXPECT_EQ(machine.cpus[0].busy_ratio, std::nullopt);
  EXPECT_EQ(machine.cpus[0].steal_ratio, std::nullopt);
  EXPECT_EQ(machine.cpus[0].interrupts_per_s, std::nullopt);
  EXPECT_EQ(machine.booted_at_s, std::nullopt);
  EXPECT_EQ(machine.power, "");
  EXPECT_EQ(machine.real_time, "");
}

TEST(InterruptSums, OneNumberForEachCpu) {
  EXPECT_EQ(interrupt_sums(
                "           CPU0       CPU2\n  0:   10   5   IO-APIC  timer\nLOC:   100   200   Local\nERR:   7\n"),
            "CPU0 CPU2\nsum: 117 205");
  EXPECT_EQ(interrupt_sums(""), "");
}

TEST(Power, BatteryMainsOrNotTold) {
  const std::string supplies = "/sys/class/power_supply/";
  Facts facts = two_cpus();
  facts.files[supplies + "BAT0/type"] = "Battery";
  facts.files[supplies + "BAT0/status"] = "Discharging";
  facts.files[supplies + "AC/type"] = "Mains";
  facts.files[supplies + "AC/online"] = "0";
  EXPECT_EQ(read(facts).power, "battery");
  facts.files[supplies + "BAT0/status"] = "Full";
  facts.files[supplies + "AC/online"] = "1";
  EXPECT_EQ(read(facts).power, "mains");
  Facts mouse = two_cpus();
  mouse.files[supplies + "hid/type"] = "Battery";
  mouse.files[supplies + "hid/scope"] = "Device";
  mouse.files[supplies + "hid/status"] = "Discharging";
  EXPECT_EQ(read(mouse).power, "");
}

TEST(RealTime, TheKernelsAnswerAndTheGroupsShare) {
  Facts facts = two_cpus();
  facts.calls["real-time"] = "no: Operation not permitted";
  facts.files["/sys/fs/cgroup/cpu/user/cpu.rt_runtime_us"] = "0";
  EXPECT_EQ(read(facts).real_time, "Operation not permitted");
  EXPECT_EQ(read(facts).rt_group_runtime_us, 0);
  facts.calls["real-time"] = "yes";
  EXPECT_EQ(read(facts).real_time, "yes");
}
