#include "engine/machine/topology_xml_reader.h"

#include <array>
#include <hwloc.h>
#include <memory>
#include <string_view>

namespace switchscope {
namespace {

using Handle = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

constexpr int highest_cpu = 65535; // an XML may hold an infinite set: "0xf...f"

std::vector<int> cpus_in(hwloc_const_bitmap_t bitmap) {
  std::vector<int> cpus;
  if (bitmap == nullptr) return cpus;
  for (int cpu = hwloc_bitmap_first(bitmap); cpu >= 0 && cpu <= highest_cpu; cpu = hwloc_bitmap_next(bitmap, cpu))
    cpus.push_back(cpu);
  return cpus;
}

std::set<int> set_of(hwloc_const_bitmap_t bitmap) {
  const std::vector<int> cpus = cpus_in(bitmap);
  return {cpus.begin(), cpus.end()};
}

Handle loaded(const std::string& xml) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return {nullptr, &hwloc_topology_destroy};
  Handle topology(raw, &hwloc_topology_destroy);
  // Without "disallowed", hwloc drops the CPUs outside the worker's cpuset.
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  const int length = static_cast<int>(xml.size()) + 1; // hwloc counts the final NUL
  if (hwloc_topology_set_xmlbuffer(raw, xml.c_str(), length) != 0 || hwloc_topology_load(raw) != 0) topology.reset();
  return topology;
}

void read_cores(hwloc_topology_t topology, XmlTopology& read) {
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != nullptr;) {
    if (pu->os_index > static_cast<unsigned>(highest_cpu)) continue;
    const int cpu = static_cast<int>(pu->os_index);
    if (const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu)) {
      if (core->os_index != HWLOC_UNKNOWN_INDEX) read.core[cpu] = static_cast<int>(core->os_index);
      read.siblings[cpu] = cpus_in(core->cpuset);
    }
    if (const hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, pu))
      if (package->os_index != HWLOC_UNKNOWN_INDEX) read.package[cpu] = static_cast<int>(package->os_index);
  }
}

void read_caches(hwloc_topology_t topology, XmlTopology& read) {
  constexpr std::array levels{HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE};
  for (const hwloc_obj_type_t level : levels)
    for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(topology, level, object)) != nullptr;) {
      const auto& told = object->attr->cache;
      constexpr hwloc_uint64_t largest = hwloc_uint64_t{1} << 50;
      if (told.size == 0 || told.size > largest || told.type == HWLOC_OBJ_CACHE_INSTRUCTION) continue;
      Cache cache;
      cache.level = static_cast<int>(told.depth);
      cache.kind = told.type == HWLOC_OBJ_CACHE_DATA ? "data" : "unified";
      cache.size_bytes = static_cast<std::int64_t>(told.size);
      if (told.linesize > 0) cache.line_bytes = static_cast<int>(told.linesize);
      cache.cpus = cpus_in(object->cpuset);
      cache.source = "reported";
      read.caches.push_back(cache);
    }
}

void read_core_types(hwloc_topology_t topology, XmlTopology& read) {
  const int kinds = hwloc_cpukinds_get_nr(topology, 0);
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> cpus(hwloc_bitmap_alloc(), &hwloc_bitmap_free);
  for (int kind = 0; kind < kinds; ++kind) {
    int efficiency = 0;
    unsigned count = 0;
    hwloc_info_s* infos = nullptr;
    if (hwloc_cpukinds_get_info(topology, static_cast<unsigned>(kind), cpus.get(), &efficiency, &count, &infos, 0) != 0)
      continue;
    for (unsigned i = 0; i < count; ++i)
      if (std::string_view(infos[i].name) == "CoreType")
        for (const int cpu : cpus_in(cpus.get())) read.intel_core_type[cpu] = infos[i].value;
  }
}

} // namespace

std::optional<XmlTopology> read_topology_xml(const std::string& xml) {
  if (xml.empty()) return std::nullopt;
  const Handle topology = loaded(xml);
  if (!topology) return std::nullopt;
  XmlTopology read;
  read.present = set_of(hwloc_topology_get_complete_cpuset(topology.get()));
  read.online = set_of(hwloc_topology_get_topology_cpuset(topology.get()));
  read.allowed = set_of(hwloc_topology_get_allowed_cpuset(topology.get()));
  read_cores(topology.get(), read);
  read_caches(topology.get(), read);
  read_core_types(topology.get(), read);
  return read;
}

} // namespace switchscope
