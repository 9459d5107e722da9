#include "engine/worker/facts_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#ifdef SWITCHSCOPE_HAVE_ZLIB
#include <zlib.h>
#endif

namespace switchscope {
namespace {

using Files = std::map<std::string, std::string>;

constexpr std::array single_files{
    "/proc/meminfo",
    "/proc/version",
    "/proc/cmdline",
    "/proc/loadavg",
    "/proc/1/cgroup",
    "/proc/self/cgroup",
    "/proc/device-tree/hypervisor/compatible",
    "/proc/device-tree/model",
    "/proc/sys/kernel/sched_rt_runtime_us",
    "/proc/sys/kernel/sched_rt_period_us",
    "/proc/sys/kernel/perf_event_paranoid",
    "/proc/sys/kernel/randomize_va_space",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/random/boot_id",
    "/proc/sys/kernel/version",
    "/proc/sys/kernel/hostname",
    "/proc/sys/kernel/arch",
    "/proc/sys/fs/pipe-max-size",
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/present",
    "/sys/devices/system/cpu/possible",
    "/sys/devices/system/cpu/isolated",
    "/sys/devices/system/cpu/nohz_full",
    "/sys/devices/system/cpu/smt/control",
    "/sys/devices/system/cpu/smt/active",
    "/sys/devices/system/cpu/intel_pstate/no_turbo",
    "/sys/devices/system/cpu/cpufreq/boost",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource",
    "/sys/devices/cpu_core/cpus",
    "/sys/devices/cpu_atom/cpus",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/sys/kernel/debug/sched/preempt",
    "/sys/kernel/realtime",
    "/sys/hypervisor/type",
    "/sys/class/dmi/id/sys_vendor",
    "/sys/class/dmi/id/product_name",
    "/.dockerenv",
    "/run/.containerenv",
    "/run/systemd/container",
};

constexpr std::array per_cpu_files{
    "online",
    "topology/core_id",
    "topology/physical_package_id",
    "topology/thread_siblings_list",
    "topology/die_id",
    "topology/cluster_id",
    "cpufreq/scaling_governor",
    "cpufreq/scaling_driver",
    "cpufreq/cpuinfo_max_freq",
    "cpufreq/energy_performance_preference",
    "cpufreq/boost",
    "cpu_capacity",
    "acpi_cppc/highest_perf",
    "acpi_cppc/nominal_perf",
};

void keep(Files& files, const std::string& path, std::optional<std::string> content) {
  if (content) files[path] = std::move(*content);
}

void keep_all_in(Files& files, const Sysroot& root, const std::string& directory) {
  for (const std::string& name : root.names_in(directory))
    keep(files, directory + "/" + name, root.text(directory + "/" + name));
}

// "cpu12" below `prefix` "cpu"; "cpufreq" and "cpuidle" are not numbered.
bool is_numbered(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) && name.size() > prefix.size() &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos;
}

void keep_caches(Files& files, const Sysroot& root, const std::string& cpu_directory, std::set<std::string>& known) {
  const std::string caches = cpu_directory + "/cache";
  for (const std::string& name : root.names_in(caches)) {
    if (!is_numbered(name, "index")) continue;
    const std::string index = caches + "/" + name;
    const auto sharing = root.text(index + "/shared_cpu_list");
    const auto level = root.text(index + "/level");
    const auto type = root.text(index + "/type");
    if (sharing && !sharing->empty()) {
      const std::string identity = level.value_or("") + "/" + type.value_or("") + "/" + *sharing;
      if (!known.insert(identity).second) continue;
    }
    keep(files, index + "/level", level);
    keep(files, index + "/type", type);
    keep(files, index + "/shared_cpu_list", sharing);
    for (const char* leaf : {"size", "coherency_line_size", "ways_of_associativity"})
      keep(files, index + "/" + leaf, root.text(index + "/" + leaf));
  }
}

void keep_cpus(Files& files, const Sysroot& root) {
  const std::string directory = "/sys/devices/system/cpu";
  std::vector<std::string> names = root.names_in(directory);
  std::erase_if(names, [](const std::string& name) { return !is_numbered(name, "cpu"); });
  // By number, so that a shared cache stands below its first CPU.
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  std::set<std::string> known_caches;
  for (const std::string& name : names) {
    const std::string cpu = directory + "/" + name;
    for (const char* leaf : per_cpu_files) keep(files, cpu + "/" + leaf, root.text(cpu + "/" + leaf));
    keep_caches(files, root, cpu, known_caches);
  }
}

void keep_energy_meters(Files& files, const Sysroot& root) {
  for (const std::string& name : root.names_in("/sys/class/powercap")) {
    if (!is_numbered(name, "intel-rapl:")) continue; // the parts of a package have a second number
    for (const char* leaf : {"name", "energy_uj"}) {
      const std::string path = "/sys/class/powercap/" + name + "/" + leaf;
      keep(files, path, root.text(path));
    }
  }
}

void keep_power(Files& files, const Sysroot& root) {
  const std::string directory = "/sys/class/power_supply";
  for (const std::string& name : root.names_in(directory))
    for (const char* leaf : {"type", "scope", "online", "status"}) {
      const std::string path = directory + "/" + name + "/" + leaf;
      keep(files, path, root.text(path));
    }
}

void keep_counters(Files& files, const Sysroot& root) {
  if (const auto stat = root.text("/proc/stat")) files["/proc/stat"] = cpu_times(*stat);
  if (const auto interrupts = root.text("/proc/interrupts")) files["/proc/interrupts"] = interrupt_sums(*interrupts);
}

// A line of /proc/self/cgroup: "0::/user.slice" or "3:cpuset:/group".
struct GroupLine {
  std::string controllers; // ",cpu,cpuacct,"; ",," in the second generation
  std::string group;       // "" for the root
};
std::optional<GroupLine> group_line(std::string_view line) {
  const std::size_t first = line.find(':');
  const std::size_t second = line.find(':', first == std::string_view::npos ? first : first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  std::string group(line.substr(second + 1));
  if (group == "/") group.clear();
  return GroupLine{"," + std::string(line.substr(first + 1, second - first - 1)) + ",", group};
}

void keep_group_limits(Files& files, const Sysroot& root) {
  const std::string self = files["/proc/self/cgroup"];
  const auto keep_limit = [&](const std::string& path) { keep(files, path, root.text(path)); };
  for (const std::string_view text : lines_of(self)) {
    const auto line = group_line(text);
    if (!line) continue;
    const auto& [controllers, group] = *line;
    if (controllers == ",,") {
      keep_limit("/sys/fs/cgroup" + group + "/cpuset.cpus.effective");
      keep_limit("/sys/fs/cgroup" + group + "/memory.max");
    }
    if (controllers.find(",cpuset,") != std::string::npos)
      keep_limit("/sys/fs/cgroup/cpuset" + group + "/cpuset.effective_cpus");
    if (controllers.find(",memory,") != std::string::npos)
      keep_limit("/sys/fs/cgroup/memory" + group + "/memory.limit_in_bytes");
  }
  for (const std::string& path : group_real_time_files(self)) keep_limit(path);
}

std::string lines_starting_with(std::string_view text, std::initializer_list<std::string_view> starts) {
  std::string kept;
  for (const std::string_view line : lines_of(text)) {
    const bool wanted = std::any_of(starts.begin(), starts.end(), [&](auto start) { return line.starts_with(start); });
    if (wanted) (kept += line) += '\n';
  }
  return std::string(trimmed(kept));
}

#ifdef SWITCHSCOPE_HAVE_ZLIB
std::optional<std::string> unzipped(const std::string& real_path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(::gzopen(real_path.c_str(), "rbe"), &::gzclose);
  if (!file) return std::nullopt;
  constexpr std::size_t limit = 4u << 20; // a kernel configuration is about 250 KiB
  std::string content;
  std::array<char, 65536> buffer{};
  int got = 0;
  while ((got = ::gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()))) > 0 &&
         content.size() < limit)
    content.append(buffer.data(), static_cast<std::size_t>(got));
  if (got < 0) return std::nullopt;
  return content;
}
#endif

