#include "app/cli/plan_options.h"

#include "app/cli/outcome.h"
#include "engine/model/in_quotes.h"
#include "engine/protocol/json.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace switchscope {

namespace {

constexpr std::size_t max_plan_bytes = 1u << 20;

[[noreturn]] void refuse(const std::string& sentence) {
  throw Refusal(ExitCode::bad_arguments, sentence);
}

std::string preset_names() {
  std::string listed;
  for (const Preset& preset : presets()) listed += (listed.empty() ? "" : ", ") + preset.name;
  return listed;
}

Plan base_plan(const PlanOptions& options, const CacheSizes& caches) {
  if (options.file_plan) return *options.file_plan;
  if (!options.preset.empty()) {
    if (auto plan = preset_plan(options.preset, caches)) return *plan;
    refuse(fmt::format("There is no preset {}. There are: {}.", in_quotes(options.preset), preset_names()));
  }
  if (!options.sizes_bytes)
    refuse("Say what to measure: --size LIST (such as 16KiB..2MiB:2), --preset NAME (such as quick) or --plan FILE.");
  return Plan{};
}

template <class T> void put_over(T& value, const std::optional<T>& given) {
  if (given) value = *given;
}

void put_axes_over(Plan& plan, const PlanOptions& options) {
  if (options.sizes_bytes) { // the user's sizes, and no others unless asked for
    plan.max_added_points = 0;
    plan.extend_to_bytes = 0;
  }
  put_over(plan.max_added_points, options.max_added_points);
  put_over(plan.edge_points_per_octave, options.edge_points_per_octave);
  put_over(plan.sizes_bytes, options.sizes_bytes);
  put_over(plan.strides_bytes, options.strides_bytes);
  put_over(plan.accesses, options.accesses);
  put_over(plan.patterns, options.patterns);
  put_over(plan.placements, options.placements);
  put_over(plan.pages, options.pages);
  put_over(plan.mechanisms, options.mechanisms);
  put_over(plan.tasks, options.tasks);
  put_over(plan.kernels, options.kernels);
  put_over(plan.policy, options.policy);
  put_over(plan.methods, options.methods);
  put_over(plan.seed, options.seed);
  put_over(plan.sessions, options.sessions);
  put_over(plan.session_interval_s, options.session_interval_s);
  put_over(plan.require, options.require);
  put_over(plan.name, options.name);
  if (options.budget_s) plan.budget_s = options.budget_s;
  if (options.precision_ratio) plan.precision_ratio = options.precision_ratio;
}

// Stride, access and pattern belong to the data; what the user did not say follows from what was said.
void settle_data_axes(Plan& plan, const PlanOptions& options) {
  const bool direct_only = plan.sizes_bytes == std::vector<std::int64_t>{0};
  if (direct_only) {
    const char* given = options.strides_bytes ? "--stride" : options.accesses ? "--access" : "--pattern";
    if (options.strides_bytes || options.accesses || options.patterns)
      refuse(
          fmt::format("Size 0 measures the switch without any data, so {} has no meaning beside it. Leave it out, or "
                      "give a size above 0.",
                      given));
    if (options.file_plan && !options.sizes_bytes && !plan.strides_bytes.empty())
      refuse("Size 0 measures the switch without any data, so the plan file's \"strides_bytes\" have no meaning beside "
             "it. Leave them out, or give a size above 0.");
    plan.strides_bytes.clear();
    return;
  }
  const bool random_only = std::all_of(plan.patterns.begin(), plan.patterns.end(),
                                       [](Pattern pattern) { return pattern == Pattern::random; });
  if (random_only && options.strides_bytes)
    refuse("The random pattern visits whole cache lines and takes no stride. Leave out --stride, or add a pattern that "
           "takes one: strided or sparse.");
  if (random_only)
    plan.strides_bytes.clear();
  else if (plan.strides_bytes.empty())
    plan.strides_bytes = {default_stride_bytes};
}

// A preset and a file were made for the paired method; what belongs to it goes with it, unless the user gave it too.
void settle_method(Plan& plan, const PlanOptions& options) {
  if (!is_paper_only(plan)) return;
  if (options.methods && !options.budget_s) plan.budget_s.reset();
  if (options.methods && !options.precision_ratio) plan.precision_ratio.reset();
  if (options.methods && !options.max_added_points) plan.max_added_points = 0;
  if (options.kernels && *options.kernels != std::vector<Kernel>{Kernel::scalar})
    refuse("The paper's method has a loop of its own, one plain element at a time, so --kernel has no meaning beside "
           "it. Leave out --kernel, or give --method paired,paper.");
}

void refuse_unknown_preset(const std::string& name) { // a plan file may name any
  const bool is_known = name.empty() || std::any_of(presets().begin(), presets().end(),
                                                    [&name](const Preset& preset) { return preset.name == name; });
  if (!is_known) refuse(fmt::format("There is no preset {}. There are: {}.", in_quotes(name), preset_names()));
}

void refuse_bad_name(const std::string& name) {
  if (std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
    refuse("The name holds control characters, such as a line end. Give a name of one plain line.");
  try {
    (void)nlohmann::json(name).dump();
  } catch (const nlohmann::json::exception&) {
    refuse("The name is not UTF-8 text, so it could not be written to any document. Give another name.");
  }
}

std::string read_at_most(const std::filesystem::path& path, std::size_t most) {
  std::ifstream file(path, std::ios::binary);
  std::string text(most + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file && !file.eof())
    refuse(fmt::format("The plan file {} cannot be read: {}.", path.string(), std::strerror(errno)));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// A result document holds the plan of its run.
const nlohmann::json* plan_within(const nlohmann::json& document) {
  if (!document.is_object() || !document.contains("run")) return nullptr;
  const auto& run = document.at("run");
  return run.is_object() && run.contains("plan") ? &run.at("plan") : nullptr;
}

} // namespace

PlanFile read_plan_file(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    refuse(fmt::format("The plan file {} is a folder. Give a file that holds one plan as JSON.", path.string()));
  if (!std::filesystem::exists(path, error)) refuse(fmt::format("There is no plan file {}.", path.string()));
  // Read no further than a plan can be: a huge or endless file is refused at once.
  const std::string text = read_at_most(path, max_plan_bytes);
  if (text.size() > max_plan_bytes)
    refuse(fmt::format("The plan file {} is larger than 1 MiB, so it is not a plan. Of a result document give its "
                       "run.plan alone.",
                       path.string()));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    refuse(fmt::format("The plan file {} is empty. Give a file that holds one plan as JSON.", path.string()));
  try {
    const auto document = nlohmann::json::parse(text, nullptr, false);
    if (const auto* const plan = plan_within(document)) return {plan_from_json(*plan), plan->contains("seed")};
    return {plan_from_text(text), document.contains("seed")};
  } catch (const JsonProblem& problem) {
    refuse(fmt::format("The plan file {} cannot be used: {}", path.string(), problem.what()));
  }
}

Plan plan_from(const PlanOptions& options, const CacheSizes& caches) {
  Plan plan = base_plan(options, caches);
  put_axes_over(plan, options);
  settle_data_axes(plan, options);
  settle_method(plan, options);
  if (!plan.budget_s && !plan.precision_ratio && !is_paper_only(plan)) plan.budget_s = default_budget_s;
  return plan;
}

// The machine is not known yet. With caches larger than any machine's, a preset leaves out only what it leaves out
// everywhere; the plan is looked at again with the machine's own.
void refuse_bad_plan(const PlanOptions& options) {
  constexpr std::int64_t larger_than_any_bytes = std::int64_t{1} << 40;
  const Plan plan = plan_from(options, {larger_than_any_bytes, larger_than_any_bytes});
  refuse_unknown_preset(plan.preset);
  refuse_bad_name(plan.name);
  std::string sentences;
  for (const PlanProblem& problem : problems_of(plan)) {
    if (!sentences.empty()) sentences += '\n';
    sentences += problem.message;
  }
  if (!sentences.empty()) refuse(sentences);
}

} // namespace switchscope
