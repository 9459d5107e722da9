#include "app/cli/list_text.h"

#include "app/cli/columns.h"
#include "app/cli/wording.h"

#include <fmt/core.h>

#include <algorithm>

namespace switchscope {

namespace {

constexpr int preset_and_name_columns = 27; // what the other columns leave of 100
constexpr int widest_preset = 15;

std::string row(const std::string& id, const std::string& started, const std::string& state, const std::string& points,
                const std::string& visits, const std::string& preset_and_name) {
  return fmt::format("{}  {}  {}{}{}{}{}\n", padded_right(id, 26), padded_right(started, 16), padded_right(state, 10),
                     padded_left(points, 7), padded_left(visits, 8), preset_and_name.empty() ? "" : "  ",
                     preset_and_name);
}

std::string minute_of(const std::string& utc) {
  std::string minute = printable(utc.substr(0, 16));
  if (const auto t = minute.find('T'); t != std::string::npos) minute[t] = ' ';
  return minute;
}

std::string preset_of(const RunSummary& run) {
  return cut_to(printable(run.preset), widest_preset);
}

int preset_columns(const std::vector<RunSummary>& runs) {
  int columns = width_of("Preset");
  for (const RunSummary& run : runs) columns = std::max(columns, width_of(preset_of(run)));
  return columns;
}

std::string preset_and_name(const std::string& preset, const std::string& name, int columns) {
  if (name.empty()) return preset;
  return padded_right(preset, columns) + "  " + cut_to(name, preset_and_name_columns - columns - 2);
}

std::string state_of(const RunSummary& run) {
  return run.deleted ? "deleted" : state_words(run.state);
}

std::string counted(int count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string in_two_lines(const RunSummary& run, int columns) {
  const std::string first =
      fmt::format("{}  {}  {}", padded_right(run.id, 26), minute_of(run.started_at), state_of(run));
  const std::string second = joined(
      {counted(run.points, "point"), counted(run.visits, "visit"), printable(run.preset), printable(run.name)}, " · ");
  return first + "\n  " + cut_to(second, columns - 2) + '\n';
}

} // namespace

std::string list_text(const std::vector<RunSummary>& runs, int terminal_columns) {
  if (runs.empty()) return "";
  if (terminal_columns < list_columns) {
    std::string text;
    for (const RunSummary& run : runs) text += in_two_lines(run, terminal_columns);
    return text;
  }
  const int columns = preset_columns(runs);
  std::string text =
      row("Run", "Started (UTC)", "State", "Points", "Visits", preset_and_name("Preset", "Name", columns));
  for (const RunSummary& run : runs)
    text += row(run.id, minute_of(run.started_at), state_of(run), std::to_string(run.points),
                std::to_string(run.visits), preset_and_name(preset_of(run), printable(run.name), columns));
  return text;
}

} // namespace switchscope
