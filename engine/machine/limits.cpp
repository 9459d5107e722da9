#include "engine/machine/limits.h"

#include "engine/machine/fact_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace switchscope {
namespace {

constexpr int highest_priority = 99;

// "MemTotal:  24684092 kB" in bytes.
std::optional<std::int64_t> memory_line(const Facts& facts, std::string_view name) {
  const auto words = words_of(field_of(file_text(facts, "/proc/meminfo"), name));
  if (words.size() != 2 || words[1] != "kB") return std::nullopt;
  constexpr std::int64_t largest = std::int64_t{1} << 43;
  const auto kib = number_in(words[0]);
  if (!kib || *kib < 0 || *kib > largest) return std::nullopt;
  return *kib * 1024;
}

// The memory limit of the worker's control group: beyond it the kernel kills, whatever MemAvailable says.
std::optional<std::int64_t> group_memory_limit(const Facts& facts) {
  std::optional<std::int64_t> lowest;
  for (const auto& [path, content] : facts.files) {
    if (!path.starts_with("/sys/fs/cgroup/")) continue;
    if (!path.ends_with("/memory.max") && !path.ends_with("/memory.limit_in_bytes")) continue;
    const auto limit = number_in(content); // "max": no limit
    if (limit && *limit > 0 && (!lowest || *limit < *lowest)) lowest = limit;
  }
  return lowest;
}

// A device's own battery (of a mouse, say) tells nothing of the machine.
bool is_of_a_device(const Facts& facts, const std::string& supply) {
  return file_text(facts, supply + "scope") == "Device";
}

std::string power_of(const Facts& facts) {
  const std::string directory = "/sys/class/power_supply/";
  bool on_mains = false;
  bool has_battery = false;
  bool discharging = false;
  for (auto file = facts.files.lower_bound(directory); file != facts.files.end() && file->first.starts_with(directory);
       ++file) {
    if (!file->first.ends_with("/type")) continue;
    const std::string supply = file->first.substr(0, file->first.size() - std::string_view("type").size());
    if (is_of_a_device(facts, supply)) continue;
    if (file->second == "Battery") {
      has_battery = true;
      discharging = discharging || file_text(facts, supply + "status") == "Discharging";
    } else if (file_text(facts, supply + "online") == "1") {
      on_mains = true;
    }
  }
  if (discharging || (has_battery && !on_mains)) return "battery";
  return on_mains || has_battery ? "mains" : "";
}

// Real time that the worker's control group may use in a period, where the kernel shares it out among groups. With the
// second generation of control groups there is no such file, and every group but the root has none.
std::optional<std::int64_t> group_real_time(const Facts& facts) {
  for (const auto& [path, content] : facts.files)
    if (path.starts_with("/sys/fs/cgroup/") && path.ends_with("/cpu.rt_runtime_us")) return number_in(content);
  return std::nullopt;
}

// "yes", or the kernel's reason behind "no: ".
std::string answer_of(std::string_view told) {
  constexpr std::string_view no = "no: ";
  return std::string(told.starts_with(no) ? told.substr(no.size()) : told);
}

bool has_capability(const Facts& facts, unsigned capability) {
  const std::string_view text = field_of(file_text(facts, "/proc/self/status"), "CapEff");
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  return error == std::errc{} && end == text.data() + text.size() && ((bits >> capability) & 1u) != 0;
}

} // namespace

void read_limits(const Facts& facts, Environment& environment) {
  environment.memory_total_bytes = memory_line(facts, "MemTotal");
  environment.memory_available_bytes = memory_line(facts, "MemAvailable");
  if (const auto limit = group_memory_limit(facts))
    environment.memory_available_bytes = std::min(*limit, environment.memory_available_bytes.value_or(*limit));
  environment.hugetlb_free_pages = number_in(field_of(file_text(facts, "/proc/meminfo"), "HugePages_Free"));
  environment.rt_period_us = number_in(file_text(facts, "/proc/sys/kernel/sched_rt_period_us"));
  environment.rt_runtime_us = number_in(file_text(facts, "/proc/sys/kernel/sched_rt_runtime_us"));
  if (const auto words = words_of(file_text(facts, "/proc/loadavg")); !words.empty())
    environment.load_1min = decimal_in(words[0]);

  environment.rt_group_runtime_us = group_real_time(facts);
  environment.real_time = answer_of(call_text(facts, "real-time"));
  environment.power = power_of(facts);

  constexpr unsigned cap_ipc_lock = 14;
  constexpr unsigned cap_sys_nice = 23;
  const std::string_view priority = call_text(facts, "rlimit.rtprio");
  if (priority == "unlimited" || (!priority.empty() && has_capability(facts, cap_sys_nice)))
    environment.rt_priority_limit = highest_priority;
  else
    environment.rt_priority_limit = number_in(priority);
  if (!has_capability(facts, cap_ipc_lock))
    environment.locked_memory_limit_bytes = number_in(call_text(facts, "rlimit.memlock"));
}

} // namespace switchscope
