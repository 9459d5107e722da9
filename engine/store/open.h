// Opening a database file: what it is, which journal it uses, and what to say when it cannot be used.
#pragma once

#include "engine/store/file_system.h"
#include "engine/store/schema.h"

#include <SQLiteCpp/Database.h>

#include <filesystem>
#include <string>

namespace switchscope {

struct OpenOptions {
  MigrationSteps steps = migration_steps();
  std::string vfs; // SQLite's name for a file layer; empty: the one that works where the file lies
};

struct OpenDatabase {
  SQLite::Database connection; // of the newest schema
  std::filesystem::path path;  // absolute
  FileIdentity file;
  std::string journal_note; // see Store::journal_note
};

// Throws StoreProblem. Files that are not ours are left as they are.
[[nodiscard]] OpenDatabase open_for_writing(const std::filesystem::path&, const OpenOptions& = {});
// Stores nothing; SQLite may still take into the file what a killed writer left beside it. The connection is the file
// itself, or a copy in memory where its schema is an older one.
[[nodiscard]] OpenDatabase open_for_reading(const std::filesystem::path&, const OpenOptions& = {});

} // namespace switchscope
