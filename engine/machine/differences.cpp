#include "engine/machine/machine.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace switchscope {
namespace {

std::string value_in(const std::map<std::string, std::string>& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? std::string() : found->second;
}

std::string or_nothing(const std::string& text) {
  return text.empty() ? "not told" : text;
}

std::string text_of(const std::optional<std::int64_t>& number) {
  return number ? std::to_string(*number) : std::string();
}

} // namespace

std::vector<std::string> changes_during(const Environment& before, const Environment& after) {
  std::vector<std::string> sentences;
  const auto compare = [&](const std::string& what, const std::string& at_first, const std::string& at_last) {
    if (at_first != at_last)
      sentences.push_back(what + " was " + or_nothing(at_first) + ", then " + or_nothing(at_last));
  };
  compare("clock source", before.clock_source, after.clock_source);
  compare("turbo", before.boost, after.boost);
  compare("SMT", before.smt, after.smt);
  compare("transparent huge pages", before.transparent_huge_pages, after.transparent_huge_pages);
  compare("sched_rt_period_us", text_of(before.rt_period_us), text_of(after.rt_period_us));
  compare("sched_rt_runtime_us", text_of(before.rt_runtime_us), text_of(after.rt_runtime_us));
  for (const Cpu& cpu : before.cpus) {
    const auto later = std::find_if(after.cpus.begin(), after.cpus.end(),
                                    [&](const Cpu& other) { return other.number == cpu.number; });
    const std::string name = "CPU " + std::to_string(cpu.number);
    const bool is_there = later != after.cpus.end();
    compare(name, cpu.online ? "online" : "offline", is_there && later->online ? "online" : "offline");
    if (!is_there || !cpu.online || !later->online) continue;
    compare(name, cpu.allowed ? "allowed to this program" : "outside its cpuset",
            later->allowed ? "allowed to this program" : "outside its cpuset");
    compare("governor of " + name, cpu.governor, later->governor);
  }
  return sentences;
}

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
