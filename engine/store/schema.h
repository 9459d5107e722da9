// The tables, as the list of steps that lead from an empty file to the newest schema.
//
// Version N of the schema is what the first N steps make; it stands in PRAGMA user_version. A step that was ever
// released is never changed: what comes later is a new step. docs/database.md describes the tables for readers of the
// file.
#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace switchscope {

using MigrationSteps = std::span<const std::string_view>;

[[nodiscard]] MigrationSteps migration_steps();

struct Identity {
  std::int32_t application = 0;
  int version = 0;
  bool has_tables = false;
  [[nodiscard]] bool is_new() const { return application == 0 && version == 0 && !has_tables; }
};

[[nodiscard]] Identity identity_of(SQLite::Database&);

// Applies the missing steps in one transaction, and marks the file as ours. Does nothing when none is missing, also
// when another process has just applied them.
void migrate(SQLite::Database&, MigrationSteps);

} // namespace switchscope
