#include "engine/machine/kernel_facts.h"

#include "engine/machine/fact_text.h"

#include <string_view>
#include <vector>

namespace switchscope {
namespace {

// The configuration of the running kernel, from whichever of the two places has it.
std::string_view configuration(const Facts& facts) {
  if (const auto text = file_text(facts, "/proc/config.gz"); !text.empty()) return text;
  return file_text(facts, "/boot/config-" + kernel_release_of(facts));
}

std::string_view option(const Facts& facts, std::string_view name) {
  for (const std::string_view line : words_of(configuration(facts))) { // options hold no blanks where we look
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos && line.substr(0, equals) == name) return line.substr(equals + 1);
  }
  return {};
}

bool is_set(const Facts& facts, std::string_view name) {
  return option(facts, name) == "y";
}

// The last value of "name=value" on the kernel command line: the kernel takes the last, too.
std::string_view boot_parameter(const Facts& facts, std::string_view name) {
  std::string_view value;
  for (const std::string_view word : words_of(file_text(facts, "/proc/cmdline"))) {
    if (word == "--") break; // the rest is for init
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos && word.substr(0, equals) == name) value = word.substr(equals + 1);
  }
  return value;
}

std::string model_in_configuration(const Facts& facts) {
  if (is_set(facts, "CONFIG_PREEMPT_RT")) return "rt";
  if (is_set(facts, "CONFIG_PREEMPT_LAZY")) return "lazy";
  if (is_set(facts, "CONFIG_PREEMPT")) return "full";
  if (is_set(facts, "CONFIG_PREEMPT_VOLUNTARY")) return "voluntary";
  if (is_set(facts, "CONFIG_PREEMPT_NONE")) return "none";
  return {};
}

} // namespace

std::string kernel_release_of(const Facts& facts) {
  if (const auto release = file_text(facts, "/proc/sys/kernel/osrelease"); !release.empty())
    return std::string(release);
  if (const auto release = call_text(facts, "uname.release"); !release.empty()) return std::string(release);
  const std::vector<std::string_view> words = words_of(file_text(facts, "/proc/version")); // Linux version 6.1.0 (...
  return words.size() > 2 && words[0] == "Linux" && words[1] == "version" ? std::string(words[2]) : std::string();
}

std::string kernel_version_of(const Facts& facts) {
  if (const auto version = file_text(facts, "/proc/sys/kernel/version"); !version.empty()) return std::string(version);
  if (const auto version = call_text(facts, "uname.version"); !version.empty()) return std::string(version);
  const std::string_view version = file_text(facts, "/proc/version");
  const std::size_t hash = version.find(" #"); // ... #1 SMP PREEMPT_DYNAMIC Debian ...
  return hash == std::string_view::npos ? std::string() : std::string(version.substr(hash + 1));
}

std::string preemption_of(const Facts& facts) {
  const std::string version = kernel_version_of(facts);
  const bool dynamic = holds(version, "PREEMPT_DYNAMIC");
  const auto worded = [&](std::string_view model) { return (dynamic ? "dynamic: " : "") + std::string(model); };
  if (file_text(facts, "/sys/kernel/realtime") == "1" || holds(version, "PREEMPT_RT") || holds(version, "PREEMPT RT"))
    return "rt";
  if (const auto chosen = selected_word(file_text(facts, "/sys/kernel/debug/sched/preempt"), '(', ')'); !chosen.empty())
    return worded(chosen);
  if (const auto asked = boot_parameter(facts, "preempt"); dynamic && !asked.empty()) return worded(asked);
  if (const std::string built = model_in_configuration(facts); !built.empty()) return worded(built);
  if (dynamic) return "dynamic";
  if (holds(version, "PREEMPT")) return "full";
  return version.empty() ? "" : "none or voluntary";
}

std::optional<int> hz_of(const Facts& facts) {
  if (const auto told = number_in(option(facts, "CONFIG_HZ")); told && *told > 0 && *told <= 100'000)
    return static_cast<int>(*told);
  const auto tick_ns = number_in(call_text(facts, "coarse_clock_resolution_ns"));
  // With high-resolution coarse clocks, as under some emulators, the resolution is not the tick.
  if (!tick_ns || *tick_ns < 100'000 || *tick_ns > 100'000'000) return std::nullopt;
  return static_cast<int>((1'000'000'000 + *tick_ns / 2) / *tick_ns);
}

std::string no_hz_of(const Facts& facts) {
  if (boot_parameter(facts, "nohz") == "off") return "periodic";
  const auto tickless = cpu_list_in(file_text(facts, "/sys/devices/system/cpu/nohz_full"));
  if (tickless && !tickless->empty()) return "full";
  if (is_set(facts, "CONFIG_HZ_PERIODIC")) return "periodic";
  // Built for full tickless but with no CPU named, the kernel behaves as with NO_HZ_IDLE.
  if (is_set(facts, "CONFIG_NO_HZ_IDLE") || is_set(facts, "CONFIG_NO_HZ_FULL")) return "idle";
  return {};
}

} // namespace switchscope
