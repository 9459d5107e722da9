// What a machine is -> the lights a user sees.
#include "engine/machine/readiness.h"

#include "engine/machine/readiness_parts.h"
#include "tests/machine/lights.h"

#include <gtest/gtest.h>

using namespace switchscope;

namespace {

// A quiet bare machine of two cores, with nothing to complain of.
Environment quiet_machine() {
  Environment e;
  e.smt = "off";
  e.boost = "off";
  e.scaling_driver = "intel_pstate";
  e.power = "mains";
  e.real_time = "yes";
  e.rt_period_us = 1'000'000;
  e.rt_runtime_us = 950'000;
  e.rt_priority_limit = 99;
  e.transparent_huge_pages = "madvise";
  e.randomize_va_space = 2;
  e.hardware_counters = "yes";
  e.load_1min = 0.1;
  for (int number : {0, 1}) {
    Cpu cpu;
    cpu.number = number;
    cpu.siblings = {number};
    cpu.isolated = cpu.nohz_full = true;
    cpu.governor = "performance";
    cpu.busy_ratio = 0;
    cpu.steal_ratio = 0;
    cpu.interrupts_per_s = 100;
    e.cpus.push_back(cpu);
    e.caches.push_back({1, "data", 32 << 10, 64, {number}, "reported"});
    e.caches.push_back({2, "unified", 512 << 10, 64, {number}, "reported"});
  }
  e.caches.push_back({3, "unified", 8 << 20, 64, {0, 1}, "reported"});
  return e;
}

Finding found(const Environment& environment, const std::string& id) {
  for (const Finding& finding : readiness(environment, {1}))
    if (finding.id == id) return finding;
  ADD_FAILURE() << "there is no finding " << id;
  return {};
}

struct Case {
  const char* id;
  void (*change)(Environment&);
  Light light;
  const char* here;
  const char* command;
};

const Case cases[] = {
    {"emulation", [](Environment& e) { e.emulation = "qemu-user"; }, Light::red,
     "instructions are translated by qemu-user", ""},
    {"usable-cpus", [](Environment& e) { e.cpus[0].allowed = false; }, Light::yellow, "1", ""},
    {"wsl", [](Environment& e) { e.hypervisor = "WSL1"; }, Light::red, "WSL1",
     "wsl.exe --set-version \"$WSL_DISTRO_NAME\" 2"},
    {"load", [](Environment& e) { e.load_1min = 0.6; }, Light::yellow,
     "0.6 over the last minute; CPU 1 was 0 % busy just now", ""},
    {"load", [](Environment& e) { e.cpus[1].busy_ratio = 1; }, Light::red,
     "0.1 over the last minute; CPU 1 was 100 % busy just now", ""},
    {"shared-core",
     [](Environment& e) {
       e.cpus[0].siblings = e.cpus[1].siblings = {0, 1};
     },
     Light::yellow, "CPU 1 is reported to share its core with CPU 0",
     "echo 0 | sudo tee /sys/devices/system/cpu/cpu0/online"},
    {"shared-core",
     [](Environment& e) {
       e.cpus[0].siblings = e.cpus[1].siblings = {0, 1};
       e.cpus[0].busy_ratio = 0.9;
     },
     Light::red, "CPU 1 is reported to share its core with CPU 0",
     "echo 0 | sudo tee /sys/devices/system/cpu/cpu0/online"},
    {"shared-core", [](Environment& e) { e.hypervisor = "KVM"; }, Light::unknown, "CPU 1 is reported alone on its core",
     "switchscope-cli doctor --cpu 1"},
    {"shared-core",
     [](Environment& e) {
       e.hypervisor = "KVM";
       e.core_sharing = {{1, "2026-11-30T19:22:00.000Z", {{0, Sharing::shares, 3.8, 1.9, 12}}, 0}};
     },
     Light::yellow,
     "CPU 1 is reported alone on its core; probed 2026-11-30T19:22Z: with CPU 0 (3.80 adds a cycle while CPU 0 slept, "
     "1.90 while it spun)",
     "echo 0 | sudo tee /sys/devices/system/cpu/cpu0/online"},
    {"shared-core",
     [](Environment& e) {
       e.hypervisor = "KVM";
       e.core_sharing = {{1, "2026-11-30T19:22:00.000Z", {{0, Sharing::does_not, 3.8, 3.8, 12}}, 0}};
     },
     Light::green,
     "CPU 1 is reported alone on its core; probed 2026-11-30T19:22Z: not with CPU 0 (3.80 adds a cycle while CPU 0 "
     "slept, 3.80 while it spun)",
     ""},
    {"steal",
     [](Environment& e) {
       e.hypervisor = "KVM";
       e.cpus[1].steal_ratio = 0.07;
     },
     Light::red, "7.00 % of the time of CPU 1 since boot", ""},
    {"hypervisor", [](Environment& e) { e.hypervisor = "KVM (nested)"; }, Light::yellow, "guest of KVM (nested)", ""},
    {"real-time",
     [](Environment& e) {
       e.real_time = "Operation not permitted";
       e.rt_priority_limit = 0;
     },
     Light::yellow, "refused: Operation not permitted",
     "sudo setcap cap_sys_nice,cap_ipc_lock+ep \"$(command -v switchscope-worker)\""},
    {"real-time",
     [](Environment& e) {
       e.real_time = "Operation not permitted";
       e.rt_group_runtime_us = 0;
     },
     Light::yellow, "refused: Operation not permitted; its control group has no real-time share (RT_GROUP_SCHED)",
     "echo $$ | sudo tee /sys/fs/cgroup/cpu/cgroup.procs /sys/fs/cgroup/cgroup.procs"},
    {"rt-throttling", [](Environment& e) { e.rt_runtime_us = 0; }, Light::red, "0 ms of every 1000 ms",
     "sudo sysctl kernel.sched_rt_runtime_us=-1"},
    {"power", [](Environment& e) { e.power = "battery"; }, Light::yellow, "battery", ""},
    {"governor", [](Environment& e) { e.cpus[1].governor = "schedutil"; }, Light::yellow, "schedutil on CPU 1",
     "sudo cpupower -c 1 frequency-set -g performance"},
    {"core-type", [](Environment& e) { e.cpus[1].core_type = "efficient"; }, Light::yellow,
     "CPU 1 is an efficient core", ""},
    {"turbo", [](Environment& e) { e.boost = "on"; }, Light::yellow, "on",
     "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"},
    {"turbo",
     [](Environment& e) {
       e.boost = "on";
       e.scaling_driver = "acpi-cpufreq";
     },
     Light::yellow, "on", "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"},
    {"smt", [](Environment& e) { e.smt = "on"; }, Light::yellow, "on",
     "echo off | sudo tee /sys/devices/system/cpu/smt/control"},
    {"isolation", [](Environment& e) { e.cpus[1].isolated = false; }, Light::yellow, "CPU 1 is not isolated",
     "sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&isolcpus=1 /' /etc/default/grub && sudo update-grub && sudo reboot"},
    {"interrupts", [](Environment& e) { e.cpus[1].interrupts_per_s = 900; }, Light::yellow,
     "900 a second on CPU 1 since boot; the quietest CPU has 100",
     "for f in /proc/irq/*/smp_affinity_list; do echo 0 | sudo tee $f; done"},
    {"ticks",
     [](Environment& e) {
       e.cpus[1].nohz_full = false;
       e.hz = 250;
     },
     Light::yellow, "250 a second on CPU 1",
     "sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&nohz_full=1 rcu_nocbs=1 /' /etc/default/grub && sudo update-grub && sudo "
     "reboot"},
    {"container",
     [](Environment& e) {
       e.container = "docker";
       e.real_time = "Operation not permitted";
     },
     Light::yellow, "docker, which forbids real time",
     "docker run --cap-add SYS_NICE --cap-add IPC_LOCK --ulimit rtprio=99 IMAGE"},
    {"container", [](Environment& e) { e.container = "docker"; }, Light::green, "docker", ""},
    {"huge-pages", [](Environment& e) { e.transparent_huge_pages = "never"; }, Light::yellow, "never",
     "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"},
    {"aslr", [](Environment& e) { e.randomize_va_space = 0; }, Light::yellow, "off",
     "sudo sysctl kernel.randomize_va_space=2"},
    {"cache-sizes", [](Environment& e) { e.caches.clear(); }, Light::yellow, "the machine tells none", ""},
    {"cache-sizes", [](Environment& e) { e.caches[3].size_bytes = 16 << 10; }, Light::yellow,
     "L1d 32 KiB (reported), L2 16 KiB (reported), L3 8 MiB (reported); L2 of 16 KiB is smaller than L1d of 32 KiB",
     ""},
    {"counters",
     [](Environment& e) {
       e.hardware_counters = "Permission denied";
       e.perf_event_paranoid = 3;
     },
     Light::yellow, "cannot be used: Permission denied", "sudo sysctl kernel.perf_event_paranoid=1"},
    {"counters", [](Environment& e) { e.hardware_counters = "No such file or directory"; }, Light::yellow,
     "cannot be used: No such file or directory", ""},
};

} // namespace

