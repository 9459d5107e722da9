#include "engine/store/import.h"

#include "engine/store/problem.h"
#include "engine/store/runs.h"
#include "engine/store/sql.h"
#include "engine/store/visits.h"

#include <fmt/format.h>

namespace switchscope {

namespace {

// Rows are copied between two connections rather than attached files: the other one may be read-only, or a copy in
// memory whose schema was brought up to date.
class RowCopier {
public:
  // Copies all columns of `table` but `own_key`, with `owner` (the column that names the owning row) replaced.
  RowCopier(OpenDatabase& into, OpenDatabase& from, const std::string& table, const std::string& owner,
            const std::string& own_key = "")
      : into_(into), from_(from) {
    SQLite::Statement names(into.connection, "SELECT name FROM pragma_table_info(?)");
    bind_row(names, table);
    std::string columns;
    std::string places;
    while (names.executeStep()) {
      const std::string name = names.getColumn(0).getString();
      if (name == owner || name == own_key) continue;
      columns += ", " + name;
      places += ", ?";
    }
    const std::string key = own_key.empty() ? "NULL" : own_key;
    select_ = fmt::format("SELECT {}{} FROM {} WHERE {} = ?", key, columns, table, owner);
    insert_ = owner == own_key
                  ? fmt::format("INSERT INTO {} ({}) VALUES ({})", table, columns.substr(2), places.substr(2))
                  : fmt::format("INSERT INTO {} ({}{}) VALUES (?{})", table, owner, columns, places);
    names_owner_ = owner != own_key;
  }

  // `each(old key, new key)` after every row.
  template <class Each> void copy(std::int64_t from_owner, std::int64_t into_owner, Each each) {
    SQLite::Statement select(from_.connection, select_);
    SQLite::Statement insert(into_.connection, insert_);
    bind_row(select, from_owner);
    while (select.executeStep()) {
      int at = 0;
      if (names_owner_) bind_value(insert, ++at, into_owner);
      for (int column = 1; column < select.getColumnCount(); ++column)
        copy_value(select.getColumn(column), insert, ++at);
      insert.exec();
      insert.reset();
      each(select.getColumn(0).getInt64(), into_.connection.getLastInsertRowid());
    }
  }

private:
  static void copy_value(const SQLite::Column& value, SQLite::Statement& insert, int at) {
    if (value.isInteger())
      insert.bind(at, value.getInt64());
    else if (value.isFloat())
      insert.bind(at, value.getDouble());
    else if (value.isText())
      insert.bind(at, value.getString());
    else
      insert.bind(at); // STRICT tables without BLOB columns hold nothing else
  }

  OpenDatabase& into_;
  OpenDatabase& from_;
  std::string select_;
  std::string insert_;
  bool names_owner_ = true;
};

// False when the run is here already, as when another import was faster.
bool import_run(OpenDatabase& into, OpenDatabase& from, const std::string& id, std::int64_t from_row) {
  SQLite::Transaction transaction(into.connection, SQLite::TransactionBehavior::IMMEDIATE);
  SQLite::Statement known(into.connection, "SELECT 1 FROM run WHERE id = ?");
  bind_row(known, id);
  if (known.executeStep()) return false;

  const auto nothing = [](std::int64_t, std::int64_t) {};
  std::int64_t into_row = 0;
  RowCopier(into, from, "run", "row", "row").copy(from_row, 0, [&](std::int64_t, std::int64_t row) { into_row = row; });
  RowCopier(into, from, "run_document", "run").copy(from_row, into_row, nothing);
  RowCopier(into, from, "resumption", "run").copy(from_row, into_row, nothing);
  RowCopier(into, from, "session", "run").copy(from_row, into_row, nothing);
  RowCopier(into, from, "point", "run").copy(from_row, into_row, nothing);
  RowCopier blocks(into, from, "block", "visit");
  RowCopier(into, from, "visit", "run", "row")
      .copy(from_row, into_row,
            [&](std::int64_t old_row, std::int64_t new_row) { blocks.copy(old_row, new_row, nothing); });
  // What cannot be read back must not come in.
  static_cast<void>(read_run(into, id));
  static_cast<void>(read_resumptions(into, into_row));
  static_cast<void>(read_visits(into, into_row));
  transaction.commit();
  return true;
}

} // namespace

std::vector<std::string> import_runs(OpenDatabase& into, OpenDatabase& from) {
  struct Source {
    std::string id;
    std::int64_t row = 0;
  };
  std::vector<Source> sources;
  try {
    // One read transaction: a run that is growing there is copied as it is now.
    from.connection.exec("BEGIN");
    const std::string check = from.connection.execAndGet("PRAGMA integrity_check(1)").getString();
    if (check != "ok") throw damaged_problem(from.path, check);
    SQLite::Statement runs(from.connection, "SELECT id, row FROM run WHERE deleted_at IS NULL ORDER BY started_at, id");
    while (runs.executeStep()) sources.push_back({runs.getColumn(0).getString(), runs.getColumn(1).getInt64()});
  } catch (const SQLite::Exception& problem) {
    throw problem_of(problem, from.path, "importing from it");
  }
  std::vector<std::string> copied;
  for (const Source& source : sources)
    if (import_run(into, from, source.id, source.row)) copied.push_back(source.id);
  return copied;
}

} // namespace switchscope
