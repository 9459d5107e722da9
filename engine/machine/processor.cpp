#include "engine/machine/processor.h"

#include "engine/machine/fact_text.h"

#include <algorithm>
#include <array>
#include <vector>

namespace switchscope {
namespace {

struct Part {
  std::string_view implementer;
  std::string_view part;
  std::string_view name;
};

// Arm kernels give numbers only. Those one meets in servers, boards and laptops; the rest keep their numbers.
constexpr std::array parts{
    Part{"0x41", "0xc09", "Arm Cortex-A9"},   Part{"0x41", "0xd03", "Arm Cortex-A53"},
    Part{"0x41", "0xd05", "Arm Cortex-A55"},  Part{"0x41", "0xd08", "Arm Cortex-A72"},
    Part{"0x41", "0xd0b", "Arm Cortex-A76"},  Part{"0x41", "0xd0c", "Arm Neoverse-N1"},
    Part{"0x41", "0xd40", "Arm Neoverse-V1"}, Part{"0x41", "0xd49", "Arm Neoverse-N2"},
    Part{"0x41", "0xd4f", "Arm Neoverse-V2"}, Part{"0x48", "0xd01", "HiSilicon TaiShan v110"},
    Part{"0xc0", "0xac3", "Ampere-1"},
};

std::vector<std::string_view> blocks_of(std::string_view cpuinfo) {
  std::vector<std::string_view> blocks;
  while (!cpuinfo.empty()) {
    const std::size_t end = cpuinfo.find("\n\n");
    blocks.push_back(cpuinfo.substr(0, end));
    if (end == std::string_view::npos) break;
    cpuinfo.remove_prefix(end + 2);
  }
  return blocks;
}

std::string single_spaced(std::string_view text) {
  std::string joined;
  for (const std::string_view word : words_of(text)) (joined += joined.empty() ? "" : " ") += word;
  return joined;
}

std::string model_of_block(std::string_view block) {
  // Arm's numbers first: its "model name", where there is one, is only "ARMv7 Processor rev 1 (v7l)".
  const std::string_view implementer = field_of(block, "CPU implementer");
  const std::string_view number = field_of(block, "CPU part");
  if (!implementer.empty() && !number.empty()) {
    for (const Part& part : parts)
      if (part.implementer == implementer && part.part == number) return std::string(part.name);
    return "implementer " + std::string(implementer) + ", part " + std::string(number);
  }
  for (const std::string_view field : {"model name", "cpu"}) // x86 and most others; POWER
    if (const auto told = field_of(block, field); !told.empty()) return single_spaced(told);
  return {};
}

} // namespace

std::string cpu_model_of(const Facts& facts) {
  std::vector<std::string> models;
  for (const std::string_view block : blocks_of(file_text(facts, "/proc/cpuinfo"))) {
    const std::string model = model_of_block(block);
    if (!model.empty() && std::find(models.begin(), models.end(), model) == models.end()) models.push_back(model);
  }
  std::string joined;
  for (const std::string& model : models) joined += (joined.empty() ? "" : " + ") + model;
  return joined;
}

bool has_cpu_flag(const Facts& facts, std::string_view flag) {
  const auto flags = words_of(field_of(file_text(facts, "/proc/cpuinfo"), "flags"));
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

std::string architecture_family(std::string_view name) {
  if (name == "amd64" || name == "x86-64" || (name.size() == 4 && name.starts_with('i') && name.ends_with("86")))
    return "x86_64";
  if (name == "arm64" || name.starts_with("armv8")) return "aarch64";
  return std::string(name);
}

std::string architecture_in_cpuinfo(const Facts& facts) {
  const std::string_view cpuinfo = file_text(facts, "/proc/cpuinfo");
  if (!field_of(cpuinfo, "vendor_id").empty() && !field_of(cpuinfo, "flags").empty()) return "x86_64";
  const std::string_view arm = field_of(cpuinfo, "CPU architecture");
  if (arm == "8" || arm == "AArch64") return "aarch64";
  if (!arm.empty()) return "arm";
  if (field_of(cpuinfo, "cpu").starts_with("POWER")) return "ppc64";
  if (!field_of(cpuinfo, "isa").empty() && !field_of(cpuinfo, "hart").empty()) return "riscv64";
  return {};
}

} // namespace switchscope
