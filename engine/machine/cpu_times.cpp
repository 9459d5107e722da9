#include "engine/machine/cpu_times.h"

#include "engine/machine/fact_text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace switchscope {
namespace {

constexpr double ticks_per_s = 100; // USER_HZ of /proc/stat, on every architecture there is a worker for

constexpr std::int64_t most_ticks = std::int64_t{1} << 53;

struct Ticks {
  std::int64_t total = 0;
  std::int64_t idle = 0;
  std::int64_t steal = 0;
};

// "cpu1 user nice system idle iowait irq softirq steal ...", by number; proc_stat(5).
std::map<int, Ticks> ticks_in(std::string_view proc_stat) {
  std::map<int, Ticks> ticks;
  for (std::size_t at = 0; at < proc_stat.size();) {
    const std::size_t end = std::min(proc_stat.find('\n', at), proc_stat.size());
    const auto words = words_of(proc_stat.substr(at, end - at));
    at = end + 1;
    if (words.size() < 5 || !words[0].starts_with("cpu")) continue;
    const auto cpu = number_in(words[0].substr(3)); // "cpu" alone is the sum of all
    if (!cpu || *cpu < 0 || *cpu > 65535) continue;
    Ticks& of_cpu = ticks[static_cast<int>(*cpu)];
    for (std::size_t column = 1; column < std::min<std::size_t>(words.size(), 9); ++column) {
      const std::int64_t value = number_in(words[column]).value_or(0);
      if (value < 0 || value > most_ticks) continue; // garbage in a recording; sums must not overflow
      of_cpu.total += value;
      if (column == 4 || column == 5) of_cpu.idle += value;
      if (column == 8) of_cpu.steal = value;
    }
  }
  return ticks;
}

std::optional<double> busy_between(const Ticks& earlier, const Ticks& now) {
  const std::int64_t passed = now.total - earlier.total;
  const std::int64_t idle = now.idle - earlier.idle;
  if (passed <= 0 || idle < 0 || idle > passed) return std::nullopt; // the kernel's counters may step back
  return static_cast<double>(passed - idle) / static_cast<double>(passed);
}

// The sums of /proc/interrupts, "CPU0 CPU2" over "sum: 12 34".
std::map<int, double> interrupts_in(std::string_view sums) {
  std::map<int, double> interrupts;
  const std::size_t end = sums.find('\n');
  if (end == std::string_view::npos) return interrupts;
  const auto heads = words_of(sums.substr(0, end));
  const auto counts = words_of(sums.substr(end + 1));
  for (std::size_t i = 0; i < heads.size() && i + 1 < counts.size(); ++i) {
    if (!heads[i].starts_with("CPU")) continue;
    const auto cpu = number_in(heads[i].substr(3));
    const auto count = number_in(counts[i + 1]);
    if (cpu && count && *cpu >= 0 && *cpu <= 65535 && *count >= 0)
      interrupts[static_cast<int>(*cpu)] = static_cast<double>(*count);
  }
  return interrupts;
}

} // namespace

void read_cpu_times(const Facts& facts, Environment& environment) {
  const std::string_view stat = file_text(facts, "/proc/stat");
  const auto now = ticks_in(stat);
  const auto earlier = ticks_in(call_text(facts, "proc-stat.earlier"));
  const auto interrupts = interrupts_in(file_text(facts, "/proc/interrupts"));
  for (Cpu& cpu : environment.cpus) {
    const auto ticks = now.find(cpu.number);
    if (ticks == now.end() || ticks->second.total <= 0) continue;
    const auto total = static_cast<double>(ticks->second.total);
    cpu.steal_ratio = static_cast<double>(ticks->second.steal) / total;
    if (const auto before = earlier.find(cpu.number); before != earlier.end())
      cpu.busy_ratio = busy_between(before->second, ticks->second);
    if (const auto count = interrupts.find(cpu.number); count != interrupts.end())
      cpu.interrupts_per_s = count->second / (total / ticks_per_s);
  }
  const std::size_t boot = stat.find("btime ");
  if (boot == std::string_view::npos) return;
  const auto words = words_of(stat.substr(boot).substr(0, stat.substr(boot).find('\n')));
  if (words.size() == 2) environment.booted_at_s = number_in(words[1]);
}

} // namespace switchscope
