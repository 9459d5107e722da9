// The part of hwloc's XML (version 2) that is needed here, as plain values.
#pragma once

#include "engine/model/environment.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace switchscope {

struct XmlTopology {
  std::set<int> present; // as far as hwloc knows; offline CPUs may be missing
  std::set<int> online;
  std::set<int> allowed;
  std::map<int, int> core;                    // CPU -> the core's number
  std::map<int, int> package;                 // CPU -> the package's number
  std::map<int, std::vector<int>> siblings;   // CPU -> CPUs of its core
  std::map<int, std::string> intel_core_type; // "IntelCore", "IntelAtom"
  std::vector<Cache> caches;                  // source "reported"
};

// Total: any bytes give a topology or nothing. Absent when it is cut short, or when it names no CPU.
[[nodiscard]] std::optional<XmlTopology> read_topology_xml(const std::string& xml);

} // namespace switchscope
