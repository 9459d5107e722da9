#include "engine/store/visits.h"

#include "engine/store/json_text.h"
#include "engine/store/sql.h"
#include "engine/store/words.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <optional>

namespace switchscope {

namespace {

template <class Member> std::optional<std::int64_t> count(const std::optional<TaskCounts>& counts, Member member) {
  return counts ? std::optional((*counts).*member) : std::nullopt;
}

void insert_blocks(OpenDatabase& open, std::int64_t visit_row, const std::vector<Block>& blocks) {
  SQLite::Statement insert(
      open.connection, "INSERT INTO block (visit, position, pair, phase, trips, elapsed_ns, started_ns, "
                       "before_clock_adds_per_ns, before_adds_per_cycle, before_self_pipe_ns, "
                       "after_clock_adds_per_ns, after_adds_per_cycle, after_self_pipe_ns, expected_switches, "
                       "a_voluntary_switches, a_involuntary_switches, a_minor_faults, a_major_faults, a_migrations, "
                       "b_voluntary_switches, b_involuntary_switches, b_minor_faults, b_major_faults, b_migrations) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  std::int64_t position = 0;
  for (const Block& block : blocks) {
    using Counts = TaskCounts;
    bind_row(insert, visit_row, position++, block.pair, name_of(block.phase), block.trips, block.elapsed_ns,
             block.started_ns, block.before.clock_adds_per_ns, block.before.adds_per_cycle, block.before.self_pipe_ns,
             block.after.clock_adds_per_ns, block.after.adds_per_cycle, block.after.self_pipe_ns,
             block.expected_switches, count(block.task_a, &Counts::voluntary_switches),
             count(block.task_a, &Counts::involuntary_switches), count(block.task_a, &Counts::minor_faults),
             count(block.task_a, &Counts::major_faults), count(block.task_a, &Counts::migrations),
             count(block.task_b, &Counts::voluntary_switches), count(block.task_b, &Counts::involuntary_switches),
             count(block.task_b, &Counts::minor_faults), count(block.task_b, &Counts::major_faults),
             count(block.task_b, &Counts::migrations));
    insert.exec();
    insert.reset();
  }
}

Probe read_probe(RowReader& row) {
  Probe probe;
  probe.clock_adds_per_ns = row.real();
  probe.adds_per_cycle = row.real();
  probe.self_pipe_ns = row.real();
  return probe;
}

std::optional<TaskCounts> read_counts(RowReader& row) {
  if (row.next_is_null()) {
    row.skip(5);
    return std::nullopt;
  }
  TaskCounts counts;
  counts.voluntary_switches = row.integer();
  counts.involuntary_switches = row.integer();
  counts.minor_faults = row.integer();
  counts.major_faults = row.integer();
  counts.migrations = row.integer();
  return counts;
}

// All blocks of a run in one query: one per visit would cost more than reading them.
void read_blocks(OpenDatabase& open, std::int64_t run_row, std::vector<Visit>& visits) {
  SQLite::Statement query(open.connection,
                          "SELECT sequence, pair, phase, trips, elapsed_ns, started_ns, "
                          "before_clock_adds_per_ns, before_adds_per_cycle, before_self_pipe_ns, "
                          "after_clock_adds_per_ns, after_adds_per_cycle, after_self_pipe_ns, expected_switches, "
                          "a_voluntary_switches, a_involuntary_switches, a_minor_faults, a_major_faults, a_migrations, "
                          "b_voluntary_switches, b_involuntary_switches, b_minor_faults, b_major_faults, b_migrations "
                          "FROM visit JOIN block ON block.visit = visit.row WHERE run = ? ORDER BY sequence, position");
  bind_row(query, run_row);
  auto visit = visits.begin();
  while (query.executeStep()) {
    RowReader row(query);
    const int sequence = row.small_integer();
    while (visit != visits.end() && visit->sequence != sequence) ++visit;
    VisitData* data = visit == visits.end() ? nullptr : std::get_if<VisitData>(&visit->outcome);
    if (!data) throw damaged_problem(open.path, fmt::format("visit {} failed and yet has blocks", sequence));
    Block& block = data->blocks.emplace_back();
    block.pair = row.small_integer();
    block.phase = known(open, "phase", parse_phase, row.text());
    block.trips = row.integer();
    block.elapsed_ns = row.real();
    block.started_ns = row.integer();
    block.before = read_probe(row);
    block.after = read_probe(row);
    block.expected_switches = row.integer();
    block.task_a = read_counts(row);
    block.task_b = read_counts(row);
  }
}

} // namespace

void insert_visit(OpenDatabase& open, std::int64_t run_row, const VisitEnded& event) {
  const Visit& visit = event.visit;
  std::optional<std::string> report;
  std::optional<std::string> failure_code;
  std::optional<std::string> failure_message;
  if (const VisitData* data = visit.data()) report = json_text(data->report);
  if (const VisitFailure* failure = visit.failure()) {
    failure_code = failure->code;
    failure_message = failure->message;
  }
  try {
    run_sql(open.connection,
            "INSERT INTO visit (run, sequence, point_index, pass, attempt, session, started_at, request, report, "
            "failure_code, failure_message) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            run_row, visit.sequence, visit.point_index, visit.pass, visit.attempt, visit.session, visit.started_at,
            json_text(visit.request), report, failure_code, failure_message);
  } catch (const SQLite::Exception& problem) {
    if (problem.getExtendedErrorCode() != SQLITE_CONSTRAINT_UNIQUE) throw;
    throw StoreProblem(fmt::format("Visit {} of this run is stored in {} already. Is another process going on with the "
                                   "same run? Let it end, then resume.",
                                   visit.sequence, open.path.string()));
  }
  const std::int64_t visit_row = open.connection.getLastInsertRowid();
  if (const VisitData* data = visit.data()) insert_blocks(open, visit_row, data->blocks);
  run_sql(open.connection,
          "UPDATE run SET visits = visits + 1, measuring_s = ?, elapsed_s = ?, throttle_wait_s = ? WHERE row = ?",
          event.measuring_s, event.measuring_s + event.throttle_wait_s, event.throttle_wait_s, run_row);
  run_sql(open.connection, "UPDATE session SET measuring_s = ?, throttle_wait_s = ? WHERE run = ? AND number = ?",
          event.session_measuring_s, event.session_throttle_wait_s, run_row, visit.session);
}

void write_set_aside(OpenDatabase& open, std::int64_t run_row, int sequence, const std::vector<SetAside>& by_pair) {
  SQLite::Statement find(open.connection, "SELECT row FROM visit WHERE run = ? AND sequence = ?");
  bind_row(find, run_row, sequence);
  if (!find.executeStep())
    throw StoreProblem(
        fmt::format("There is no visit {} of that run in the database {}, so no reasons can be kept with "
                    "it. Check it with `switchscope-cli verify`.",
                    sequence, open.path.string()));
  const std::int64_t visit_row = find.getColumn(0).getInt64();
  SQLite::Statement update(open.connection, "UPDATE block SET set_aside = ? WHERE visit = ? AND pair = ?");
  int pair = 0;
  for (const SetAside reason : by_pair) {
    bind_row(update, name_of(reason), visit_row, pair++);
    update.exec();
    update.reset();
  }
}

std::vector<Visit> read_visits(OpenDatabase& open, std::int64_t run_row) {
  SQLite::Statement query(open.connection,
                          "SELECT sequence, point_index, pass, attempt, session, started_at, request, report, "
                          "failure_code, failure_message FROM visit WHERE run = ? ORDER BY sequence");
  bind_row(query, run_row);
  std::vector<Visit> visits;
  while (query.executeStep()) {
    RowReader row(query);
    Visit& visit = visits.emplace_back();
    visit.sequence = row.small_integer();
    visit.point_index = row.small_integer();
    visit.pass = row.small_integer();
    visit.attempt = row.small_integer();
    visit.session = row.small_integer();
    visit.started_at = row.text();
    visit.request = from_json_text(open, visit_request_from_json, row.text());
    if (const auto report = row.text_or_null()) {
      VisitData data;
      data.report = from_json_text(open, visit_report_from_json, *report);
      visit.outcome = std::move(data);
    } else {
      std::string code = row.text();
      visit.outcome = VisitFailure{std::move(code), row.text()};
    }
  }
  read_blocks(open, run_row, visits);
  return visits;
}

} // namespace switchscope
