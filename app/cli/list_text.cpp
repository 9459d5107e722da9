#include "app/cli/list_text.h"

#include "app/cli/columns.h"

#include <fmt/core.h>

namespace switchscope {

namespace {

constexpr int name_columns = 27; // what the other columns leave of 100

std::string row(const std::string& id, const std::string& started, const std::string& state, const std::string& points,
                const std::string& visits, const std::string& name) {
  return fmt::format("{}  {}  {}{}{}{}{}\n", padded_right(id, 26), padded_right(started, 16), padded_right(state, 10),
                     padded_left(points, 7), padded_left(visits, 8), name.empty() ? "" : "  ", name);
}

std::string minute_of(const std::string& utc) {
  std::string minute = printable(utc.substr(0, 16));
  if (const auto t = minute.find('T'); t != std::string::npos) minute[t] = ' ';
  return minute;
}

std::string title_of(const RunSummary& run) {
  std::string title = printable(run.name);
  if (!run.preset.empty()) title += (title.empty() ? "" : " · ") + printable(run.preset);
  return (run.deleted ? "[deleted] " : "") + title;
}

} // namespace

std::string list_text(const std::vector<RunSummary>& runs) {
  if (runs.empty()) return "";
  std::string text = row("Run", "Started (UTC)", "State", "Points", "Visits", "Name");
  for (const RunSummary& run : runs)
    text += row(run.id, minute_of(run.started_at), std::string(name_of(run.state)), std::to_string(run.points),
                std::to_string(run.visits), cut_to(title_of(run), name_columns));
  return text;
}

} // namespace switchscope