void keep_kernel_config(Files& files, const Sysroot& root) {
  const std::string boot = "/boot/config-" + files["/proc/sys/kernel/osrelease"];
  if (const auto config = root.text(boot)) files[boot] = scheduling_options(*config);
#ifdef SWITCHSCOPE_HAVE_ZLIB
  const std::string zipped = "/proc/config.gz";
  if (root.text(zipped))
    if (const auto config = unzipped(root.real_path(zipped))) files[zipped] = scheduling_options(*config);
#endif
}

} // namespace

std::string one_block_per_model(std::string_view cpuinfo) {
  std::string kept;
  std::set<std::string> models;
  std::string block;
  std::string model;
  const auto end_block = [&] {
    if (!trimmed(block).empty() && models.insert(model).second) kept += block + "\n";
    block.clear();
    model.clear();
  };
  for (const std::string_view line : lines_of(cpuinfo)) {
    if (trimmed(line).empty()) {
      end_block();
      continue;
    }
    const std::string_view name = trimmed(line.substr(0, line.find(':')));
    for (const std::string_view field :
         {"vendor_id", "cpu family", "model", "model name", "stepping", "microcode", "CPU implementer", "CPU variant",
          "CPU part", "CPU revision", "cpu", "Hardware"})
      if (name == field) (model += line) += '\n';
    if (name == "Serial") continue; // which very board it is is nobody's business
    (block += line) += '\n';
  }
  end_block();
  return std::string(trimmed(kept));
}

