#include "app/cli/other_tools_text.h"

#include "app/cli/columns.h"
#include "engine/model/quantity.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace switchscope {
namespace {

constexpr std::size_t most_lines_a_program = 3;
constexpr int least_formula_columns = 30;

std::string program_of(const OtherTool& tool) {
  return tool.tool.substr(0, tool.tool.find(' '));
}

// The first two and the last of each program, in their order, and how many were left away.
std::pair<std::vector<OtherTool>, std::size_t> shown_of(const std::vector<OtherTool>& tools) {
  std::vector<OtherTool> shown;
  for (std::size_t i = 0; i < tools.size(); ++i) {
    const auto is_same = [&](const OtherTool& other) { return program_of(other) == program_of(tools[i]); };
    const auto before =
        static_cast<std::size_t>(std::count_if(tools.begin(), tools.begin() + static_cast<std::ptrdiff_t>(i), is_same));
    const auto all = static_cast<std::size_t>(std::count_if(tools.begin(), tools.end(), is_same));
    if (before + 1 < most_lines_a_program || before + 1 == all) shown.push_back(tools[i]);
  }
  const std::size_t left_away = tools.size() - shown.size();
  return {std::move(shown), left_away};
}

// " · contended"; nothing of a clean point.
std::string state_words(const OtherTool& tool) {
  if (!tool.state || *tool.state == EstimateState::clean) return {};
  return " · " + std::string(name_of(*tool.state));
}

} // namespace

std::string other_tools_text(const std::vector<OtherTool>& tools, int columns) {
  if (tools.empty()) return {};
  const auto [shown, left_away] = shown_of(tools);
  int tool_columns = 0, value_columns = 0;
  const auto value_of = [](const OtherTool& tool) { return tool.value_ns ? cost_text(*tool.value_ns) : "–"; };
  for (const OtherTool& tool : shown) {
    tool_columns = std::max(tool_columns, width_of(tool.tool));
    value_columns = std::max(value_columns, width_of(value_of(tool)));
  }
  std::string text;
  text += wrapped_text("Other tools here would print, at the same priority and pinned:", columns, 2);
  for (const OtherTool& tool : shown) {
    const std::string start = padded_right(tool.tool, tool_columns) + "  " + padded_left(value_of(tool), value_columns);
    const std::string means = fmt::format("{} ({}){}", tool.formula, tool.prints, state_words(tool));
    const int beside = columns - 2 - width_of(start) - 2;
    if (beside < least_formula_columns) { // a narrow terminal: below
      text += "  " + start + '\n';
      for (const auto& line : wrapped(means, columns - 4)) text += "    " + line + '\n';
      continue;
    }
    std::string head = "  " + start + "  ";
    for (const auto& line : wrapped(means, beside)) {
      text += head + line + '\n';
      head.assign(static_cast<std::size_t>(columns - beside), ' ');
    }
  }
  if (left_away > 0) text += fmt::format("  and {} more: see show --json.\n", left_away);
  return text;
}

} // namespace switchscope
