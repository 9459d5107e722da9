// RFC 4180: a header row, CRLF, quotes only where a field needs them. Numbers as the shortest text that reads back to
// the same double, whatever the locale; what is missing is an empty field.
#include "engine/export/export.h"
#include "engine/export/facts_of_point.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace switchscope {

namespace {

class Row {
public:
  Row& add(std::string_view field) {
    if (started_) text_ += ',';
    started_ = true;
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
      text_ += field;
      return *this;
    }
    text_ += '"';
    for (const char c : field) {
      if (c == '"') text_ += '"';
      text_ += c;
    }
    text_ += '"';
    return *this;
  }
  Row& add(double value) {
    if (!std::isfinite(value)) return add("");
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return add(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
  }
  Row& add(std::int64_t value) { return add(std::to_string(value)); }
  Row& add(int value) { return add(std::int64_t{value}); }
  Row& add_optional(const std::optional<std::string>& text) { return add(text ? *text : std::string()); }
  [[nodiscard]] std::string line() const { return text_ + "\r\n"; }

private:
  std::string text_;
  bool started_ = false;
};

template <class Fields> std::string header_line(const Fields& fields) {
  Row row;
  for (const std::string_view field : fields) row.add(field);
  return row.line();
}

constexpr std::array all_reasons{SetAside::other_policy, SetAside::contended,  SetAside::clock_moved, SetAside::stolen,
                                 SetAside::faulted,      SetAside::migrated,   SetAside::involuntary, SetAside::stalled,
                                 SetAside::throttled,    SetAside::other_state};

void add_parameters(Row& row, const Point& point) {
  const bool direct = point.is_direct();
  row.add(point.array_bytes);
  if (direct || point.pattern == Pattern::random)
    row.add("");
  else
    row.add(point.stride_bytes);
  row.add(direct ? "" : name_of(point.access)).add(direct ? "" : name_of(point.pattern));
  row.add(name_of(point.mechanism)).add(name_of(point.tasks)).add(name_of(point.kernel)).add(name_of(point.method));
  row.add(text_of(point.placement));
}
constexpr std::array parameter_fields{"array_bytes", "stride_bytes", "access", "pattern", "mechanism",
                                      "tasks",       "kernel",       "method", "cpus"};

// Estimate, ends, and whether the ends are a 95 % interval or only the range seen.
void add_interval(Row& row, const Interval* interval) {
  if (!interval) {
    row.add("").add("").add("").add("");
    return;
  }
  row.add(interval->estimate).add(interval->low).add(interval->high);
  row.add(interval->has_interval ? "interval" : "range");
}

std::string joined(const std::vector<Flag>& flags) {
  std::string text;
  for (const auto flag : flags) {
    if (!text.empty()) text += ' ';
    text += name_of(flag);
  }
  return text;
}

std::vector<std::string> point_fields() {
  std::vector<std::string> fields{"point_index"};
  fields.insert(fields.end(), parameter_fields.begin(), parameter_fields.end());
  for (const auto* field : {"core_type", "policy_asked", "policy_obtained", "pages_asked", "pages_obtained", "state"})
    fields.emplace_back(field);
  for (const std::string cost : {"total", "total_all_blocks", "total_raw", "indirect"}) {
    fields.push_back(cost + "_ns");
    fields.push_back(cost + "_low_ns");
    fields.push_back(cost + "_high_ns");
    fields.push_back(cost + "_ends");
  }
  for (const auto* field : {"switching_per_switch_ns", "baseline_per_trip_ns", "sessions", "interval_over", "visits",
                            "blocks", "blocks_used"})
    fields.emplace_back(field);
  for (const auto reason : all_reasons) {
    std::string field = "set_aside_" + std::string(name_of(reason));
    std::replace(field.begin(), field.end(), '-', '_'); // as every other field name
    fields.push_back(field);
  }
  for (const auto* field : {"switches_expected", "switches_observed", "depends_on_set_aside", "flags"})
    fields.emplace_back(field);
  return fields;
}

void add_costs(Row& row, const PointEstimate& estimate) {
  const bool measured = estimate.state != EstimateState::failed;
  add_interval(row, measured ? &estimate.total : nullptr);
  add_interval(row, measured ? &estimate.total_all_blocks : nullptr);
  add_interval(row, measured && estimate.total_raw ? &*estimate.total_raw : nullptr);
  add_interval(row, measured && estimate.indirect ? &*estimate.indirect : nullptr);
  if (measured)
    row.add(estimate.switching_per_switch_ns).add(estimate.baseline_per_trip_ns);
  else
    row.add("").add("");
}

} // namespace

