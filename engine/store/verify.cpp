#include "engine/store/verify.h"

#include "engine/store/runs.h"
#include "engine/store/sql.h"
#include "engine/store/visits.h"

#include <fmt/format.h>

#include <array>

namespace switchscope {

namespace {

void add_texts(OpenDatabase& open, const std::string& sql, std::vector<std::string>& problems) {
  SQLite::Statement query(open.connection, sql);
  while (query.executeStep()) problems.push_back(query.getColumn(0).getString());
}

// Each gives one sentence per breach. A round of the paper's method is S2A and S1.
constexpr std::array invariants{
    "SELECT 'Run ' || id || ' says it has ' || visits || ' visits and has ' || found || '.' FROM "
    "(SELECT id, visits, (SELECT count(*) FROM visit WHERE visit.run = run.row) AS found FROM run) WHERE visits <> "
    "found",

    "SELECT 'Run ' || id || ' says it has ' || points || ' points and has ' || found || '.' FROM "
    "(SELECT id, points, (SELECT count(*) FROM point WHERE point.run = run.row) AS found FROM run) WHERE points <> "
    "found",

    "SELECT 'Session ' || session || ' of run ' || id || ' has visits and is not there.' "
    "FROM visit JOIN run ON run.row = visit.run WHERE NOT EXISTS "
    "(SELECT 1 FROM session WHERE session.run = visit.run AND session.number = visit.session) GROUP BY id, session",

    "SELECT 'Visits ' || group_concat(sequence, ' and ') || ' of run ' || id || ' are the same one.' "
    "FROM visit JOIN run ON run.row = visit.run GROUP BY run, point_index, pass, attempt, visit.started_at, request "
    "HAVING count(*) > 1",

    "SELECT 'Visit ' || sequence || ' of run ' || id || ' failed and yet has blocks.' "
    "FROM visit JOIN run ON run.row = visit.run WHERE failure_code IS NOT NULL "
    "AND EXISTS (SELECT 1 FROM block WHERE block.visit = visit.row)",

    "SELECT DISTINCT 'Visit ' || sequence || ' of run ' || id || ' has blocks without time or trips.' "
    "FROM block JOIN visit ON visit.row = block.visit JOIN run ON run.row = visit.run "
    "WHERE trips <= 0 OR elapsed_ns <= 0",

    "SELECT 'Pair ' || pair || ' of visit ' || sequence || ' of run ' || id || ' is not one block of each phase.' FROM "
    "(SELECT visit, pair, count(*) AS blocks, count(DISTINCT phase) AS phases FROM block GROUP BY visit, pair) "
    "JOIN visit ON visit.row = visit JOIN run ON run.row = visit.run "
    "JOIN point ON point.run = run.row AND point.point_index = visit.point_index "
    "WHERE iif(method = 'paper', blocks <> 2 OR phases <> 2, blocks <> 3 OR phases <> 3)",
};

void add_unreadable_runs(OpenDatabase& open, std::vector<std::string>& problems) {
  std::vector<std::string> ids;
  add_texts(open, "SELECT id FROM run ORDER BY id", ids);
  for (const std::string& id : ids) {
    try {
      static_cast<void>(read_run(open, id));
      static_cast<void>(read_resumptions(open, row_of_run(open, id)));
      static_cast<void>(read_visits(open, row_of_run(open, id)));
    } catch (const StoreProblem& problem) {
      problems.push_back(fmt::format("Run {} cannot be read: {}", id, problem.what()));
    }
  }
}

} // namespace

std::vector<std::string> problems_in(OpenDatabase& open) {
  std::vector<std::string> problems;
  SQLite::Statement integrity(open.connection, "PRAGMA integrity_check");
  while (integrity.executeStep()) {
    const std::string line = integrity.getColumn(0).getString();
    if (line != "ok") problems.push_back(fmt::format("SQLite finds the file damaged: {}.", line));
  }
  if (!problems.empty()) return problems; // what follows would only repeat it

  SQLite::Statement foreign(open.connection, "SELECT \"table\", rowid, parent FROM pragma_foreign_key_check");
  while (foreign.executeStep())
    problems.push_back(fmt::format("A row of table {} belongs to a row of table {} that is not there.",
                                   foreign.getColumn(0).getString(), foreign.getColumn(2).getString()));
  for (const char* invariant : invariants) add_texts(open, invariant, problems);
  add_unreadable_runs(open, problems);
  return problems;
}

} // namespace switchscope
