#include "engine/store/import.h"

#include "engine/store/problem.h"
#include "engine/store/runs.h"
#include "engine/store/sql.h"
#include "engine/store/visits.h"
#include "engine/store/writer.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace switchscope {

namespace {

// What goes wrong while the source is read is said of the source.
template <class Work> auto of_source(const OpenDatabase& from, Work work) {
  try {
    return work();
  } catch (const SQLite::Exception& problem) {
    throw problem_of(problem, from.path, "importing from it");
  }
}

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
    auto select = of_source(from_, [&] { return SQLite::Statement(from_.connection, select_); });
    SQLite::Statement insert(into_.connection, insert_);
    bind_row(select, from_owner);
    while (of_source(from_, [&] { return select.executeStep(); })) {
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

bool is_here(OpenDatabase& open, const std::string& id) {
  SQLite::Statement known(open.connection, "SELECT 1 FROM run WHERE id = ?");
  bind_row(known, id);
  return known.executeStep();
}

struct Source {
  std::string id;
  std::int64_t row = 0;
  bool under_way = false; // what is copied now would stay without its end for ever
};

std::vector<Source> sources_in(OpenDatabase& from) {
  const std::string check = from.connection.execAndGet("PRAGMA integrity_check(1)").getString();
  if (check != "ok") throw damaged_problem(from.path, check);
  std::vector<Source> sources;
  SQLite::Statement runs(from.connection,
                         "SELECT id, row, state, writer FROM run WHERE deleted_at IS NULL ORDER BY started_at, id");
  while (runs.executeStep()) {
    RowReader row(runs);
    Source& source = sources.emplace_back();
    source.id = row.text();
    source.row = row.integer();
    const bool running = row.text() == name_of(RunState::running);
    source.under_way = running && life_of_writer(row.text()) == WriterLife::alive;
  }
  return sources;
}

void copy_rows(OpenDatabase& into, OpenDatabase& from, const Source& source) {
  const auto nothing = [](std::int64_t, std::int64_t) {};
  std::int64_t into_row = 0;
  RowCopier(into, from, "run", "row", "row").copy(source.row, 0, [&](std::int64_t, std::int64_t row) {
    into_row = row;
  });
  for (const char* table : {"run_document", "resumption", "session", "point"})
    RowCopier(into, from, table, "run").copy(source.row, into_row, nothing);
  RowCopier blocks(into, from, "block", "visit");
  RowCopier(into, from, "visit", "run", "row")
      .copy(source.row, into_row,
            [&](std::int64_t old_row, std::int64_t new_row) { blocks.copy(old_row, new_row, nothing); });
}

// False when the run is here already, as when another import was faster.
bool import_run(OpenDatabase& into, OpenDatabase& from, const Source& source) {
  of_source(from, [&] { // what cannot be read must not come in
    static_cast<void>(read_run(from, source.id));
    static_cast<void>(read_resumptions(from, source.row));
    static_cast<void>(read_visits(from, source.row));
  });
  SQLite::Transaction transaction(into.connection, SQLite::TransactionBehavior::IMMEDIATE);
  if (is_here(into, source.id)) return false;
  try {
    copy_rows(into, from, source);
  } catch (const SQLite::Exception& problem) {
    if (problem.getErrorCode() != SQLITE_CONSTRAINT) throw;
    throw damaged_problem(from.path, fmt::format("in run {}: {}", source.id, problem.what()));
  }
  transaction.commit();
  return true;
}

void import_checks(OpenDatabase& into, OpenDatabase& from) {
  SQLite::Transaction transaction(into.connection, SQLite::TransactionBehavior::IMMEDIATE);
  auto checks = of_source(from, [&] {
    return SQLite::Statement(from.connection, "SELECT kind, machine, cpu, taken_at, document FROM machine_check");
  });
  while (of_source(from, [&] { return checks.executeStep(); })) {
    RowReader row(checks);
    const std::string kind = row.text(), machine = row.text();
    const int cpu = row.small_integer();
    const std::string taken_at = row.text();
    run_sql(into.connection,
            "INSERT OR IGNORE INTO machine_check (kind, machine, cpu, taken_at, document) VALUES (?, ?, ?, ?, ?)", kind,
            machine, cpu, taken_at, row.text());
  }
  transaction.commit();
}

} // namespace

Imported import_from(OpenDatabase& into, OpenDatabase& from) {
  // One read transaction: the other database is copied as it is now, while others write there.
  const auto sources = of_source(from, [&] {
    from.connection.exec("BEGIN");
    return sources_in(from);
  });
  Imported imported;
  for (const Source& source : sources) {
    if (is_here(into, source.id)) continue;
    if (source.under_way)
      imported.under_way.push_back(source.id);
    else if (import_run(into, from, source))
      imported.copied.push_back(source.id);
  }
  import_checks(into, from);
  return imported;
}

} // namespace switchscope
