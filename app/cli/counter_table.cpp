#include "app/cli/counter_table.h"

#include "app/cli/columns.h"
#include "app/cli/wording.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace switchscope {

namespace {

constexpr const char* shared_sign = "~";
constexpr int gap = 2;

using Row = std::vector<std::string>; // the size, then a cell for each event

// Without the kernel's context switches, which are counted to prove the others: the proof of count tells them already.
std::vector<std::string> names_in(const RunEstimates& estimates) {
  std::vector<std::string> names;
  for (const auto& estimate : estimates.points)
    for (const auto& counter : estimate.counters)
      if (counter.name != "context-switches" && std::find(names.begin(), names.end(), counter.name) == names.end())
        names.push_back(counter.name);
  return names;
}

std::string value_text(const CounterPerSwitch& counter) {
  const bool energy = counter.unit == "J";
  const double value = std::abs(energy ? counter.per_switch * 1e6 : counter.per_switch);
  auto digits = fmt::format("{:.{}f}", value, value < 100 ? 2 : 0);
  const bool is_zero = digits.find_first_not_of("0.") == std::string::npos;
  return (counter.scheduled_share < 1 ? shared_sign : "") + std::string(counter.per_switch < 0 && !is_zero ? "−" : "") +
         digits + (energy ? " µJ" : "");
}

Row row_of(const Point& point, const PointEstimate& estimate, const std::vector<std::string>& names) {
  Row row{point.is_direct() ? "no data" : rounded_bytes_text(point.array_bytes)};
  for (const auto& name : names) {
    const auto found = std::find_if(estimate.counters.begin(), estimate.counters.end(),
                                    [&](const CounterPerSwitch& counter) { return counter.name == name; });
    row.push_back(found == estimate.counters.end() ? "–" : value_text(*found));
  }
  return row;
}

// Too few visits for intervals: nobody is to take the counts for more than they are.
std::string visits_words(const RunEstimates& estimates) {
  int least = 0;
  int most = 0;
  for (const auto& estimate : estimates.points)
    for (const auto& counter : estimate.counters) {
      least = least == 0 ? counter.visits : std::min(least, counter.visits);
      most = std::max(most, counter.visits);
    }
  if (most == 1) return "Each count is of one visit, so it has no interval.";
  return fmt::format("Each count is the mean of {} visits, without an interval.",
                     least == most ? std::to_string(most) : fmt::format("{} to {}", least, most));
}

std::string line_of(const Row& row, const std::vector<int>& widths) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) line += padded_left(row[i], widths[i] + (i == 0 ? 0 : gap));
  return line + '\n';
}

struct Line {
  std::string heading; // of a curve; then there is no row
  Row row;
};

// Points without counts have no row: the run ended before, or their counting visit failed.
void add_curve(std::vector<Line>& lines, const CurvePoints& curve, const Run& run, const RunEstimates& estimates,
               const std::vector<std::string>& names, const std::string& kind) {
  std::vector<Line> rows;
  for (const auto i : curve.points)
    if (const auto& estimate = estimates.points.at(i); !estimate.counters.empty())
      rows.push_back({{}, row_of(run.points[i], estimate, names)});
  if (!rows.empty() && !curve.label.empty()) lines.push_back({joined({kind, curve.label}, " · "), {}});
  lines.insert(lines.end(), rows.begin(), rows.end());
}

struct Table {
  std::vector<Line> lines;
  std::vector<int> widths;
  [[nodiscard]] int columns() const {
    return std::accumulate(widths.begin(), widths.end(), gap * (static_cast<int>(widths.size()) - 1));
  }
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const auto& line : lines) text += line.row.empty() ? line.heading + '\n' : line_of(line.row, widths);
    return text;
  }
};

Table table_with(const std::vector<std::string>& names, const Run& run, const RunEstimates& estimates) {
  const auto groups = group_curves(run.points);
  Row header{"per switch"};
  for (const auto& name : names) header.push_back(printable(name));
  Table table{{{{}, header}}, std::vector<int>(header.size())};
  for (const auto& direct : groups.direct) add_curve(table.lines, direct, run, estimates, names, "direct cost");
  for (const auto& curve : groups.curves) add_curve(table.lines, curve, run, estimates, names, "");
  for (const auto& line : table.lines)
    for (std::size_t i = 0; i < line.row.size(); ++i)
      table.widths[i] = std::max(table.widths[i], width_of(line.row[i]));
  return table;
}

std::set<std::string> reasons_in(const std::vector<Visit>& visits) {
  std::set<std::string> reasons;
  for (const auto& visit : visits) {
    const auto* data = visit.data();
    if (data == nullptr || !visit.request.counters) continue;
    std::string_view lines = data->report.counters_reason;
    while (!lines.empty()) {
      const auto end = std::min(lines.find('\n'), lines.size());
      reasons.emplace(lines.substr(0, end));
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
  }
  return reasons;
}

std::vector<std::string> absence(const Run& run, const std::vector<Visit>& visits) {
  if (std::string none = no_counters_text(run.before); !none.empty()) return {std::move(none)};
  if (run.before.hardware_counters != "yes") return {};
  const auto tried = std::any_of(visits.begin(), visits.end(), [](const Visit& v) { return v.request.counters; });
  if (tried || is_paper_only(run.plan)) return {};
  return {
      "Hardware counters were not read: the run ended before the visits that do so, at the end of its second pass."};
}

} // namespace

std::string counter_table(const Run& run, const RunEstimates& estimates, int columns) {
  auto left = names_in(estimates);
  std::string text;
  while (!left.empty()) {
    auto names = left;
    Table table = table_with(names, run, estimates);
    while (names.size() > 1 && table.columns() > columns) {
      names.pop_back();
      table = table_with(names, run, estimates);
    }
    text += (text.empty() ? "" : "\n") + table.text();
    left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(names.size()));
  }
  return text;
}

std::vector<std::string> counter_notes(const Run& run, const std::vector<Visit>& visits,
                                       const RunEstimates& estimates) {
  const auto reasons = reasons_in(visits);
  std::vector<std::string> notes;
  if (!names_in(estimates).empty()) {
    notes.emplace_back("Counted in visits of their own, whose times are not used: S1 per switch less S2 per trip, as "
                       "the costs are.");
    notes.push_back(visits_words(estimates));
    double least_share = 1;
    for (const auto& estimate : estimates.points)
      for (const auto& counter : estimate.counters) least_share = std::min(least_share, counter.scheduled_share);
    if (least_share < 1)
      notes.push_back(
          fmt::format("{} counted for part of the time ({:.0f} % at least) and scaled up: the processor has "
                      "too few counters for all events at once.",
                      shared_sign, 100 * least_share));
  } else if (reasons.empty()) {
    return absence(run, visits);
  }
  for (const auto& reason : reasons) notes.push_back("Counters: " + printable(reason));
  return notes;
}

} // namespace switchscope