std::string scheduling_options(std::string_view kernel_config) {
  return lines_starting_with(kernel_config, {"CONFIG_HZ", "CONFIG_NO_HZ", "CONFIG_PREEMPT", "CONFIG_RT_GROUP_SCHED"});
}

std::string cpu_times(std::string_view proc_stat) {
  return lines_starting_with(proc_stat, {"cpu", "btime"});
}

std::string interrupt_sums(std::string_view proc_interrupts) {
  const std::vector<std::string_view> lines = lines_of(proc_interrupts);
  if (lines.empty()) return {};
  const auto words_of = [](std::string_view line) {
    std::vector<std::string_view> words;
    for (std::string_view rest = trimmed(line); !rest.empty();) {
      const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
      words.push_back(rest.substr(0, end));
      rest = trimmed(rest.substr(end));
    }
    return words;
  };
  const std::vector<std::string_view> cpus = words_of(lines.front());
  std::vector<std::uint64_t> sums(cpus.size());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string_view> words = words_of(lines[i]);
    for (std::size_t column = 0; column < cpus.size() && column + 1 < words.size(); ++column) {
      const std::string_view word = words[column + 1];
      std::uint64_t count = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
      if (error != std::errc{} || end != word.data() + word.size()) break; // ERR and MIS have one number only
      sums[column] += count;
    }
  }
  std::string head;
  std::string row = "sum:";
  for (std::size_t column = 0; column < cpus.size(); ++column) {
    (head += column == 0 ? "" : " ") += cpus[column];
    row += " " + std::to_string(sums[column]);
  }
  return head + "\n" + row;
}

std::vector<std::string> group_real_time_files(std::string_view proc_self_cgroup) {
  std::vector<std::string> paths;
  for (const std::string_view text : lines_of(proc_self_cgroup)) {
    const auto line = group_line(text);
    if (!line || line->controllers.find(",cpu,") == std::string::npos) continue;
    for (const char* mount : {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"})
      paths.push_back(mount + line->group + "/cpu.rt_runtime_us");
  }
  return paths;
}

std::map<std::string, std::string> collect_files(const Sysroot& root) {
  Files files;
  for (const char* path : single_files) keep(files, path, root.text(path));
  if (const auto cpuinfo = root.text("/proc/cpuinfo")) files["/proc/cpuinfo"] = one_block_per_model(*cpuinfo);
  if (const auto status = root.text("/proc/self/status"))
    files["/proc/self/status"] = lines_starting_with(*status, {"Cpus_allowed_list:", "CapEff:", "Seccomp:"});
  keep_all_in(files, root, "/sys/devices/system/cpu/vulnerabilities");
  for (const std::string& size : root.names_in("/sys/kernel/mm/hugepages"))
    for (const char* leaf : {"nr_hugepages", "free_hugepages"}) {
      const std::string path = "/sys/kernel/mm/hugepages/" + size + "/" + leaf;
      keep(files, path, root.text(path));
    }
  keep_cpus(files, root);
  keep_energy_meters(files, root);
  keep_power(files, root);
  keep_counters(files, root);
  if (files.contains("/proc/self/cgroup")) keep_group_limits(files, root);
  if (files.contains("/proc/sys/kernel/osrelease")) keep_kernel_config(files, root);
  return files;
}

} // namespace switchscope
