#include "app/cli/describe_text.h"

#include "app/cli/columns.h"
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

const Cpu* find_cpu(const Environment& environment, int number) {
  for (const Cpu& cpu : environment.cpus)
    if (cpu.number == number) return &cpu;
  return nullptr;
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

std::vector<std::string> limits_of(const Environment& environment, const CpuChoice& chosen) {
  std::vector<std::string> limits;
  const Cpu* cpu = find_cpu(environment, chosen.cpu);
  if (!environment.emulation.empty())
    limits.push_back("Instructions are emulated: costs here say nothing about a real processor.");
  if (!environment.hypervisor.empty())
    limits.push_back("This is a guest: its switch is not the bare machine's, and other guests disturb it unseen. "
                     "Compare only with runs on guests like this one.");
  const bool only_cpu = std::count_if(environment.cpus.begin(), environment.cpus.end(),
                                      [](const Cpu& each) { return each.online && each.allowed; }) == 1;
  if (only_cpu) limits.push_back("There is one usable CPU: everything else that runs shares it with the measurement.");
  if (environment.rt_priority_limit.value_or(1) == 0)
    limits.push_back(
        "No real-time priority by the limit: without the right, tasks run under SCHED_OTHER and others can "
        "interrupt them. Give the worker cap_sys_nice, or raise RLIMIT_RTPRIO.");
  if (cpu != nullptr && cpu->siblings.size() > 1)
    limits.push_back(fmt::format("CPU {} shares its core with another hyperthread: work there raises the cost. It is "
                                 "probed for and set aside, but a free sibling is better.",
                                 chosen.cpu));
  if (cpu != nullptr && !cpu->governor.empty() && cpu->governor != "performance")
    limits.push_back(fmt::format("The frequency governor of CPU {} is {}: the clock may move during a block. For a "
                                 "steady clock: cpupower frequency-set -g performance",
                                 chosen.cpu, printable(cpu->governor)));
  if (environment.load_1min.value_or(0) > 0.5)
    limits.push_back(fmt::format("The load is {:.1f}: other programs are running. A quiet machine gives narrower "
                                 "intervals.",
                                 *environment.load_1min));
  if (environment.caches.empty())
    limits.push_back("The machine does not tell its cache sizes: presets sweep from 16 KiB to 64 MiB instead.");
  if (const std::string absent = no_counters_text(environment); !absent.empty()) limits.push_back(absent);
  return limits;
}

std::string describe_text(const Environment& environment, const CpuChoice& chosen) {
  std::string text;
  add_line(text, "Machine", machine_line(environment));
  add_line(text, "CPU", cpu_line(environment));
  add_line(text, "Caches", caches_line(environment, chosen.cpu));
  add_line(text, "Kernel", kernel_line(environment));
  add_line(text, "Memory", memory_line(environment));
  add_line(text, "Real time", real_time_line(environment));
  add_line(text, "Chosen", chosen.reason);
  const auto limits = limits_of(environment, chosen);
  text += limits.empty() ? "\nNothing known limits a measurement here.\n" : "\nWhat limits a measurement here:\n";
  for (const auto& limit : limits) text += labelled("-", 2, limit);
  return text;
}

} // namespace switchscope
