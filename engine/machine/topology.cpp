#include "engine/machine/topology.h"

#include "engine/machine/fact_text.h"
#include "engine/machine/topology_xml_reader.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

namespace switchscope {
namespace {

constexpr std::string_view cpu_root = "/sys/devices/system/cpu/";

std::string cpu_file(int cpu, std::string_view leaf) {
  return std::string(cpu_root) + "cpu" + std::to_string(cpu) + "/" + std::string(leaf);
}

// The CPU whose directory a path lies in, "/sys/devices/system/cpu/cpu12/online": 12.
std::optional<int> cpu_of_path(std::string_view path) {
  if (!path.starts_with(cpu_root)) return std::nullopt;
  path.remove_prefix(cpu_root.size());
  const std::string_view directory = path.substr(0, path.find('/'));
  if (!directory.starts_with("cpu")) return std::nullopt;
  const auto number = number_in(directory.substr(3));
  if (!number || *number < 0 || *number > 65535) return std::nullopt;
  return static_cast<int>(*number);
}

std::optional<std::set<int>> cpu_set_in_file(const Facts& facts, const std::string& path) {
  if (!has_file(facts, path)) return std::nullopt;
  const auto list = cpu_list_in(file_text(facts, path));
  if (!list) return std::nullopt;
  return std::set<int>(list->begin(), list->end());
}

// Absent and empty alike mean "not told" for sets that cannot be empty.
std::optional<std::set<int>> filled_cpu_set(const Facts& facts, const std::string& path) {
  auto set = cpu_set_in_file(facts, path);
  if (set && set->empty()) return std::nullopt;
  return set;
}

void add_cpus_of_directories(const Facts& facts, std::set<int>& cpus) {
  for (auto file = facts.files.lower_bound(std::string(cpu_root)); file != facts.files.end(); ++file) {
    if (!file->first.starts_with(cpu_root)) break;
    if (const auto cpu = cpu_of_path(file->first)) cpus.insert(*cpu);
  }
}

std::set<int> present_cpus(const Facts& facts, const std::optional<XmlTopology>& xml) {
  if (const auto told = filled_cpu_set(facts, std::string(cpu_root) + "present")) return *told;
  std::set<int> cpus; // kernels before 2.6.26 have no such file
  add_cpus_of_directories(facts, cpus);
  if (xml) cpus.insert(xml->present.begin(), xml->present.end());
  if (const auto online = filled_cpu_set(facts, std::string(cpu_root) + "online"))
    cpus.insert(online->begin(), online->end());
  if (cpus.empty())
    if (const auto affinity = cpu_list_in(call_text(facts, "affinity")))
      cpus.insert(affinity->begin(), affinity->end());
  return cpus;
}

std::set<int> online_cpus(const Facts& facts, const std::optional<XmlTopology>& xml, const std::set<int>& present) {
  if (const auto told = filled_cpu_set(facts, std::string(cpu_root) + "online")) return *told;
  std::set<int> online;
  for (const int cpu : present) {
    const std::string switched = cpu_file(cpu, "online"); // the boot CPU often has none
    const bool off = has_file(facts, switched) ? file_text(facts, switched) == "0" : xml && !xml->online.contains(cpu);
    if (!off) online.insert(cpu);
  }
  return online;
}

// Every set the worker is bound to: a CPU must be in all of them.
std::vector<std::set<int>> bounds(const Facts& facts, const std::optional<XmlTopology>& xml) {
  std::vector<std::set<int>> all;
  if (xml && !xml->allowed.empty()) all.push_back(xml->allowed);
  const auto add_list = [&](std::string_view text) {
    const auto list = cpu_list_in(text);
    if (list && !list->empty()) all.emplace_back(list->begin(), list->end());
  };
  add_list(call_text(facts, "affinity"));
  if (is_recorded(facts)) add_list(field_of(file_text(facts, "/proc/self/status"), "Cpus_allowed_list"));
  for (const auto& [path, content] : facts.files)
    if (path.starts_with("/sys/fs/cgroup/") && holds(path, "/cpuset.")) add_list(content);
  return all;
}

template <class Value> Value value_or(const std::map<int, Value>& values, int cpu, Value otherwise) {
  const auto found = values.find(cpu);
  return found == values.end() ? otherwise : found->second;
}

int index_in_file(const Facts& facts, int cpu, std::string_view leaf) {
  const auto number = number_in(file_text(facts, cpu_file(cpu, leaf)));
  return number && *number >= 0 && *number <= 1'000'000 ? static_cast<int>(*number) : -1;
}

std::vector<int> siblings_in_file(const Facts& facts, int cpu) {
  auto list = cpu_list_in(file_text(facts, cpu_file(cpu, "topology/thread_siblings_list")));
  if (!list || !std::binary_search(list->begin(), list->end(), cpu)) return {};
  return *list;
}

// Speeds of different designs out of one file per CPU. Favoured cores of one design differ by a few per cent, another
// design is slower by far more than a quarter.
std::map<int, std::string> types_by_speed(const Facts& facts, const std::vector<Cpu>& cpus, std::string_view leaf) {
  std::map<int, std::int64_t> speeds;
  std::int64_t fastest = 0;
  for (const Cpu& cpu : cpus) {
    const auto speed = number_in(file_text(facts, cpu_file(cpu.number, leaf)));
    if (!speed || *speed <= 0 || *speed > 1'000'000'000) continue;
    speeds[cpu.number] = *speed;
    fastest = std::max(fastest, *speed);
  }
  std::map<int, std::string> types;
  for (const auto& [cpu, speed] : speeds) types[cpu] = speed * 4 < fastest * 3 ? "efficient" : "performance";
  return types;
}

std::map<int, std::string> types_in_lists(const Facts& facts) {
  std::map<int, std::string> types;
  for (const int cpu : cpu_set_in_file(facts, "/sys/devices/cpu_core/cpus").value_or(std::set<int>()))
    types[cpu] = "performance";
  for (const int cpu : cpu_set_in_file(facts, "/sys/devices/cpu_atom/cpus").value_or(std::set<int>()))
    types[cpu] = "efficient";
  return types;
}

std::map<int, std::string> types_in_xml(const XmlTopology& xml) {
  std::map<int, std::string> types;
  for (const auto& [cpu, type] : xml.intel_core_type) types[cpu] = type == "IntelAtom" ? "efficient" : "performance";
  return types;
}

bool tells_cores_apart(const std::map<int, std::string>& types) {
  const auto has = [&](std::string_view wanted) {
    return std::any_of(types.begin(), types.end(), [&](const auto& entry) { return entry.second == wanted; });
  };
  return has("performance") && has("efficient");
}

// The kernel's own words for hybrid machines first, then the capacities its scheduler uses, then what hwloc made out.
// CPPC's figure last and for Intel alone: AMD ranks equal cores by it, over a range of a third.
void name_core_types(const Facts& facts, const std::optional<XmlTopology>& xml, std::vector<Cpu>& cpus) {
  std::map<int, std::string> types = types_in_lists(facts);
  if (!tells_cores_apart(types)) types = types_by_speed(facts, cpus, "cpu_capacity");
  if (!tells_cores_apart(types) && xml) types = types_in_xml(*xml);
  if (!tells_cores_apart(types) && field_of(file_text(facts, "/proc/cpuinfo"), "vendor_id") == "GenuineIntel")
    types = types_by_speed(facts, cpus, "acpi_cppc/highest_perf");
  if (!tells_cores_apart(types)) return;
  for (Cpu& cpu : cpus) cpu.core_type = value_or(types, cpu.number, std::string());
}

std::vector<Cpu> cpus_from(const Facts& facts, const std::optional<XmlTopology>& xml) {
  const std::set<int> present = present_cpus(facts, xml);
  const std::set<int> online = online_cpus(facts, xml, present);
  const std::set<int> isolated = cpu_set_in_file(facts, std::string(cpu_root) + "isolated").value_or(std::set<int>());
  const std::set<int> tickless = cpu_set_in_file(facts, std::string(cpu_root) + "nohz_full").value_or(std::set<int>());
  const std::vector<std::set<int>> bound_to = bounds(facts, xml);
  std::vector<Cpu> cpus;
  for (const int number : present) {
    Cpu cpu;
    cpu.number = number;
    cpu.online = online.contains(number);
    cpu.allowed = cpu.online && std::all_of(bound_to.begin(), bound_to.end(),
                                            [&](const std::set<int>& bound) { return bound.contains(number); });
    cpu.isolated = isolated.contains(number);
    cpu.nohz_full = tickless.contains(number);
    cpu.core = xml ? value_or(xml->core, number, -1) : -1;
    if (cpu.core < 0) cpu.core = index_in_file(facts, number, "topology/core_id");
    cpu.package = xml ? value_or(xml->package, number, -1) : -1;
    if (cpu.package < 0) cpu.package = index_in_file(facts, number, "topology/physical_package_id");
    if (xml) cpu.siblings = value_or(xml->siblings, number, std::vector<int>());
    if (cpu.siblings.empty()) cpu.siblings = siblings_in_file(facts, number);
    cpus.push_back(cpu);
  }
  name_core_types(facts, xml, cpus);
  return cpus;
}

std::vector<Cache> caches_in_files(const Facts& facts) {
  std::vector<Cache> caches;
  for (const auto& [path, content] : facts.files) {
    const auto cpu = cpu_of_path(path);
    if (!cpu || !path.ends_with("/size") || !holds(path, "/cache/index")) continue;
    const std::string index = path.substr(0, path.size() - std::string_view("size").size());
    const auto size = cache_size_in(content);
    const auto level = number_in(file_text(facts, index + "level"));
    const std::string kind = lower_case(file_text(facts, index + "type"));
    if (!size || !level || *level < 1 || *level > 9 || (kind != "data" && kind != "unified")) continue;
    Cache cache;
    cache.level = static_cast<int>(*level);
    cache.kind = kind;
    cache.size_bytes = *size;
    if (const auto line = number_in(file_text(facts, index + "coherency_line_size"));
        line && *line > 0 && *line <= 65536)
      cache.line_bytes = static_cast<int>(*line);
    cache.cpus = cpu_list_in(file_text(facts, index + "shared_cpu_list")).value_or(std::vector<int>());
    if (cache.cpus.empty()) cache.cpus = {*cpu};
    cache.source = "reported";
    caches.push_back(cache);
  }
  return caches;
}

} // namespace

Topology topology_from(const Facts& facts) {
  const std::optional<XmlTopology> xml = read_topology_xml(facts.hwloc_xml);
  Topology topology;
  topology.cpus = cpus_from(facts, xml);
  topology.caches = xml && !xml->caches.empty() ? xml->caches : caches_in_files(facts);
  std::sort(topology.caches.begin(), topology.caches.end(), [](const Cache& a, const Cache& b) {
    return std::tie(a.level, a.kind, a.cpus) < std::tie(b.level, b.kind, b.cpus);
  });
  return topology;
}

} // namespace switchscope
