#include "app/cli/doctor_text.h"

#include "app/cli/columns.h"
#include "app/cli/labelled.h"
#include "app/cli/wording.h"
#include "engine/protocol/json.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace switchscope {

namespace {

constexpr int light_columns = 9;
constexpr int title_columns = 24;
constexpr int schema = 1;

std::string light_word(Light light, bool colour) {
  const std::string word(name_of(light));
  const std::string padded = padded_right(word, light_columns);
  if (!colour) return padded;
  switch (light) {
  case Light::red:
    return "\033[31m" + padded + "\033[0m";
  case Light::yellow:
    return "\033[33m" + padded + "\033[0m";
  case Light::green:
    return "\033[32m" + padded + "\033[0m";
  case Light::unknown:
    return "\033[2m" + padded + "\033[0m";
  }
  return padded;
}

std::string blanks(int columns) {
  return std::string(static_cast<std::size_t>(columns), ' ');
}

// A command stays in one piece, so that it can be copied, however wide.
std::string command_line(const char* label, const std::string& command) {
  if (command.empty()) return {};
  return blanks(light_columns) + padded_right(label, 8) + printable(command) + '\n';
}

std::string paragraph(const std::string& text) {
  std::string lines;
  for (const auto& line : wrapped(text, 100 - light_columns)) lines += blanks(light_columns) + line + '\n';
  return lines;
}

std::string finding_text(const Finding& finding, bool colour) {
  std::string text;
  std::string left = light_word(finding.light, colour);
  for (const auto& line : wrapped(printable(finding.here), 100 - light_columns - title_columns)) {
    const bool is_first = text.empty();
    text += is_first ? left + padded_right(finding.title, title_columns) : blanks(light_columns + title_columns);
    text += line + '\n';
  }
  if (finding.light == Light::green) return text;
  text += paragraph(printable(finding.means));
  text += command_line("change:", finding.change);
  return text + command_line("undo:", finding.undo);
}

std::string summary(const Diagnosis& diagnosis) {
  std::string counts;
  for (const Light light : {Light::red, Light::yellow, Light::unknown, Light::green}) {
    const auto count = std::count_if(diagnosis.findings.begin(), diagnosis.findings.end(),
                                     [&](const Finding& finding) { return finding.light == light; });
    if (count > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, name_of(light));
  }
  const auto worst = worst_finding(diagnosis.findings);
  if (!can_be_measured(diagnosis.machine)) return counts + ". Nothing can be measured here: no CPU may be used.";
  return counts + (worst ? ". What limits a measurement here most: " + in_a_sentence(*worst) + "."
                         : ". Nothing known limits a measurement here.");
}

nlohmann::json json_of(const Finding& finding) {
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? nlohmann::json(nullptr) : nlohmann::json(text);
  };
  return {{"id", finding.id},
          {"light", name_of(finding.light)},
          {"cpu", finding.cpu < 0 ? nlohmann::json(nullptr) : nlohmann::json(finding.cpu)},
          {"title", finding.title},
          {"here", finding.here},
          {"means", text_or_null(finding.means)},
          {"change", text_or_null(finding.change)},
          {"undo", text_or_null(finding.undo)}};
}

} // namespace

std::string in_a_sentence(const Finding& finding) {
  return finding.title + ": " + printable(finding.here);
}

std::string doctor_text(const Diagnosis& diagnosis, bool colour) {
  std::string text;
  for (const Finding& finding : sorted_by_light(diagnosis.findings)) text += finding_text(finding, colour);
  text += '\n';
  if (!diagnosis.not_probed.empty()) text += labelled("Not probed", 12, as_sentences(printable(diagnosis.not_probed)));
  text += labelled("Chosen", 12, printable(diagnosis.chosen.reason));
  return text + labelled("In all", 12, summary(diagnosis));
}

nlohmann::json doctor_document(const Diagnosis& diagnosis) {
  const Environment& machine = diagnosis.machine;
  auto findings = nlohmann::json::array();
  for (const Finding& finding : sorted_by_light(diagnosis.findings)) findings.push_back(json_of(finding));
  auto sharing = nlohmann::json::array();
  for (const CoreSharing& each : machine.core_sharing) sharing.push_back(switchscope::json_of(each));
  const auto worst = worst_finding(diagnosis.findings);
  return {
      {"schema", schema},
      {"machine",
       {{"host_name", machine.host_name},
        {"architecture", machine.architecture},
        {"cpu_model", machine.cpu_model},
        {"kernel_release", machine.kernel_release}}},
      {"measurable", can_be_measured(machine)},
      {"auto", {{"cpu", diagnosis.chosen.cpu}, {"reason", diagnosis.chosen.reason}}},
      {"cpus", diagnosis.cpus},
      {"worst", worst ? nlohmann::json(worst->id) : nlohmann::json(nullptr)},
      {"findings", findings},
      {"core_sharing", sharing},
      {"not_probed", diagnosis.not_probed.empty() ? nlohmann::json(nullptr) : nlohmann::json(diagnosis.not_probed)}};
}

} // namespace switchscope
