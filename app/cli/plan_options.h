// What the user said about the plan, and the plan it makes: a preset, a file or nothing, with the axes given put over
// it.
#pragma once

#include "engine/model/plan.h"
#include "engine/model/presets.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace switchscope {

inline constexpr std::int64_t default_stride_bytes = 128; // two cache lines: the cliff shows; as in the presets
inline constexpr double default_budget_s = 30;

struct PlanOptions { // an axis that was not given is absent
  std::string preset;
  std::optional<Plan> file_plan; // of --plan
  std::optional<std::vector<std::int64_t>> sizes_bytes;
  std::optional<std::vector<std::int64_t>> strides_bytes;
  std::optional<std::vector<Access>> accesses;
  std::optional<std::vector<Pattern>> patterns;
  std::optional<std::vector<Placement>> placements;
  std::optional<std::vector<PageMode>> pages;
  std::optional<std::vector<Mechanism>> mechanisms;
  std::optional<std::vector<TaskKind>> tasks;
  std::optional<std::vector<Kernel>> kernels;
  std::optional<Policy> policy;
  std::optional<std::vector<Method>> methods;
  std::optional<double> budget_s;
  std::optional<double> precision_ratio;
  std::optional<std::uint64_t> seed;
  std::optional<int> sessions;
  std::optional<double> session_interval_s;
  std::optional<Requirements> require;
  std::optional<std::string> name;
  std::optional<int> max_added_points;
  std::optional<int> edge_points_per_octave;
};

// The plan of a plan file or of a result document, and whether it names a seed. Throws Refusal (bad_arguments): a
// folder, empty, too large, not a plan.
struct PlanFile {
  Plan plan;
  bool has_seed = false;
};
[[nodiscard]] PlanFile read_plan_file(const std::filesystem::path&);

// The caches matter to presets only. Throws Refusal (bad_arguments) for what contradicts itself.
[[nodiscard]] Plan plan_from(const PlanOptions&, const CacheSizes&);

// Throws Refusal (bad_arguments) with every problem the plan has wherever it would run.
void refuse_bad_plan(const PlanOptions&);

} // namespace switchscope
