#include "engine/machine/machine.h"

#include <set>
#include <string>

namespace switchscope {
namespace {

std::string value_in(const std::map<std::string, std::string>& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? std::string() : found->second;
}

} // namespace

std::vector<std::string> differences(const Environment& then, const Environment& now) {
  std::vector<std::string> sentences;
  const auto compare = [&](const std::string& what, const std::string& before, const std::string& after,
                           const char* nothing) {
    if (before == after) return;
    sentences.push_back(what + " " + (before.empty() ? nothing : before) + " then, " +
                        (after.empty() ? nothing : after) + " now");
  };
  compare("CPU model", then.cpu_model, now.cpu_model, "unknown");
  compare("kernel", then.kernel_release, now.kernel_release, "unknown");
  compare("hypervisor", then.hypervisor, now.hypervisor, "none");
  compare("emulation", then.emulation, now.emulation, "none");
  std::set<std::string> names;
  for (const auto& [name, text] : then.mitigations) names.insert(name);
  for (const auto& [name, text] : now.mitigations) names.insert(name);
  for (const std::string& name : names)
    compare("mitigation of " + name + ":", value_in(then.mitigations, name), value_in(now.mitigations, name),
            "not reported");
  compare("worker build", value_in(then.versions, "worker build"), value_in(now.versions, "worker build"), "unknown");
  return sentences;
}

} // namespace switchscope
