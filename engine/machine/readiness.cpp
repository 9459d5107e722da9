#include "engine/machine/readiness.h"

#include "engine/machine/readiness_parts.h"

#include <algorithm>
#include <set>

namespace switchscope {
namespace {

const Cpu* cpu_of(const Environment& environment, int number) {
  for (const Cpu& cpu : environment.cpus)
    if (cpu.number == number) return &cpu;
  return nullptr;
}

void add_findings_of_cpu(Findings& findings, const Environment& environment, const Cpu& cpu) {
  findings.push_back(load_finding(environment, cpu));
  findings.push_back(shared_core_finding(environment, cpu));
  findings.push_back(steal_finding(environment, cpu));
  findings.push_back(governor_finding(cpu));
  findings.push_back(core_type_finding(environment, cpu));
  findings.push_back(interrupts_finding(environment, cpu));
  findings.push_back(isolation_finding(cpu));
  findings.push_back(ticks_finding(environment, cpu));
  findings.push_back(caches_finding(environment, cpu));
}

// The place of each finding by how much it harms; those of a CPU and of the machine mix.
int harm(const Finding& finding) {
  static constexpr const char* order[] = {
      "emulation",     "usable-cpus", "wsl",        "load",      "shared-core", "steal",   "hypervisor", "real-time",
      "rt-throttling", "power",       "governor",   "core-type", "turbo",       "smt",     "isolation",  "interrupts",
      "ticks",         "container",   "huge-pages", "aslr",      "cache-sizes", "counters"};
  const auto* const found = std::find(std::begin(order), std::end(order), finding.id);
  return static_cast<int>(found - std::begin(order));
}

bool bears_on(const Finding& finding, const Plan& plan) {
  if (finding.id == "counters") return false; // cycles are counted beside the measurement
  if (finding.id == "real-time" || finding.id == "rt-throttling") return plan.policy != Policy::other;
  const bool needs_huge_pages =
      std::find(plan.pages.begin(), plan.pages.end(), PageMode::transparent_huge) != plan.pages.end();
  if (finding.id == "huge-pages") return needs_huge_pages;
  const bool has_data =
      std::any_of(plan.sizes_bytes.begin(), plan.sizes_bytes.end(), [](auto size) { return size > 0; });
  return finding.id != "cache-sizes" || has_data;
}

} // namespace

std::vector<Finding> readiness(const Environment& environment, const std::vector<int>& cpus,
                               const std::string& worker) {
  Findings findings{emulation_finding(environment),
                    usable_cpus_finding(environment),
                    wsl_finding(environment),
                    hypervisor_finding(environment),
                    real_time_finding(environment, worker),
                    throttling_finding(environment),
                    power_finding(environment),
                    turbo_finding(environment),
                    smt_finding(environment),
                    container_finding(environment),
                    huge_pages_finding(environment),
                    aslr_finding(environment),
                    counters_finding(environment)};
  for (const int number : cpus)
    if (const Cpu* cpu = cpu_of(environment, number)) add_findings_of_cpu(findings, environment, *cpu);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return harm(a) < harm(b); });
  return findings;
}

std::vector<Finding> sorted_by_light(std::vector<Finding> findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.light < b.light; });
  return findings;
}

std::optional<Finding> worst_finding(const std::vector<Finding>& findings) {
  const auto sorted = sorted_by_light(findings);
  if (sorted.empty() || sorted.front().light > Light::yellow) return std::nullopt;
  return sorted.front();
}

std::vector<Finding> findings_of(const Run& run) {
  std::set<int> cpus;
  for (const Placement& placement : run.plan.placements)
    for (const int cpu : {placement.cpu_a, placement.cpu_b})
      if (cpu >= 0) cpus.insert(cpu);
  Findings findings = readiness(run.before, {cpus.begin(), cpus.end()});
  std::erase_if(findings, [&](const Finding& finding) { return !bears_on(finding, run.plan); });
  return findings;
}

bool can_be_measured(const Environment& environment) {
  return environment.cpus.empty() || std::any_of(environment.cpus.begin(), environment.cpus.end(),
                                                 [](const Cpu& cpu) { return cpu.online && cpu.allowed; });
}

} // namespace switchscope
