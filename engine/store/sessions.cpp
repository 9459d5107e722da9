#include "engine/store/sessions.h"

#include "engine/store/json_text.h"
#include "engine/store/sql.h"

#include <optional>
#include <string>

namespace switchscope {

namespace {

std::optional<std::string> json_or_null(const std::optional<Environment>& environment) {
  return environment ? std::optional(json_text(*environment)) : std::nullopt;
}

} // namespace

void start_session(OpenDatabase& open, std::int64_t run_row, const Session& session) {
  run_sql(open.connection,
          "INSERT OR IGNORE INTO session (run, number, started_at, finished_at, measuring_s, throttle_wait_s, boot_id, "
          "environment_before, environment_after) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
          run_row, session.number, session.started_at, session.finished_at, session.measuring_s,
          session.throttle_wait_s, session.before.boot_id, json_text(session.before), json_or_null(session.after));
}

void end_session(OpenDatabase& open, std::int64_t run_row, const Session& session) {
  run_sql(open.connection,
          "UPDATE session SET finished_at = ?, measuring_s = ?, throttle_wait_s = ?, environment_after = ? "
          "WHERE run = ? AND number = ?",
          session.finished_at, session.measuring_s, session.throttle_wait_s, json_or_null(session.after), run_row,
          session.number);
}

std::vector<Session> read_sessions(OpenDatabase& open, std::int64_t run_row) {
  SQLite::Statement query(open.connection,
                          "SELECT number, started_at, finished_at, measuring_s, throttle_wait_s, environment_before, "
                          "environment_after FROM session WHERE run = ? ORDER BY number");
  bind_row(query, run_row);
  std::vector<Session> sessions;
  while (query.executeStep()) {
    RowReader row(query);
    Session& session = sessions.emplace_back();
    session.number = row.small_integer();
    session.started_at = row.text();
    session.finished_at = row.text_or_null();
    session.measuring_s = row.real();
    session.throttle_wait_s = row.real();
    session.before = from_json_text(open, environment_from_json, row.text());
    if (const auto after = row.text_or_null()) session.after = from_json_text(open, environment_from_json, *after);
  }
  return sessions;
}

} // namespace switchscope
