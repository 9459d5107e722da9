#include "app/cli/visit_table.h"

#include "app/cli/columns.h"
#include "app/cli/wording.h"
#include "engine/analysis/conditions.h"
#include "engine/model/quantity.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace switchscope {

namespace {

constexpr std::size_t column_count = 10;
using Cells = std::array<std::string, column_count>;

const Cells header{"visit", "pass", "point", "pairs", "clean", "shared", "adds/cycle", "clock", "stolen", "interrupts"};

std::string range_text(const std::optional<Range>& range) {
  return range ? fmt::format("{:.2f}-{:.2f}", range->low, range->high) : "–";
}

std::string point_text(const Point& point) {
  return point.is_direct() ? "no data" : rounded_bytes_text(point.array_bytes);
}

Cells cells_of(const Run& run, const RunEstimates& estimates, const Visit& visit, const VisitData& data) {
  const auto index = static_cast<std::size_t>(visit.point_index);
  const Point& point = run.points.at(index);
  const auto reasons = set_aside_of(visit, run.thresholds, split_of(estimates, visit.session, point.placement),
                                    run.before, estimates.points.at(index).policy);
  const auto clean = std::count(reasons.begin(), reasons.end(), SetAside::none);
  const Conditions seen = conditions_of(run, estimates, {&visit});
  return {std::to_string(visit.sequence),
          std::to_string(visit.pass),
          point_text(point),
          std::to_string(reasons.size()),
          visit.request.counters ? "counters" : std::to_string(clean),
          seen.contended_share ? fmt::format("{:.0f} %", 100 * *seen.contended_share) : "–",
          range_text(seen.adds_per_cycle),
          seen.clock_adds_per_ns ? range_text(seen.clock_adds_per_ns) + " GHz" : "–",
          cost_text(static_cast<double>(data.report.steal_ns)),
          std::to_string(data.report.interrupts)};
}

} // namespace

std::string visit_table(const Run& run, const std::vector<Visit>& visits, const RunEstimates& estimates) {
  std::vector<Cells> rows;
  for (const Visit& visit : visits) {
    if (const VisitData* data = visit.data()) {
      rows.push_back(cells_of(run, estimates, visit, *data));
    } else {
      Cells failed;
      failed[0] = std::to_string(visit.sequence);
      failed[1] = std::to_string(visit.pass);
      failed[2] = point_text(run.points.at(static_cast<std::size_t>(visit.point_index)));
      failed[3] = "failed";
      rows.push_back(failed);
    }
  }
  if (rows.empty()) return {};
  rows.insert(rows.begin(), header);
  std::array<int, column_count> widths{};
  for (const Cells& row : rows)
    for (std::size_t i = 0; i < column_count; ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  std::string text;
  for (const Cells& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < column_count; ++i) line += (i == 0 ? "" : "  ") + padded_left(row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

} // namespace switchscope
