#include "app/cli/table.h"

#include "app/cli/cliff_words.h"
#include "app/cli/columns.h"
#include "app/cli/counter_table.h"
#include "app/cli/other_tools_text.h"
#include "app/cli/resumption_text.h"
#include "app/cli/table_layout.h"
#include "app/cli/table_notes.h"
#include "app/cli/wording.h"
#include "engine/model/quantity.h"

#include <algorithm>

namespace switchscope {

namespace {

struct Line { // a heading of a curve, or a row of cells; neither: a blank line
  std::string heading;
  bool is_row = false;
  TableCells cells;
};

std::string ends_with_sign(const Interval& interval, TableSigns& signs) {
  const auto words = cost_words(interval);
  if (!interval.has_interval && !words.ends.empty()) signs.range_seen = true;
  if (!is_not_distinguishable_from_0(interval)) return words.ends;
  signs.not_distinguishable_from_0 = true;
  return words.ends + zero_sign;
}

// The state, then the flags that not every point carries. Flags that only repeat the state are left away.
std::string state_words(const PointEstimate& estimate, const TableSigns& signs) {
  std::string words{name_of(estimate.state)};
  for (const auto flag : estimate.flags) {
    const auto word = short_word(flag);
    if (!signs.everywhere.contains(flag) && word != name_of(estimate.state)) words += ' ' + word;
  }
  return words;
}

TableSigns signs_to_explain(const RunEstimates& estimates) {
  TableSigns signs;
  signs.depends_on_set_aside = std::any_of(estimates.points.begin(), estimates.points.end(),
                                           [](const auto& estimate) { return estimate.depends_on_set_aside; });
  std::set<Flag> all;
  for (const auto& estimate : estimates.points)
    for (const auto flag : estimate.flags)
      if (short_word(flag) != name_of(estimate.state)) all.insert(flag);
  for (const auto flag : all) {
    const bool on_every_point =
        std::all_of(estimates.points.begin(), estimates.points.end(), [&](const auto& estimate) {
          return std::find(estimate.flags.begin(), estimate.flags.end(), flag) != estimate.flags.end();
        });
    const bool say_once = on_every_point && estimates.points.size() > 1;
    (say_once ? signs.everywhere : signs.in_rows).insert(flag);
  }
  return signs;
}

TableCells row_of(const Point& point, const PointEstimate& estimate, TableSigns& signs) {
  TableCells cells;
  cells[size] = point.is_direct() ? "no data" : rounded_bytes_text(point.array_bytes);
  cells[state] = state_words(estimate, signs);
  cells[visits] = std::to_string(estimate.visits);
  cells[blocks] = std::to_string(estimate.blocks_used) + '/' + std::to_string(estimate.blocks);
  if (estimate.state == EstimateState::failed) {
    cells[total] = cells[all_blocks] = no_value;
    if (!point.is_direct()) cells[indirect] = no_value;
    return cells;
  }
  cells[total] = cost_words(estimate.total).value;
  cells[total_ends] = ends_with_sign(estimate.total, signs);
  cells[all_blocks] = cost_text(estimate.total_all_blocks.estimate);
  if (estimate.depends_on_set_aside)
    cells[all_blocks] += depends_sign;
  else if (signs.depends_on_set_aside)
    cells[all_blocks] += ' '; // keeps the values above each other
  if (estimate.indirect) {
    cells[indirect] = cost_words(*estimate.indirect).value;
    cells[indirect_ends] = ends_with_sign(*estimate.indirect, signs);
  } else if (!point.is_direct()) {
    cells[indirect] = no_value;
  }
  return cells;
}

void add_rows(std::vector<Line>& lines, const CurvePoints& curve, const Run& run, const RunEstimates& estimates,
              TableSigns& signs) {
  for (const auto i : curve.points) {
    const auto& estimate = estimates.points.at(i);
    lines.push_back({{}, true, row_of(run.points[i], estimate, signs)});
    if (!estimate.total_raw) continue;
    TableCells raw; // what the control variate made of it must be seen beside what was measured
    raw[size] = "raw";
    raw[total] = cost_words(*estimate.total_raw).value;
    raw[total_ends] = ends_with_sign(*estimate.total_raw, signs);
    lines.push_back({{}, true, raw});
  }
}

std::vector<Line> lines_of(const CurveGroups& groups, const Run& run, const RunEstimates& estimates,
                           TableSigns& signs) {
  std::vector<Line> lines;
  for (const auto& direct : groups.direct) {
    if (!direct.label.empty()) lines.push_back({"direct cost · " + direct.label, false, {}});
    add_rows(lines, direct, run, estimates, signs);
  }
  for (const auto& curve : groups.curves) {
    if (!lines.empty()) lines.push_back({});
    if (!curve.label.empty()) lines.push_back({curve.label, false, {}});
    add_rows(lines, curve, run, estimates, signs);
  }
  return lines;
}

std::string caches_words(const Environment& environment, int cpu) {
  std::vector<std::string> words;
  for (int level = 1; level <= 4; ++level)
    if (const auto bytes = cache_bytes(environment, cpu, level))
      words.push_back((level == 1 ? "L1d " : "L" + std::to_string(level) + ' ') + bytes_text(*bytes));
  return words.empty() ? "cache sizes not told" : joined(words, ", ");
}

// Which run, on which machine, with what in common.
std::string title(const Run& run, const std::vector<Visit>& all_visits, const CurveGroups& groups, int columns) {
  const auto& name = run.name.empty() ? run.plan.preset : run.name;
  const auto& machine = run.before;
  std::string text = wrapped_text(
      joined({printable(name), "run " + run.id, state_words(run.state), printable(run.started_at)}, " · "), columns, 2);
  const int cpu = run.points.empty() ? -1 : run.points.front().placement.cpu_a;
  text += wrapped_text(
      printable(
          joined({machine.cpu_model, machine.hypervisor.empty() ? "" : "guest of " + machine.hypervisor,
                  machine.container, machine.emulation.empty() ? "" : "emulated by " + machine.emulation,
                  machine.kernel_release.empty() ? "" : "Linux " + machine.kernel_release, caches_words(machine, cpu)},
                 " · ")),
      columns, 2);
  return text + wrapped_text(joined({groups.fixed, policies_obtained(run, all_visits)}, " · "), columns, 2);
}

} // namespace

std::string result_table(const Run& run, const std::vector<Visit>& all_visits, const RunEstimates& estimates,
                         const std::vector<ResumedOn>& resumptions, int columns) {
  const auto groups = group_curves(run.points);
  auto signs = signs_to_explain(estimates);
  const auto lines = lines_of(groups, run, estimates, signs);
  TableLayout layout(columns);
  for (const auto& line : lines)
    if (line.is_row) layout.measure(line.cells);
  layout.settle();

  std::string text = title(run, all_visits, groups, columns) + '\n' + layout.heading();
  for (const auto& line : lines)
    text += line.is_row ? layout.text(line.cells)
                        : wrapped_text(line.heading, columns, 2) + (line.heading.empty() ? "\n" : "");
  text += '\n';
  if (const auto counters = counter_table(run, estimates, columns); !counters.empty()) text += counters + '\n';
  for (const auto& sentence : cliff_sentences(run, estimates)) text += wrapped_text(printable(sentence), columns, 2);
  for (const auto& note : resumption_notes(resumptions)) text += wrapped_text(note, columns, 2);
  for (const auto& note : table_notes(run, all_visits, estimates, signs)) text += wrapped_text(note, columns, 2);
  const std::string others = other_tools_text(other_tools(run, estimates), columns);
  return others.empty() ? text : text + '\n' + others;
}

} // namespace switchscope