std::string points_csv(const Run& run, const std::vector<Visit>& visits, const RunEstimates& estimates) {
  std::string csv = header_line(point_fields());
  const auto obtained = obtained_by_point(run.points.size(), visits);
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const auto& point = run.points[i];
    const auto& estimate = estimates.points.at(i);
    Row row;
    row.add(static_cast<std::int64_t>(i));
    add_parameters(row, point);
    row.add_optional(core_type_of(point.placement, run.before));
    row.add(name_of(point.policy)).add_optional(obtained[i].policy);
    row.add(name_of(point.pages)).add_optional(obtained[i].pages);
    row.add(name_of(estimate.state));
    add_costs(row, estimate);
    row.add(estimate.sessions).add_optional(interval_over(estimate));
    row.add(estimate.visits).add(estimate.blocks).add(estimate.blocks_used);
    for (const auto reason : all_reasons) {
      const auto found = estimate.set_aside.find(reason);
      row.add(found == estimate.set_aside.end() ? 0 : found->second);
    }
    row.add(estimate.switches_expected).add(estimate.switches_observed);
    row.add(estimate.depends_on_set_aside ? "true" : "false").add(joined(estimate.flags));
    csv += row.line();
  }
  return csv;
}

namespace {

void add_probe(Row& row, const Probe& probe) {
  row.add(probe.clock_adds_per_ns).add(probe.adds_per_cycle).add(probe.self_pipe_ns);
}

void add_counts(Row& row, const std::optional<TaskCounts>& counts) {
  if (!counts) {
    row.add("").add("").add("").add("").add("");
    return;
  }
  row.add(counts->voluntary_switches).add(counts->involuntary_switches);
  row.add(counts->minor_faults).add(counts->major_faults).add(counts->migrations);
}

std::vector<std::string> block_fields() {
  std::vector<std::string> fields{"visit", "point_index", "pass", "attempt", "session", "visit_started_at"};
  fields.insert(fields.end(), parameter_fields.begin(), parameter_fields.end());
  for (const auto* field : {"pair", "phase", "trips", "elapsed_ns", "per_operation_ns", "started_ns"})
    fields.emplace_back(field);
  for (const std::string when : {"before", "after"})
    for (const std::string reading : {"clock_adds_per_ns", "adds_per_cycle", "self_pipe_ns"})
      fields.push_back(when + "_" + reading);
  fields.emplace_back("expected_switches");
  for (const std::string task : {"a", "b"})
    for (const std::string count :
         {"voluntary_switches", "involuntary_switches", "minor_faults", "major_faults", "migrations"})
      fields.push_back(task + "_" + count);
  fields.emplace_back("cause");
  fields.emplace_back("point_state");
  return fields;
}

} // namespace

std::string blocks_csv(const Run& run, const std::vector<Visit>& visits, const RunEstimates& estimates) {
  std::string csv = header_line(block_fields());
  for (const auto& visit : visits) {
    const auto* data = visit.data();
    if (!data || visit.request.counters) continue;
    const auto& point = run.points.at(static_cast<std::size_t>(visit.point_index));
    const auto& estimate = estimates.points.at(static_cast<std::size_t>(visit.point_index));
    const auto reasons = set_aside_of(visit, run.thresholds, split_of(estimates, visit.session, point.placement),
                                      run.before, estimate.policy);
    for (const auto& block : data->blocks) {
      Row row;
      row.add(visit.sequence).add(visit.point_index).add(visit.pass).add(visit.attempt).add(visit.session);
      row.add(visit.started_at);
      add_parameters(row, point);
      row.add(block.pair).add(name_of(block.phase)).add(block.trips).add(block.elapsed_ns);
      row.add(per_operation_ns(block)).add(block.started_ns);
      add_probe(row, block.before);
      add_probe(row, block.after);
      row.add(block.expected_switches);
      add_counts(row, block.task_a);
      add_counts(row, block.task_b);
      row.add(name_of(reasons.at(static_cast<std::size_t>(block.pair))));
      row.add(name_of(estimate.state));
      csv += row.line();
    }
  }
  return csv;
}

} // namespace switchscope
