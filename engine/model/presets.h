// The built-in plans. Their sizes follow the caches of the chosen CPU.
#pragma once

#include "engine/model/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace switchscope {

struct Preset {
  std::string name;    // "l2-cliff"
  std::string summary; // one line
};

struct CacheSizes {
  std::optional<std::int64_t> l2_bytes;
  std::optional<std::int64_t> last_level_bytes;
};

[[nodiscard]] const std::vector<Preset>& presets();
// nullopt for an unknown name. Without an L2 size, l2-cliff and quick begin below 2 MiB and are
// prolonged until a cliff is found, at most to 64 MiB; the others reach from 16 KiB to 64 MiB at once.
[[nodiscard]] std::optional<Plan> preset_plan(std::string_view name, const CacheSizes&);

} // namespace switchscope
