#include "engine/worker/describe.h"

#include "engine/worker/facts_calls.h"
#include "engine/worker/facts_files.h"
#include "engine/worker/topology_xml.h"

#include <chrono>
#include <thread>

namespace switchscope {

namespace {

// Which CPUs are busy now shows over a while only; nothing of ours runs meanwhile.
void keep_recent_times(Facts& facts, const Sysroot& root) {
  constexpr auto pause = std::chrono::milliseconds(50);
  const auto earlier = root.text("/proc/stat");
  if (!earlier) return;
  std::this_thread::sleep_for(pause);
  const auto now = root.text("/proc/stat");
  if (!now) return;
  facts.calls[earlier_times_key] = cpu_times(*earlier);
  facts.files["/proc/stat"] = cpu_times(*now);
}

} // namespace

Facts collect_facts(const std::string& sysroot) {
  const Sysroot root(sysroot);
  Facts facts;
  if (root.is_this_machine()) {
    facts.calls = collect_calls();
    keep_recent_times(facts, root);
  } else {
    facts.calls["recorded"] = "yes";
  }
  facts.files.merge(collect_files(root)); // what is there already stays
  facts.hwloc_xml = topology_xml(root);
  if (const std::string version = hwloc_version(); !version.empty()) facts.calls["hwloc_version"] = version;
  return facts;
}

} // namespace switchscope
