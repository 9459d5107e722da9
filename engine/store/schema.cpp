#include "engine/store/schema.h"

#include "engine/store/store.h"

#include <SQLiteCpp/Transaction.h>

#include <array>
#include <cstddef>
#include <string>

namespace switchscope {

namespace {

// `run` stays narrow, with counters kept by the writer, so that listing thousands of runs reads little; what is large
// stands in run_document. Words are those of engine/model/names.h.
constexpr std::string_view first_tables = R"sql(
CREATE TABLE run (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  preset TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'completed', 'incomplete', 'cancelled', 'failed')),
  started_at TEXT NOT NULL,
  finished_at TEXT,
  host_name TEXT NOT NULL,
  cpu_model TEXT NOT NULL,
  left_out INTEGER NOT NULL,
  measuring_s REAL NOT NULL,
  elapsed_s REAL NOT NULL, -- measured and waited, over all resumptions
  throttle_wait_s REAL NOT NULL,
  end_reason TEXT,
  writer TEXT NOT NULL, -- the process that measures the run; '' when it has ended
  points INTEGER NOT NULL,
  visits INTEGER NOT NULL DEFAULT 0,
  deleted_at TEXT
) STRICT;
CREATE INDEX run_by_start ON run (started_at, id);
CREATE INDEX run_by_name ON run (name, started_at);

CREATE TABLE run_document (
  run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
  plan TEXT NOT NULL,
  thresholds TEXT NOT NULL,
  environment_before TEXT NOT NULL,
  environment_after TEXT
) STRICT;

-- The machine as it was each time the run was taken up again.
CREATE TABLE resumption (
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number >= 1),
  started_at TEXT NOT NULL,
  environment TEXT NOT NULL,
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number >= 0),
  started_at TEXT NOT NULL,
  finished_at TEXT, -- NULL: under way, or ended early
  measuring_s REAL NOT NULL,
  throttle_wait_s REAL NOT NULL,
  boot_id TEXT NOT NULL, -- '' when not told
  environment_before TEXT NOT NULL,
  environment_after TEXT,
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE point (
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  point_index INTEGER NOT NULL CHECK (point_index >= 0),
  key TEXT NOT NULL,
  array_bytes INTEGER NOT NULL,
  stride_bytes INTEGER NOT NULL,
  access TEXT NOT NULL,
  pattern TEXT NOT NULL,
  mechanism TEXT NOT NULL,
  tasks TEXT NOT NULL,
  kernel TEXT NOT NULL,
  placement TEXT NOT NULL,
  policy TEXT NOT NULL,
  pages TEXT NOT NULL,
  method TEXT NOT NULL,
  PRIMARY KEY (run, point_index)
) STRICT, WITHOUT ROWID;

CREATE TABLE visit (
  row INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  sequence INTEGER NOT NULL CHECK (sequence >= 0),
  point_index INTEGER NOT NULL,
  pass INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  session INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  request TEXT NOT NULL,
  report TEXT,
  failure_code TEXT,
  failure_message TEXT,
  UNIQUE (run, sequence),
  FOREIGN KEY (run, point_index) REFERENCES point (run, point_index),
  CHECK ((report IS NULL) = (failure_code IS NOT NULL)),
  CHECK ((failure_code IS NULL) = (failure_message IS NULL))
) STRICT;

CREATE TABLE block (
  visit INTEGER NOT NULL REFERENCES visit ON DELETE CASCADE,
  position INTEGER NOT NULL,
  pair INTEGER NOT NULL,
  phase TEXT NOT NULL CHECK (phase IN ('S2A', 'S1', 'S2B')),
  trips INTEGER NOT NULL,
  elapsed_ns REAL NOT NULL,
  started_ns INTEGER NOT NULL,
  before_clock_adds_per_ns REAL NOT NULL,
  before_adds_per_cycle REAL NOT NULL,
  before_self_pipe_ns REAL NOT NULL,
  after_clock_adds_per_ns REAL NOT NULL,
  after_adds_per_cycle REAL NOT NULL,
  after_self_pipe_ns REAL NOT NULL,
  expected_switches INTEGER NOT NULL,
  a_voluntary_switches INTEGER,
  a_involuntary_switches INTEGER,
  a_minor_faults INTEGER,
  a_major_faults INTEGER,
  a_migrations INTEGER,
  b_voluntary_switches INTEGER,
  b_involuntary_switches INTEGER,
  b_minor_faults INTEGER,
  b_major_faults INTEGER,
  b_migrations INTEGER,
  set_aside TEXT, -- NULL: not judged yet; '': clean; else the cause
  PRIMARY KEY (visit, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE cpu_level (
  machine TEXT NOT NULL,
  cpu INTEGER NOT NULL,
  split_adds_per_cycle REAL NOT NULL,
  clean_adds_per_cycle REAL NOT NULL,
  clean_self_pipe_ns REAL NOT NULL,
  dated TEXT NOT NULL,
  PRIMARY KEY (machine, cpu)
) STRICT, WITHOUT ROWID;

-- What was found about a machine or the instrument outside of runs: "core-sharing", "selftest".
CREATE TABLE machine_check (
  kind TEXT NOT NULL,
  machine TEXT NOT NULL,
  cpu INTEGER NOT NULL, -- -1: the whole machine
  taken_at TEXT NOT NULL,
  document TEXT NOT NULL, -- JSON, of the kind's own form
  PRIMARY KEY (kind, machine, cpu, taken_at)
) STRICT, WITHOUT ROWID;
)sql";

constexpr std::array steps{first_tables};

} // namespace

MigrationSteps migration_steps() {
  return steps;
}

Identity identity_of(SQLite::Database& database) {
  // One statement, so that all three come from the same state of the file.
  SQLite::Statement query(database, "SELECT (SELECT application_id FROM pragma_application_id),"
                                    " (SELECT user_version FROM pragma_user_version),"
                                    " EXISTS (SELECT 1 FROM sqlite_schema)");
  query.executeStep();
  return {query.getColumn(0).getInt(), query.getColumn(1).getInt(), query.getColumn(2).getInt() != 0};
}

void migrate(SQLite::Database& database, MigrationSteps wanted) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  const auto version = static_cast<std::size_t>(identity_of(database).version);
  if (version >= wanted.size()) return;
  for (const std::string_view step : wanted.subspan(version)) database.exec(std::string(step));
  database.exec("PRAGMA application_id = " + std::to_string(application_id));
  database.exec("PRAGMA user_version = " + std::to_string(wanted.size()));
  transaction.commit();
}

} // namespace switchscope
