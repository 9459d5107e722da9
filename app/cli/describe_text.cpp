#include "app/cli/describe_text.h"

#include "app/cli/columns.h"
#include "app/cli/doctor_text.h"
#include "app/cli/labelled.h"
#include "app/cli/wording.h"
#include "engine/model/quantity.h"

#include <fmt/core.h>

#include <algorithm>

namespace switchscope {

namespace {

constexpr int label_columns = 11;

std::string told(const std::string& text) {
  return text.empty() ? "not told" : printable(text);
}

// "0-3,8": as the kernel writes lists of CPUs.
std::string cpu_list(std::vector<int> cpus) {
  std::sort(cpus.begin(), cpus.end());
  std::string text;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    text += text.empty() ? "" : ",";
    text += first == last ? fmt::format("{}", cpus[first]) : fmt::format("{}-{}", cpus[first], cpus[last]);
    first = last + 1;
  }
  return text;
}

std::string machine_line(const Environment& environment) {
  std::string text = fmt::format("{}, {}", told(environment.host_name), told(environment.architecture));
  text += environment.hypervisor.empty() ? ", no hypervisor seen" : ", guest of " + printable(environment.hypervisor);
  if (!environment.container.empty()) text += ", in a container (" + printable(environment.container) + ')';
  if (!environment.emulation.empty()) text += ", emulated (" + printable(environment.emulation) + ')';
  return text;
}

std::string cpu_line(const Environment& environment) {
  std::vector<int> usable;
  std::vector<int> absent;
  for (const Cpu& cpu : environment.cpus) (cpu.online && cpu.allowed ? usable : absent).push_back(cpu.number);
  std::string text = fmt::format("{}; CPUs {} can be used", told(environment.cpu_model), cpu_list(usable));
  if (!absent.empty()) text += fmt::format(", {} cannot (offline or not allowed)", cpu_list(absent));
  if (!environment.smt.empty()) text += "; hyperthreads " + printable(environment.smt);
  if (!environment.microcode.empty()) text += "; microcode " + printable(environment.microcode);
  return text;
}

std::string kernel_line(const Environment& environment) {
  std::string text = fmt::format("{}; preemption {}; ticks {}", told(environment.kernel_release),
                                 told(environment.preemption), told(environment.no_hz));
  if (environment.hz) text += fmt::format(" at {} Hz", *environment.hz);
  text += "; clock source " + told(environment.clock_source);
  return text;
}

std::string caches_line(const Environment& environment, int cpu) {
  std::string text;
  for (const Cache& cache : environment.caches) {
    if (std::find(cache.cpus.begin(), cache.cpus.end(), cpu) == cache.cpus.end()) continue;
    text += fmt::format("{}L{} {}", text.empty() ? "" : ", ", cache.level, bytes_text(cache.size_bytes));
    if (cache.cpus.size() > 1) text += fmt::format(" (shared by CPUs {})", cpu_list(cache.cpus));
    if (cache.source != "reported") text += fmt::format(" ({})", printable(cache.source));
  }
  return text.empty() ? "the machine does not tell their sizes" : fmt::format("of CPU {}: {}", cpu, text);
}

std::string translation_line(const Environment& environment) {
  std::string text;
  for (const TranslationReach& reach : environment.translation)
    text += fmt::format("{}L{} dTLB {} x {} = {}", text.empty() ? "" : ", ", reach.level, reach.entries,
                        bytes_text(reach.page_bytes), bytes_text(reach.reach_bytes()));
  return text;
}

std::string memory_line(const Environment& environment) {
  std::string text = "not told";
  if (environment.memory_total_bytes) {
    constexpr double gib = 1024.0 * 1024 * 1024;
    text = fmt::format("{:.1f} GiB", static_cast<double>(*environment.memory_total_bytes) / gib);
    if (environment.memory_available_bytes)
      text += fmt::format(", {:.1f} GiB free", static_cast<double>(*environment.memory_available_bytes) / gib);
  }
  text += "; transparent huge pages " + told(environment.transparent_huge_pages);
  if (environment.hugetlb_free_pages) text += fmt::format("; {} free huge pages", *environment.hugetlb_free_pages);
  return text;
}

std::string real_time_line(const Environment& environment) {
  std::string text = environment.rt_priority_limit
                         ? fmt::format("priority up to {} by the limit", *environment.rt_priority_limit)
                         : std::string("limit not told");
  if (environment.rt_period_us && environment.rt_runtime_us) {
    if (*environment.rt_runtime_us < 0)
      text += "; no throttling";
    else
      text += fmt::format("; throttled beyond {:g} ms of every {:g} ms",
                          static_cast<double>(*environment.rt_runtime_us) / 1e3,
                          static_cast<double>(*environment.rt_period_us) / 1e3);
  }
  return text;
}

void add_line(std::string& text, const std::string& label, const std::string& value) {
  text += labelled(label, label_columns, value);
}

} // namespace

std::string describe_text(const Environment& environment, const CpuChoice& chosen) {
  std::string text;
  add_line(text, "Machine", machine_line(environment));
  add_line(text, "CPU", cpu_line(environment));
  add_line(text, "Caches", caches_line(environment, chosen.cpu));
  add_line(text, "TLB", translation_line(environment));
  add_line(text, "Kernel", kernel_line(environment));
  add_line(text, "Memory", memory_line(environment));
  add_line(text, "Real time", real_time_line(environment));
  add_line(text, "Chosen", chosen.reason);
  std::vector<Finding> limits = sorted_by_light(readiness(environment, {chosen.cpu}));
  std::erase_if(limits, [](const Finding& finding) { return finding.light > Light::yellow; });
  text += limits.empty() ? "\nNothing known limits a measurement here.\n"
                         : "\nWhat limits a measurement here (switchscope-cli doctor tells more):\n";
  for (const Finding& limit : limits) text += labelled("-", 2, in_a_sentence(limit));
  return text;
}

} // namespace switchscope
