#include "engine/worker/describe.h"

#include "engine/worker/facts_calls.h"
#include "engine/worker/facts_files.h"
#include "engine/worker/topology_xml.h"

namespace switchscope {

Facts collect_facts(const std::string& sysroot) {
  const Sysroot root(sysroot);
  Facts facts;
  facts.files = collect_files(root);
  if (root.is_this_machine())
    facts.calls = collect_calls();
  else
    facts.calls["recorded"] = "yes";
  facts.hwloc_xml = topology_xml(root);
  if (const std::string version = hwloc_version(); !version.empty()) facts.calls["hwloc_version"] = version;
  return facts;
}

} // namespace switchscope
