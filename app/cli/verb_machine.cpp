// describe, presets: what this machine is, and what could be measured on it.
#include "app/cli/describe_text.h"
#include "app/cli/labelled.h"
#include "app/cli/measured_machine.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "engine/machine/machine.h"
#include "engine/model/presets.h"
#include "engine/protocol/json.h"

#include <nlohmann/json.hpp>

namespace switchscope {

namespace {

nlohmann::json json_of(const Preset& preset, const Environment& environment) {
  PlanOptions options;
  options.preset = preset.name;
  const Plan plan = with_cpus_chosen(plan_from(options, caches_for(options, environment)), environment);
  const Expansion expansion = expand(plan);
  return {{"name", preset.name},
          {"summary", preset.summary},
          {"points", expansion.points.size()},
          {"left_out", expansion.left_out},
          {"plan", switchscope::json_of(plan)}};
}

// Without hwloc's text, as in the result document.
nlohmann::json machine_json(const Environment& environment) {
  auto fields = switchscope::json_of(environment);
  fields.erase("topology_xml");
  return fields;
}

std::string presets_text() {
  std::string text;
  for (const Preset& preset : presets()) text += labelled(preset.name, 17, preset.summary);
  return text;
}

} // namespace

ExitCode perform(const CommonOptions& common, const DescribeVerb&) {
  const Environment environment = describe_with_stored_checks(common);
  write_data(common.json ? machine_json(environment).dump(2) + '\n'
                         : describe_text(environment, choose_cpu(environment)));
  return ExitCode::done;
}

ExitCode perform(const CommonOptions& common, const PresetsVerb&) {
  if (!common.json) {
    write_data(presets_text());
    return ExitCode::done;
  }
  const Environment environment = describe_with_stored_checks(common);
  auto documents = nlohmann::json::array();
  for (const Preset& preset : presets()) documents.push_back(json_of(preset, environment));
  write_data(documents.dump(2) + '\n');
  return ExitCode::done;
}

} // namespace switchscope