TEST(Readiness, AQuietBareMachineIsAllGreen) {
  EXPECT_EQ(lights(quiet_machine()), "unknown");
  EXPECT_EQ(worst_finding(readiness(quiet_machine(), {1})), std::nullopt);
}

TEST(Readiness, EachFactHasItsLightAndItsCommand) {
  for (const Case& each : cases) {
    Environment machine = quiet_machine();
    each.change(machine);
    const Finding finding = found(machine, each.id);
    EXPECT_EQ(name_of(finding.light), name_of(each.light)) << each.id << ": " << finding.here;
    EXPECT_EQ(finding.here, each.here);
    EXPECT_EQ(finding.change, each.command) << each.id;
    EXPECT_TRUE(finding.light == Light::green || !finding.means.empty()) << each.id;
  }
}

TEST(Readiness, WhatCanBeChangedCanBeUndone) {
  for (const Case& each : cases) {
    Environment machine = quiet_machine();
    each.change(machine);
    const Finding finding = found(machine, each.id);
    const bool only_looks = finding.change.starts_with("switchscope-cli") || finding.change.starts_with("docker run");
    EXPECT_TRUE(only_looks || finding.change.empty() == finding.undo.empty()) << each.id;
  }
}

TEST(Readiness, AMachineThatTellsNothingIsUnknown) {
  EXPECT_EQ(lights(Environment{}), "unknown usable-cpus real-time rt-throttling turbo smt huge-pages aslr counters");
  EXPECT_TRUE(can_be_measured(Environment{}));
  Environment forbidden = quiet_machine();
  for (Cpu& cpu : forbidden.cpus) cpu.allowed = false;
  EXPECT_FALSE(can_be_measured(forbidden));
}

