#include "engine/machine/cpu_times.h"
#include "engine/machine/fact_text.h"
#include "engine/machine/kernel_facts.h"
#include "engine/machine/limits.h"
#include "engine/machine/machine.h"
#include "engine/machine/processor.h"
#include "engine/machine/topology.h"
#include "engine/machine/translation.h"
#include "engine/machine/virtual_machine.h"

#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace switchscope {
namespace {

std::string first_told(std::initializer_list<std::string_view> readings) {
  for (const std::string_view reading : readings)
    if (!reading.empty()) return std::string(reading);
  return {};
}

std::string architecture_of(const Facts& facts, const Hello& hello) {
  const std::string told = first_told(
      {call_text(facts, "uname.machine"), architecture_in_cpuinfo(facts), file_text(facts, "/proc/sys/kernel/arch")});
  // The worker's own architecture says nothing about a tree recorded elsewhere.
  return told.empty() && !is_recorded(facts) ? hello.architecture : told;
}

std::optional<int> small_number(std::string_view text) {
  const auto number = number_in(text);
  if (!number || *number < std::numeric_limits<int>::min() || *number > std::numeric_limits<int>::max())
    return std::nullopt;
  return static_cast<int>(*number);
}

// Turbo, boost or precision boost: clocks above the nominal one.
std::string boost_of(const Facts& facts) {
  const std::string_view no_turbo = file_text(facts, "/sys/devices/system/cpu/intel_pstate/no_turbo");
  if (no_turbo == "0") return "on";
  if (no_turbo == "1") return "off";
  for (const char* path : {"/sys/devices/system/cpu/cpufreq/boost", "/sys/devices/system/cpu/cpu0/cpufreq/boost"}) {
    if (file_text(facts, path) == "1") return "on";
    if (file_text(facts, path) == "0") return "off";
  }
  return {};
}

std::string frequency_file(const Cpu& cpu, const char* leaf) {
  return "/sys/devices/system/cpu/cpu" + std::to_string(cpu.number) + "/cpufreq/" + leaf;
}

void read_frequencies(const Facts& facts, Environment& environment) {
  for (Cpu& cpu : environment.cpus) {
    cpu.governor = file_text(facts, frequency_file(cpu, "scaling_governor"));
    if (const auto khz = number_in(file_text(facts, frequency_file(cpu, "cpuinfo_max_freq"))); khz && *khz > 0)
      cpu.max_ghz = static_cast<double>(*khz) / 1e6;
    if (environment.scaling_driver.empty())
      environment.scaling_driver = file_text(facts, frequency_file(cpu, "scaling_driver"));
  }
}

// "yes", or why not: the worker says "no: " before the kernel's reason.
std::string hardware_counters_of(const Facts& facts) {
  const std::string_view told = call_text(facts, "hardware-counters");
  constexpr std::string_view no = "no: ";
  return std::string(told.starts_with(no) ? told.substr(no.size()) : told);
}

// The worker keeps the name of each energy domain, and its reading where it may read it.
std::string package_energy_of(const Facts& facts) {
  const std::string directory = "/sys/class/powercap/intel-rapl:";
  const std::string name = "/name";
  std::string told;
  for (auto file = facts.files.lower_bound(directory); file != facts.files.end() && file->first.starts_with(directory);
       ++file) {
    if (!file->first.ends_with(name) || !file->second.starts_with("package")) continue;
    const std::string reading = file->first.substr(0, file->first.size() - name.size()) + "/energy_uj";
    if (has_file(facts, reading)) return "yes";
    told = "only root may read " + reading;
  }
  return told;
}

void read_mitigations(const Facts& facts, Environment& environment) {
  const std::string directory = "/sys/devices/system/cpu/vulnerabilities/";
  for (auto file = facts.files.lower_bound(directory); file != facts.files.end() && file->first.starts_with(directory);
       ++file)
    environment.mitigations[file->first.substr(directory.size())] = file->second;
}

void read_versions(const Facts& facts, const Hello& hello, Environment& environment) {
  environment.versions["switchscope"] = SWITCHSCOPE_VERSION;
  const auto keep = [&](const char* name, std::string_view version) {
    if (!version.empty()) environment.versions[name] = version;
  };
  keep("worker", hello.version);
  keep("worker build", hello.build);
  keep("hwloc", call_text(facts, "hwloc_version"));
}

} // namespace

Environment environment_from(const Facts& facts, const Hello& hello) {
  Environment environment;
  environment.host_name =
      first_told({call_text(facts, "uname.nodename"), file_text(facts, "/proc/sys/kernel/hostname")});
  environment.boot_id = file_text(facts, "/proc/sys/kernel/random/boot_id");
  environment.architecture = architecture_of(facts, hello);
  environment.cpu_model = cpu_model_of(facts);
  environment.microcode = field_of(file_text(facts, "/proc/cpuinfo"), "microcode");
  environment.kernel_release = kernel_release_of(facts);
  environment.kernel_version = kernel_version_of(facts);
  environment.kernel_command_line = file_text(facts, "/proc/cmdline");
  environment.hypervisor = hypervisor_of(facts);
  environment.container = container_of(facts);
  environment.emulation = emulation_of(facts);
  environment.clock_source = file_text(facts, "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  environment.preemption = preemption_of(facts);
  environment.no_hz = no_hz_of(facts);
  environment.hz = hz_of(facts);
  environment.paravirt = paravirt_of(facts);
  environment.transparent_huge_pages =
      selected_word(file_text(facts, "/sys/kernel/mm/transparent_hugepage/enabled"), '[', ']');
  environment.smt = file_text(facts, "/sys/devices/system/cpu/smt/control");
  environment.boost = boost_of(facts);
  environment.perf_event_paranoid = small_number(file_text(facts, "/proc/sys/kernel/perf_event_paranoid"));
  environment.randomize_va_space = small_number(file_text(facts, "/proc/sys/kernel/randomize_va_space"));
  environment.hardware_counters = hardware_counters_of(facts);
  environment.package_energy = package_energy_of(facts);
  read_limits(facts, environment);
  Topology topology = topology_from(facts);
  environment.cpus = std::move(topology.cpus);
  environment.caches = std::move(topology.caches);
  environment.translation = translation_from(facts);
  environment.topology_xml = facts.hwloc_xml;
  read_frequencies(facts, environment);
  read_cpu_times(facts, environment);
  read_mitigations(facts, environment);
  read_versions(facts, hello, environment);
  return environment;
}

std::string machine_key(const Environment& environment) {
  return environment.host_name + "/" + environment.cpu_model;
}

} // namespace switchscope
