#include "engine/machine/machine.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace switchscope;

namespace {

using Texts = std::map<std::string, std::string>;

Environment environment_of(const Texts& files, const Texts& calls = {}) {
  Facts facts;
  facts.files = files;
  facts.calls = calls;
  return environment_from(facts, Hello{});
}

const std::string cpu_root = "/sys/devices/system/cpu/";

} // namespace

struct HypervisorCase {
  const char* name;
  Texts files;
  Texts calls;
  const char* expected;
};

class Hypervisor : public testing::TestWithParam<HypervisorCase> {};

TEST_P(Hypervisor, IsNamed) {
  EXPECT_EQ(environment_of(GetParam().files, GetParam().calls).hypervisor, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Signs, Hypervisor,
    testing::Values(
        HypervisorCase{
            "BareMetal", {{"/proc/cpuinfo", "flags : fpu sse"}, {"/sys/class/dmi/id/sys_vendor", "Dell Inc."}}, {}, ""},
        HypervisorCase{"Kvm", {}, {{"cpuid.hypervisor", "KVMKVMKVM"}}, "KVM"},
        HypervisorCase{"Vmware", {}, {{"cpuid.hypervisor", "VMwareVMware"}}, "VMware"},
        HypervisorCase{"HyperV", {}, {{"cpuid.hypervisor", "Microsoft Hv"}}, "Hyper-V"},
        HypervisorCase{"KvmBehindHyperV",
                       {},
                       {{"cpuid.hypervisor", "Microsoft Hv"}, {"cpuid.hypervisor.40000100", "KVMKVMKVM"}},
                       "KVM"},
        HypervisorCase{"XenByCpuid", {}, {{"cpuid.hypervisor", "XenVMMXenVMM"}}, "Xen"},
        HypervisorCase{"XenByFile", {{"/sys/hypervisor/type", "xen"}}, {}, "Xen"},
        HypervisorCase{"KvmByDeviceTree", {{"/proc/device-tree/hypervisor/compatible", "linux,kvm"}}, {}, "KVM"},
        HypervisorCase{"KvmByClock",
                       {{"/sys/devices/system/clocksource/clocksource0/current_clocksource", "kvm-clock"}},
                       {},
                       "KVM"},
        HypervisorCase{"Firecracker",
                       {{"/proc/cmdline", "reboot=k -- --firecracker-init"}},
                       {{"cpuid.hypervisor", "KVMKVMKVM"}},
                       "KVM (Firecracker)"},
        HypervisorCase{"FirecrackerNested",
                       {{"/proc/cmdline", "nested_pvm=1 -- --firecracker-init"}},
                       {{"cpuid.hypervisor", "KVMKVMKVM"}},
                       "KVM (Firecracker, nested, PVM)"},
        HypervisorCase{
            "Nitro",
            {{"/sys/class/dmi/id/sys_vendor", "Amazon EC2"}, {"/sys/class/dmi/id/product_name", "c7g.large"}},
            {},
            "Nitro"},
        HypervisorCase{
            "NitroBareMetal",
            {{"/sys/class/dmi/id/sys_vendor", "Amazon EC2"}, {"/sys/class/dmi/id/product_name", "c6g.metal"}},
            {},
            ""},
        HypervisorCase{"HyperVByFirmware",
                       {{"/sys/class/dmi/id/sys_vendor", "Microsoft Corporation"},
                        {"/sys/class/dmi/id/product_name", "Virtual Machine"}},
                       {},
                       "Hyper-V"},
        HypervisorCase{"SurfaceLaptop",
                       {{"/sys/class/dmi/id/sys_vendor", "Microsoft Corporation"},
                        {"/sys/class/dmi/id/product_name", "Surface Laptop 4"}},
                       {},
                       ""},
        HypervisorCase{"Wsl2",
                       {{"/proc/sys/kernel/osrelease", "5.15.167.4-microsoft-standard-WSL2"}},
                       {{"cpuid.hypervisor", "Microsoft Hv"}},
                       "WSL2"},
        HypervisorCase{"Wsl1", {{"/proc/sys/kernel/osrelease", "4.4.0-19041-Microsoft"}}, {}, "WSL1"},
        HypervisorCase{"FlagOnly", {{"/proc/cpuinfo", "flags : fpu hypervisor sse"}}, {}, "unknown hypervisor"},
        HypervisorCase{"UnknownSignature", {}, {{"cpuid.hypervisor", "SomethingNew"}}, "unknown hypervisor"}),
    [](const auto& instance) { return instance.param.name; });

TEST(Container, IsNamedByItsTraces) {
  EXPECT_EQ(environment_of({}).container, "");
  EXPECT_EQ(environment_of({{"/.dockerenv", ""}}).container, "docker");
  EXPECT_EQ(environment_of({{"/proc/1/cgroup", "12:cpu:/docker/4f1e"}}).container, "docker");
  EXPECT_EQ(environment_of({{"/run/.containerenv", "engine=\"podman\""}}).container, "podman");
  EXPECT_EQ(environment_of({{"/proc/1/cgroup", "0::/kubepods/burstable/pod1"}, {"/.dockerenv", ""}}).container,
            "kubernetes");
  EXPECT_EQ(environment_of({{"/run/systemd/container", "systemd-nspawn"}}).container, "systemd-nspawn");
  EXPECT_EQ(environment_of({{"/proc/1/cgroup", "0::/init.scope"}}).container, "");
}

TEST(Emulation, IsSeenWhereProgramAndKernelDiffer) {
  EXPECT_EQ(environment_of({{"/proc/sys/kernel/arch", "x86_64"}}, {{"compiled_for", "aarch64"}}).emulation,
            "qemu-user");
  EXPECT_EQ(environment_of({{"/proc/cpuinfo", "vendor_id : GenuineIntel\nflags : fpu"}}, {{"compiled_for", "aarch64"}})
                .emulation,
            "qemu-user");
  EXPECT_EQ(environment_of({{"/proc/sys/kernel/arch", "aarch64"}}, {{"compiled_for", "aarch64"}}).emulation, "");
  EXPECT_EQ(environment_of({}, {{"cpuid.hypervisor", "TCGTCGTCGTCG"}, {"compiled_for", "x86_64"}}).emulation, "qemu");
  EXPECT_EQ(
      environment_of({{"/proc/cpuinfo", "vendor_id : VirtualApple\nmodel name : VirtualApple @ 2.50GHz"}}).emulation,
      "rosetta");
}

TEST(Preemption, ComesFromTheBestSource) {
  const std::string version = "/proc/sys/kernel/version";
  const Texts dynamic{{version, "#1 SMP PREEMPT_DYNAMIC Debian 6.1"}, {"/proc/sys/kernel/osrelease", "6.1.0"}};
  const auto with = [&](Texts extra) {
    extra.insert(dynamic.begin(), dynamic.end());
    return environment_of(extra).preemption;
  };
  EXPECT_EQ(with({{"/sys/kernel/debug/sched/preempt", "none voluntary (full)"}}), "dynamic: full");
  EXPECT_EQ(with({{"/proc/cmdline", "quiet preempt=none"}, {"/boot/config-6.1.0", "CONFIG_PREEMPT=y"}}),
            "dynamic: none");
  EXPECT_EQ(with({{"/boot/config-6.1.0", "CONFIG_PREEMPT_VOLUNTARY=y"}}), "dynamic: voluntary");
  EXPECT_EQ(with({{"/boot/config-5.0.0", "CONFIG_PREEMPT_VOLUNTARY=y"}}), "dynamic"); // another kernel's configuration
  EXPECT_EQ(with({{"/proc/cmdline", "quiet -- preempt=none"}}), "dynamic"); // init's argument, not the kernel's
  EXPECT_EQ(with({}), "dynamic");
  EXPECT_EQ(environment_of({{version, "#1 SMP PREEMPT_RT Debian"}}).preemption, "rt");
  EXPECT_EQ(environment_of({{version, "#1 SMP PREEMPT Debian"}}).preemption, "full");
  EXPECT_EQ(environment_of({{version, "#1 SMP Debian"}}).preemption, "none or voluntary");
  EXPECT_EQ(environment_of({}).preemption, "");
}

TEST(Ticks, ComeFromTheConfigurationElseFromTheCoarseClock) {
  EXPECT_EQ(environment_of({{"/proc/config.gz", "CONFIG_HZ_250=y\nCONFIG_HZ=250"}},
                           {{"coarse_clock_resolution_ns", "1000000"}})
                .hz,
            250);
  EXPECT_EQ(environment_of({}, {{"coarse_clock_resolution_ns", "3333333"}}).hz, 300);
  EXPECT_EQ(environment_of({}, {{"coarse_clock_resolution_ns", "10000000"}}).hz, 100);
  EXPECT_EQ(environment_of({}, {{"coarse_clock_resolution_ns", "1"}}).hz, std::nullopt);
  EXPECT_EQ(environment_of({{"/proc/config.gz", "CONFIG_HZ=many"}}).hz, std::nullopt);
}

TEST(NoHz, IsFullOnlyWhereACpuIsNamed) {
  const std::string full = "CONFIG_NO_HZ_FULL=y";
  EXPECT_EQ(environment_of({{"/proc/config.gz", full}}).no_hz, "idle");
  EXPECT_EQ(environment_of({{"/proc/config.gz", full}, {cpu_root + "nohz_full", "1-3"}}).no_hz, "full");
  EXPECT_EQ(environment_of({{"/proc/config.gz", full}, {cpu_root + "nohz_full", "(null)"}}).no_hz, "idle");
  EXPECT_EQ(environment_of({{"/proc/config.gz", "CONFIG_NO_HZ_IDLE=y"}, {"/proc/cmdline", "nohz=off"}}).no_hz,
            "periodic");
  EXPECT_EQ(environment_of({{"/proc/config.gz", "CONFIG_HZ_PERIODIC=y"}}).no_hz, "periodic");
  EXPECT_EQ(environment_of({}).no_hz, "");
}

TEST(CoreTypes, ComeFromTheKernelsLists) {
  const Environment environment = environment_of(
      {{cpu_root + "present", "0-3"}, {"/sys/devices/cpu_core/cpus", "0-1"}, {"/sys/devices/cpu_atom/cpus", "2-3"}});
  EXPECT_EQ(environment.cpus.at(1).core_type, "performance");
  EXPECT_EQ(environment.cpus.at(2).core_type, "efficient");
}

TEST(Frequency, IsReadPerCpu) {
  const Environment environment = environment_of({{cpu_root + "present", "0-1"},
                                                  {cpu_root + "cpu1/cpufreq/cpuinfo_max_freq", "3900000"},
                                                  {cpu_root + "cpu1/cpufreq/scaling_governor", "powersave"},
                                                  {cpu_root + "intel_pstate/no_turbo", "1"}});
  EXPECT_EQ(environment.cpus.at(0).max_ghz, std::nullopt);
  EXPECT_DOUBLE_EQ(environment.cpus.at(1).max_ghz.value_or(0), 3.9);
  EXPECT_EQ(environment.cpus.at(1).governor, "powersave");
  EXPECT_EQ(environment.boost, "off");
}

TEST(CoreTypes, ComeFromCapacitiesThatAreFarApart) {
  const auto types = [](const char* first, const char* second) {
    const Environment environment = environment_of({{cpu_root + "present", "0-1"},
                                                    {cpu_root + "cpu0/cpu_capacity", first},
                                                    {cpu_root + "cpu1/cpu_capacity", second}});
    return environment.cpus.at(0).core_type + "," + environment.cpus.at(1).core_type;
  };
  EXPECT_EQ(types("446", "1024"), "efficient,performance");
  EXPECT_EQ(types("1009", "1024"), ","); // favoured cores of one design
  EXPECT_EQ(types("1024", "fast"), ",");
}

TEST(CoreTypes, AreNotReadFromAmdsRanking) {
  const auto types = [](const char* vendor) {
    const Environment environment = environment_of({{"/proc/cpuinfo", std::string("vendor_id : ") + vendor},
                                                    {cpu_root + "present", "0-1"},
                                                    {cpu_root + "cpu0/acpi_cppc/highest_perf", "166"},
                                                    {cpu_root + "cpu1/acpi_cppc/highest_perf", "255"}});
    return environment.cpus.at(0).core_type;
  };
  EXPECT_EQ(types("AuthenticAMD"), "");
  EXPECT_EQ(types("GenuineIntel"), "efficient");
}

TEST(Limits, RealTimePriorityIsWhatTheWorkerMayUse) {
  const std::string nobody = "CapEff:\t0000000000000000";
  const std::string nice = "CapEff:\t0000000000800000";
  const std::string status = "/proc/self/status";
  EXPECT_EQ(environment_of({{status, nobody}}, {{"rlimit.rtprio", "0"}}).rt_priority_limit, 0);
  EXPECT_EQ(environment_of({{status, nobody}}, {{"rlimit.rtprio", "20"}}).rt_priority_limit, 20);
  EXPECT_EQ(environment_of({{status, nobody}}, {{"rlimit.rtprio", "unlimited"}}).rt_priority_limit, 99);
  EXPECT_EQ(environment_of({{status, nice}}, {{"rlimit.rtprio", "0"}}).rt_priority_limit, 99);
  EXPECT_EQ(environment_of({}, {}).rt_priority_limit, std::nullopt);
}

TEST(Limits, LockedMemoryIsUnlimitedWithTheCapability) {
  const std::string status = "/proc/self/status";
  EXPECT_EQ(environment_of({{status, "CapEff:\t0"}}, {{"rlimit.memlock", "8388608"}}).locked_memory_limit_bytes,
            8388608);
  EXPECT_EQ(environment_of({{status, "CapEff:\t4000"}}, {{"rlimit.memlock", "8388608"}}).locked_memory_limit_bytes,
            std::nullopt);
  EXPECT_EQ(environment_of({{status, "CapEff:\t0"}}, {{"rlimit.memlock", "unlimited"}}).locked_memory_limit_bytes,
            std::nullopt);
}

TEST(Limits, MemoryIsTheLesserOfMachineAndControlGroup) {
  const std::string meminfo = "MemTotal: 4000 kB\nMemAvailable: 2000 kB";
  EXPECT_EQ(environment_of({{"/proc/meminfo", meminfo}}).memory_available_bytes, 2000 * 1024);
  EXPECT_EQ(environment_of({{"/proc/meminfo", meminfo}, {"/sys/fs/cgroup/memory.max", "max"}}).memory_available_bytes,
            2000 * 1024);
  EXPECT_EQ(
      environment_of({{"/proc/meminfo", meminfo}, {"/sys/fs/cgroup/a/memory.max", "1048576"}}).memory_available_bytes,
      1048576);
}

TEST(Bounds, EveryOneNarrowsTheAllowedCpus) {
  const Environment environment = environment_of({{cpu_root + "present", "0-7"},
                                                  {cpu_root + "online", "0-6"},
                                                  {"/sys/fs/cgroup/box/cpuset.cpus.effective", "2-7"}},
                                                 {{"affinity", "0-5"}});
  std::vector<int> allowed;
  for (const Cpu& cpu : environment.cpus)
    if (cpu.allowed) allowed.push_back(cpu.number);
  EXPECT_EQ(allowed, (std::vector<int>{2, 3, 4, 5}));
  EXPECT_FALSE(environment.cpus.at(7).online);
}

TEST(Bounds, ARecordedTreeTellsThemInItsStatus) {
  const Texts files{{cpu_root + "present", "0-3"}, {"/proc/self/status", "Cpus_allowed_list:\t1-2"}};
  EXPECT_FALSE(environment_of(files, {{"recorded", "yes"}}).cpus.at(0).allowed);
  EXPECT_TRUE(environment_of(files, {{"recorded", "yes"}}).cpus.at(1).allowed);
}

TEST(Online, EachCpusOwnFileTellsWhereThereIsNoList) {
  const Environment environment =
      environment_of({{cpu_root + "cpu0/topology/core_id", "0"}, {cpu_root + "cpu1/online", "0"}});
  ASSERT_EQ(environment.cpus.size(), 2u);
  EXPECT_TRUE(environment.cpus.at(0).online);
  EXPECT_FALSE(environment.cpus.at(1).online);
}

TEST(Topology, TakesFromTheFilesWhatHwlocDoesNotTell) {
  Facts facts;
  const std::string index = cpu_root + "cpu0/cache/index2/";
  facts.files = {
      {cpu_root + "present", "0-1"}, {index + "size", "256K"}, {index + "level", "2"}, {index + "type", "Unified"}};
  facts.hwloc_xml = "<topology><object type=\"Machine\" cpuset=\"0x3\" allowed_cpuset=\"0x1\"/></topology>";
  const Environment environment = environment_from(facts, Hello{});
  EXPECT_EQ(environment.topology_xml, facts.hwloc_xml);
  EXPECT_EQ(cache_bytes(environment, 0, 2), 256 * 1024);
  EXPECT_TRUE(environment.cpus.at(0).allowed);
  EXPECT_FALSE(environment.cpus.at(1).allowed);
}

TEST(CpuModel, IsToldForEveryKindOfCpuinfo) {
  const auto model = [](const char* cpuinfo) { return environment_of({{"/proc/cpuinfo", cpuinfo}}).cpu_model; };
  EXPECT_EQ(model("processor\t: 0\nmodel name\t:     Intel(R)  Xeon(R) CPU\n"), "Intel(R) Xeon(R) CPU");
  EXPECT_EQ(model("processor : 0\nCPU implementer : 0x41\nCPU part : 0xd0c"), "Arm Neoverse-N1");
  EXPECT_EQ(model("processor : 0\nCPU implementer : 0x77\nCPU part : 0x001"), "implementer 0x77, part 0x001");
  EXPECT_EQ(model("processor : 0\nCPU implementer : 0x41\nCPU part : 0xd03\n\nprocessor : 4\nCPU implementer : "
                  "0x41\nCPU part : 0xd08"),
            "Arm Cortex-A53 + Arm Cortex-A72");
  EXPECT_EQ(model("processor : 0\ncpu : POWER9, altivec supported"), "POWER9, altivec supported");
  EXPECT_EQ(model(""), "");
}

TEST(Architecture, OfTheWorkerCountsOnlyForTheMachineItRunsOn) {
  Hello hello;
  hello.architecture = "x86_64";
  EXPECT_EQ(environment_from(Facts{}, hello).architecture, "x86_64");
  Facts recorded;
  recorded.calls["recorded"] = "yes";
  EXPECT_EQ(environment_from(recorded, hello).architecture, "");
}

TEST(Versions, NameBothSides) {
  Hello hello;
  hello.version = "0.1.0";
  hello.build = "abc";
  const Environment environment = environment_from(Facts{}, hello);
  EXPECT_EQ(environment.versions.at("worker"), "0.1.0");
  EXPECT_EQ(environment.versions.at("worker build"), "abc");
  EXPECT_FALSE(environment.versions.at("switchscope").empty());
}

TEST(Paravirt, ListsWhatKvmOffers) {
  EXPECT_EQ(environment_of({}, {{"cpuid.kvm_features", "00000028"}}).paravirt, "clock, steal time");
  EXPECT_EQ(environment_of({}, {{"cpuid.kvm_features", "xyz"}}).paravirt, "");
}

TEST(HardwareCounters, AreToldWithTheKernelsReason) {
  EXPECT_EQ(environment_of({}, {{"hardware-counters", "yes"}}).hardware_counters, "yes");
  EXPECT_EQ(environment_of({}, {{"hardware-counters", "no: Permission denied"}}).hardware_counters,
            "Permission denied");
  EXPECT_EQ(environment_of({}, {}).hardware_counters, "");
}

TEST(PackageEnergy, IsReadableOrWhyNotOrNotThere) {
  const std::string domain = "/sys/class/powercap/intel-rapl:0";
  EXPECT_EQ(environment_of({{domain + "/name", "package-0"}, {domain + "/energy_uj", "12"}}, {}).package_energy, "yes");
  EXPECT_EQ(environment_of({{domain + "/name", "package-0"}}, {}).package_energy,
            "only root may read " + domain + "/energy_uj");
  EXPECT_EQ(environment_of({{domain + "/name", "psys"}, {domain + "/energy_uj", "12"}}, {}).package_energy, "");
  EXPECT_EQ(environment_of({}, {}).package_energy, "");
}

TEST(MachineKey, TellsMachinesApart) {
  Environment first;
  first.host_name = "a";
  first.cpu_model = "CPU";
  Environment second = first;
  EXPECT_EQ(machine_key(first), machine_key(second));
  second.cpu_model = "another CPU";
  EXPECT_NE(machine_key(first), machine_key(second));
}