TEST(Readiness, ImplausibleCacheSizes) {
  const auto reasons_for = [](int index, std::int64_t bytes) {
    Environment machine = quiet_machine();
    machine.caches[static_cast<std::size_t>(index)].size_bytes = bytes;
    const auto reasons = implausible_caches(machine, 1);
    return reasons.empty() ? std::string() : reasons.front();
  };
  EXPECT_EQ(reasons_for(3, 512 << 10), "");
  EXPECT_EQ(reasons_for(3, 0), "L2 has no size");
  EXPECT_EQ(reasons_for(3, 100'000), "L2 of 100000 B is no multiple of its line of 64 B");
  EXPECT_EQ(reasons_for(3, std::int64_t{2} << 30), "L2 of 2 GiB is larger than any that was built");
  EXPECT_EQ(reasons_for(4, 256 << 10), "L3 of 256 KiB is smaller than L2 of 512 KiB");
}

TEST(Readiness, WhatLimitsARunIsWhatBearsOnIt) {
  switchscope::Run run;
  run.before = quiet_machine();
  run.before.hardware_counters = "No such file or directory";
  run.before.transparent_huge_pages = "never";
  run.before.real_time = "Operation not permitted";
  run.before.caches.clear();
  run.plan.placements = {{Placement::Kind::same_cpu, 1, 1}};
  run.plan.sizes_bytes = {0};
  const auto worst = [&] {
    const auto finding = worst_finding(findings_of(run));
    return finding ? finding->id : std::string();
  };
  EXPECT_EQ(worst(), "real-time");
  run.plan.policy = Policy::other;
  EXPECT_EQ(worst(), "");
  run.plan.sizes_bytes = {65536};
  EXPECT_EQ(worst(), "cache-sizes");
  run.plan.pages = {PageMode::transparent_huge};
  EXPECT_EQ(worst(), "huge-pages");
}

TEST(RefusedRealTime, IsHadByARightUnlessTheRightIsThereAndOfNoUse) {
  Environment environment;
  environment.rt_priority_limit = 0;
  EXPECT_EQ(how_to_get_real_time(environment),
            "Allow it with: sudo setcap cap_sys_nice,cap_ipc_lock+ep PATH/TO/switchscope-worker");
  const std::string elsewhere = "The right is there, but the control group has no real time or a container's filter "
                                "forbids it: switchscope-cli doctor says what to change.";
  environment.rt_group_runtime_us = 0;
  EXPECT_EQ(how_to_get_real_time(environment), elsewhere);
  environment.rt_group_runtime_us.reset();
  environment.rt_priority_limit = 99; // root, and refused all the same
  EXPECT_EQ(how_to_get_real_time(environment), elsewhere);
}
