#include "engine/worker/topology_xml.h"

#ifdef SWITCHSCOPE_HAVE_HWLOC

#include <algorithm>
#include <cstdlib>
#include <hwloc.h>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

namespace switchscope {
namespace {

void steer_hwloc(const Sysroot& root) {
  // Any of these in the user's environment would make hwloc describe another machine.
  for (const char* name : {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_COMPONENTS", "HWLOC_THISSYSTEM", "HWLOC_FSROOT",
                           "HWLOC_CPUID_PATH", "HWLOC_DUMPED_HWDATA_DIR", "HWLOC_ALLOW"})
    ::unsetenv(name);
  // A static program must not load plugins: they would bring a second C library with them.
  ::setenv("HWLOC_PLUGINS_PATH", "/nonexistent", 1);
  ::setenv("HWLOC_HIDE_ERRORS", "2", 1); // kernels contradict themselves; hwloc would write about it to stderr
  if (!root.is_this_machine()) ::setenv("HWLOC_FSROOT", root.real_path("/").c_str(), 1);
}

using Words = std::initializer_list<std::string_view>;

bool contains_any(std::string_view text, Words parts) {
  return std::any_of(parts.begin(), parts.end(), [&](auto part) { return text.find(part) != std::string_view::npos; });
}

bool is_any(std::string_view text, Words words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// Measurements are shared and published: which very machine it was is nobody's business. And hwloc fills in this
// machine's name and kernel where a recorded tree does not tell them.
void blank_what_must_not_travel(hwloc_obj_t machine, bool recorded) {
  for (unsigned i = 0; i < machine->infos_count; ++i) {
    const std::string_view name = machine->infos[i].name;
    if (contains_any(name, {"Serial", "UUID", "AssetTag"}) ||
        (recorded && is_any(name, {"OSName", "OSRelease", "OSVersion", "HostName", "Architecture"})))
      machine->infos[i].value[0] = '\0';
  }
}

// Where a recorded tree shows no CPUs, hwloc would describe this machine's instead.
bool shows_cpus(const Sysroot& root) {
  const std::vector<std::string> cpus = root.names_in("/sys/devices/system/cpu");
  return std::any_of(cpus.begin(), cpus.end(), [&](const std::string& cpu) {
    return root.text("/sys/devices/system/cpu/" + cpu + "/topology/core_id").has_value();
  });
}

} // namespace

std::string topology_xml(const Sysroot& root) {
  if (!root.is_this_machine() && !shows_cpus(root)) return {};
  steer_hwloc(root);
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return {};
  const std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)> topology(raw, &hwloc_topology_destroy);
  // Its x86 part would bind this process to each CPU in turn, and ask this machine's cpuid about a recorded one.
  hwloc_topology_set_components(raw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED | HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                                    HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS);
  hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  if (hwloc_topology_load(raw) != 0) return {};
  blank_what_must_not_travel(hwloc_get_root_obj(raw), !root.is_this_machine());
  char* buffer = nullptr;
  int length = 0; // with the final NUL
  if (hwloc_topology_export_xmlbuffer(raw, &buffer, &length, 0) != 0) return {};
  std::string xml(buffer, length > 0 ? static_cast<std::size_t>(length - 1) : 0);
  hwloc_free_xmlbuffer(raw, buffer);
  return xml;
}

std::string hwloc_version() {
  return HWLOC_VERSION;
}

} // namespace switchscope

#else

namespace switchscope {

std::string topology_xml(const Sysroot&) {
  return {};
}
std::string hwloc_version() {
  return {};
}

} // namespace switchscope

#endif
