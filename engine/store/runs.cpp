#include "engine/store/runs.h"

#include "engine/model/utc.h"
#include "engine/store/json_text.h"
#include "engine/store/sessions.h"
#include "engine/store/sql.h"
#include "engine/store/words.h"
#include "engine/store/writer.h"

#include <fmt/format.h>

#include <map>

namespace switchscope {

namespace {

void insert_points(OpenDatabase& open, std::int64_t run_row, std::int64_t index, const std::vector<Point>& points) {
  SQLite::Statement insert(open.connection,
                           "INSERT INTO point (run, point_index, key, array_bytes, stride_bytes, access, pattern, "
                           "mechanism, tasks, kernel, placement, policy, pages, method) "
                           "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const Point& point : points) {
    bind_row(insert, run_row, index++, key_of(point), point.array_bytes, point.stride_bytes, name_of(point.access),
             name_of(point.pattern), name_of(point.mechanism), name_of(point.tasks), name_of(point.kernel),
             text_of(point.placement), name_of(point.policy), name_of(point.pages), name_of(point.method));
    insert.exec();
    insert.reset();
  }
}

std::vector<Point> read_points(OpenDatabase& open, std::int64_t run_row) {
  SQLite::Statement query(open.connection,
                          "SELECT array_bytes, stride_bytes, access, pattern, mechanism, tasks, kernel, placement, "
                          "policy, pages, method FROM point WHERE run = ? ORDER BY point_index");
  bind_row(query, run_row);
  std::vector<Point> points;
  while (query.executeStep()) {
    RowReader row(query);
    Point& point = points.emplace_back();
    point.array_bytes = row.integer();
    point.stride_bytes = row.integer();
    point.access = word<Access>(open, row.text());
    point.pattern = word<Pattern>(open, row.text());
    point.mechanism = word<Mechanism>(open, row.text());
    point.tasks = word<TaskKind>(open, row.text());
    point.kernel = word<Kernel>(open, row.text());
    point.placement = known(open, "placement", parse_placement, row.text());
    point.policy = word<Policy>(open, row.text());
    point.pages = word<PageMode>(open, row.text());
    point.method = word<Method>(open, row.text());
  }
  return points;
}

void insert_run(OpenDatabase& open, const Run& run) {
  run_sql(open.connection,
          "INSERT INTO run (id, name, preset, state, started_at, finished_at, host_name, cpu_model, left_out, "
          "measuring_s, elapsed_s, throttle_wait_s, writer, points) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          run.id, run.name, run.plan.preset, name_of(run.state), run.started_at, run.finished_at, run.before.host_name,
          run.before.cpu_model, run.left_out, run.measuring_s, run.measuring_s + run.throttle_wait_s,
          run.throttle_wait_s, this_writer(), static_cast<std::int64_t>(run.points.size()));
  const std::int64_t row = open.connection.getLastInsertRowid();
  const auto after = run.after ? std::optional(json_text(*run.after)) : std::nullopt;
  run_sql(open.connection,
          "INSERT INTO run_document (run, plan, thresholds, environment_before, environment_after) "
          "VALUES (?, ?, ?, ?, ?)",
          row, json_text(run.plan), json_text(run.thresholds), json_text(run.before), after);
  insert_points(open, row, 0, run.points);
  for (const Session& session : run.sessions) start_session(open, row, session);
}

// A session may have been added to what the stored plan asks for; its other parts are as they were.
void update_plan(OpenDatabase& open, std::int64_t run_row, const Plan& plan) {
  run_sql(open.connection, "UPDATE run_document SET plan = ? WHERE run = ?", json_text(plan), run_row);
}

RunState state_now(RunState stored, const std::string& writer) {
  if (stored != RunState::running) return stored;
  switch (life_of_writer(writer)) {
  case WriterLife::alive:
    return RunState::running;
  case WriterLife::gone:
    return RunState::incomplete;
  case WriterLife::unknown:
    return RunState::not_ended;
  }
  return stored;
}

} // namespace

std::int64_t row_of_run(OpenDatabase& open, const std::string& id) {
  SQLite::Statement query(open.connection, "SELECT row FROM run WHERE id = ?");
  bind_row(query, id);
  if (!query.executeStep())
    throw StoreProblem(fmt::format(
        "There is no run {} in the database {}. `switchscope-cli list` shows those that are.", id, open.path.string()));
  return query.getColumn(0).getInt64();
}

std::int64_t start_run(OpenDatabase& open, const RunStarted& event) {
  const Run& run = event.run;
  const int reopened =
      run_sql(open.connection,
              "UPDATE run SET state = 'running', finished_at = NULL, end_reason = NULL, writer = ? WHERE id = ?",
              this_writer(), run.id);
  if (reopened == 0) insert_run(open, run);
  const std::int64_t row = row_of_run(open, run.id);
  if (reopened > 0 && read_points(open, row) != run.points)
    throw StoreProblem(
        fmt::format("The run {} cannot go on: its points in the database {} are others than those asked for. "
                    "Start a new run.",
                    run.id, open.path.string()));
  if (reopened > 0) update_plan(open, row, run.plan);
  if (event.resumed_on)
    run_sql(open.connection,
            "INSERT INTO resumption (run, number, started_at, environment) "
            "SELECT ?1, count(*) + 1, ?2, ?3 FROM resumption WHERE run = ?1",
            row, utc_now_text(), json_text(*event.resumed_on));
  return row;
}

void add_points(OpenDatabase& open, std::int64_t run_row, const PointsAdded& event) {
  const int grown = run_sql(open.connection, "UPDATE run SET points = points + ? WHERE row = ? AND points = ?",
                            static_cast<std::int64_t>(event.points.size()), run_row, event.first_index);
  if (grown == 0)
    throw StoreProblem(fmt::format("Points cannot be added to the run: the database {} holds another number of its "
                                   "points than were measured. Start a new run.",
                                   open.path.string()));
  insert_points(open, run_row, event.first_index, event.points);
}

void end_run(OpenDatabase& open, std::int64_t run_row, const RunEnded& end) {
  run_sql(open.connection,
          "UPDATE run SET state = ?, finished_at = ?, end_reason = ?, measuring_s = ?, elapsed_s = ?, "
          "throttle_wait_s = ?, writer = '' WHERE row = ?",
          name_of(end.state), end.finished_at, end.reason, end.measuring_s, end.elapsed_s, end.throttle_wait_s,
          run_row);
  if (end.after)
    run_sql(open.connection, "UPDATE run_document SET environment_after = ? WHERE run = ?", json_text(*end.after),
            run_row);
}

void set_deleted(OpenDatabase& open, const std::string& id, bool deleted) {
  const std::int64_t row = row_of_run(open, id);
  const auto when = deleted ? std::optional(utc_now_text()) : std::nullopt;
  run_sql(open.connection, "UPDATE run SET deleted_at = ? WHERE row = ?", when, row);
}

std::vector<RunSummary> list_runs(OpenDatabase& open, bool with_deleted) {
  SQLite::Statement query(open.connection,
                          "SELECT id, name, preset, state, writer, started_at, host_name, cpu_model, points, visits, "
                          "deleted_at IS NOT NULL FROM run WHERE deleted_at IS NULL OR ? "
                          "ORDER BY started_at DESC, id DESC");
  bind_row(query, with_deleted ? 1 : 0);
  std::map<std::string, RunState> states; // of runs under way, by writer: looked up once
  std::vector<RunSummary> runs;
  while (query.executeStep()) {
    RowReader row(query);
    RunSummary& run = runs.emplace_back();
    run.id = row.text();
    run.name = row.text();
    run.preset = row.text();
    run.state = word<RunState>(open, row.text());
    const std::string writer = row.text();
    if (run.state == RunState::running) {
      if (!states.contains(writer)) states[writer] = state_now(run.state, writer);
      run.state = states[writer];
    }
    run.started_at = row.text();
    run.host_name = row.text();
    run.cpu_model = row.text();
    run.points = row.small_integer();
    run.visits = row.small_integer();
    run.deleted = row.small_integer() != 0;
  }
  return runs;
}

Run read_run(OpenDatabase& open, const std::string& id) {
  SQLite::Statement query(
      open.connection,
      "SELECT row, name, state, writer, started_at, finished_at, left_out, measuring_s, throttle_wait_s, plan, "
      "thresholds, environment_before, environment_after "
      "FROM run JOIN run_document ON run_document.run = run.row WHERE id = ?");
  bind_row(query, id);
  if (!query.executeStep()) {
    static_cast<void>(row_of_run(open, id)); // throws when there is no such run
    throw StoreProblem(fmt::format("The run {} in the database {} has lost its plan. Check the database with "
                                   "`switchscope-cli verify`.",
                                   id, open.path.string()));
  }
  RowReader row(query);
  Run run;
  run.id = id;
  const std::int64_t run_row = row.integer();
  run.name = row.text();
  const auto stored = word<RunState>(open, row.text());
  run.state = state_now(stored, row.text());
  run.started_at = row.text();
  run.finished_at = row.text_or_null();
  run.left_out = row.small_integer();
  run.measuring_s = row.real();
  run.throttle_wait_s = row.real();
  run.plan = from_json_text(open, plan_from_json, row.text());
  run.thresholds = from_json_text(open, thresholds_from_json, row.text());
  run.before = from_json_text(open, environment_from_json, row.text());
  if (const auto after = row.text_or_null()) run.after = from_json_text(open, environment_from_json, *after);
  run.points = read_points(open, run_row);
  run.sessions = read_sessions(open, run_row);
  return run;
}

std::vector<RunResumed> read_resumptions(OpenDatabase& open, std::int64_t run_row) {
  SQLite::Statement query(open.connection,
                          "SELECT started_at, environment FROM resumption WHERE run = ? ORDER BY number");
  bind_row(query, run_row);
  std::vector<RunResumed> resumptions;
  while (query.executeStep()) {
    RowReader row(query);
    RunResumed& resumption = resumptions.emplace_back();
    resumption.started_at = row.text();
    resumption.environment = from_json_text(open, environment_from_json, row.text());
  }
  return resumptions;
}

} // namespace switchscope
