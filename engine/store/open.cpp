#include "engine/store/open.h"

#include "engine/store/problem.h"
#include "engine/store/store.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <system_error>
#include <thread>

namespace switchscope {

namespace {

namespace fs = std::filesystem;

constexpr int busy_timeout_ms = 5000;

fs::path absolute_path(const fs::path& path) {
  std::error_code error;
  fs::path absolute = fs::absolute(path, error);
  if (error || path.empty())
    throw StoreProblem(fmt::format("\"{}\" is not the name of a file. Name the database with --db.", path.string()));
  return absolute.lexically_normal();
}

// SQLite waits for ever on a named pipe, and says only "unable to open" for a folder.
void refuse_what_is_no_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status))
    throw StoreProblem(fmt::format("{} is a folder, not a database. Name a file with --db.", path.string()));
  if (fs::exists(status) && !fs::is_regular_file(status) && status.type() != fs::file_type::unknown)
    throw StoreProblem(fmt::format("{} is not a regular file. Name a database file with --db.", path.string()));
}

void make_folder(const fs::path& path) {
  const fs::path folder = path.parent_path();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw StoreProblem(
        fmt::format("The folder {} for the database cannot be created: {}. Create it, or name another file "
                    "with --db.",
                    folder.string(), error.message()));
}

// SQLite's own waiting grows to 100 ms between two tries, so a writer that stores without a pause can shut another one
// out for seconds. Called with the number of earlier tries; 0 gives up.
int wait_for_turn(void*, int tries) {
  const int wait_ms = 1 + tries % 7; // uneven, so that two processes do not keep in step; 4 ms on average
  if (tries * 4 > busy_timeout_ms) return 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
  return 1;
}

// What is the same for every connection to a file.
void prepare(SQLite::Database& connection) {
  sqlite3_busy_handler(connection.getHandle(), wait_for_turn, nullptr);
  connection.exec("PRAGMA foreign_keys = ON");
  // A file from elsewhere may hold views and triggers; they must not call functions.
  connection.exec("PRAGMA trusted_schema = OFF");
}

// An older schema of ours is fine: its version is returned. What is not ours is refused before anything is written.
int checked_version(SQLite::Database& connection, const fs::path& path, MigrationSteps steps) {
  const Identity identity = identity_of(connection);
  const int known = static_cast<int>(steps.size());
  if (identity.is_new()) return 0;
  if (identity.application != application_id) throw foreign_problem(path, identity.application);
  if (identity.version > known) throw newer_schema_problem(path, identity.version, known);
  if (identity.version < 1) throw damaged_problem(path, "it carries Switchscope's mark but no schema version");
  return identity.version;
}

// Read in about 5 ms a MiB, on two cores shared with others.
constexpr std::uintmax_t checked_always_bytes = std::uintmax_t{4} << 20;

bool has_content(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return !error && size > 0;
}

// Asked before SQLite opens the file: it clears away what a writer that was killed has left.
bool wants_check(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) return false; // a new one
  return size <= checked_always_bytes || has_content(path.string() + "-wal") || has_content(path.string() + "-journal");
}

// Nothing must be added to a file that may lose it again.
void refuse_damaged(SQLite::Database& connection, const fs::path& path) {
  std::string found;
  try {
    found = connection.execAndGet("PRAGMA quick_check(1)").getString();
  } catch (const SQLite::Exception& problem) {
    if (problem.getErrorCode() != SQLITE_CORRUPT) throw;
    found = problem.what();
  }
  if (found != "ok") throw damaged_problem(path, found);
}

bool means_wal_does_not_work_here(const SQLite::Exception& problem) {
  const int extended = problem.getExtendedErrorCode();
  return extended == SQLITE_IOERR_SHMOPEN || extended == SQLITE_IOERR_SHMMAP || extended == SQLITE_IOERR_SHMLOCK ||
         problem.getErrorCode() == SQLITE_PROTOCOL || problem.getErrorCode() == SQLITE_CANTOPEN;
}

// The busy timeout does not hold for a change of the journal, for which a file must be had alone.
std::string set_journal(SQLite::Database& connection, const std::string& mode) {
  const auto give_up_at = std::chrono::steady_clock::now() + std::chrono::milliseconds(busy_timeout_ms);
  for (;;) {
    try {
      return connection.execAndGet("PRAGMA journal_mode = " + mode).getString();
    } catch (const SQLite::Exception& problem) {
      if (problem.getErrorCode() != SQLITE_BUSY || std::chrono::steady_clock::now() > give_up_at) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
}

// Write-ahead log: readers never wait for the run that is writing. A commit there reaches the kernel but not the disk
// (NORMAL): no death of a process can lose it, only a loss of power, and no disk access falls between two visits.
// A rollback journal needs FULL to be safe against a loss of power.
std::string choose_journal(SQLite::Database& connection, bool try_wal) {
  if (try_wal) {
    std::string mode;
    try {
      mode = set_journal(connection, "WAL");
    } catch (const SQLite::Exception& problem) {
      if (!means_wal_does_not_work_here(problem)) throw;
    }
    if (mode == "wal") {
      connection.exec("PRAGMA synchronous = NORMAL");
      return {};
    }
  }
  set_journal(connection, "DELETE");
  connection.exec("PRAGMA locking_mode = NORMAL");
  connection.exec("PRAGMA synchronous = FULL");
  static_cast<void>(identity_of(connection)); // the next access is what gives the exclusive lock back
  return "The database lies where SQLite's write-ahead log does not work, as on a network file system, so it uses a "
         "rollback journal: nothing is lost, but a visit takes longer to store, and whoever shows runs waits for "
         "whoever "
         "stores them.";
}

void copy_all(SQLite::Database& from, SQLite::Database& into) {
  const int result = SQLite::Backup(into, from).executeStep(-1);
  if (result != SQLITE_DONE) throw SQLite::Exception("the database is busy", result);
}

void back_up(SQLite::Database& connection, const fs::path& target) {
  fs::path unfinished = target;
  unfinished += ".unfinished";
  fs::remove(unfinished);
  try {
    SQLite::Database copy(unfinished.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    copy_all(connection, copy);
  } catch (const SQLite::Exception&) {
    std::error_code ignored; // the first problem is the one to tell
    fs::remove(unfinished, ignored);
    throw;
  }
  fs::rename(unfinished, target);
}

// Without kernel locks SQLite can keep writers apart by a folder `<file>.lock` instead.
OpenOptions options_for(const fs::path& path, OpenOptions options) {
  if (options.vfs.empty() && on_network_file_system(path.parent_path()) && !locks_work_in(path.parent_path()))
    options.vfs = "unix-dotfile";
  return options;
}

SQLite::Database connect(const fs::path& path, int flags, const OpenOptions& options) {
  return SQLite::Database(path.string(), flags, 0, options.vfs);
}

// A WAL file cannot be read without shared memory, except by a connection that has the file for itself.
SQLite::Database connect_alone(const fs::path& path, int flags, const OpenOptions& options) {
  SQLite::Database connection = connect(path, flags, options);
  connection.exec("PRAGMA locking_mode = EXCLUSIVE");
  return connection;
}

OpenDatabase writing(const fs::path& path, const OpenOptions& options, bool try_wal, bool check) {
  const int flags = SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;
  OpenDatabase open{try_wal ? connect(path, flags, options) : connect_alone(path, flags, options), path, {}, {}};
  SQLite::Database& connection = open.connection;
  // SQLite opens what it may not write for reading, without a word.
  if (sqlite3_db_readonly(connection.getHandle(), "main") == 1)
    throw SQLite::Exception("attempt to write a readonly database", SQLITE_READONLY);
  prepare(connection);
  const int version = checked_version(connection, path, options.steps);
  if (check) refuse_damaged(connection, path);

  open.journal_note = choose_journal(connection, try_wal);
  const int newest = static_cast<int>(options.steps.size());
  if (version > 0 && version < newest) back_up(connection, fmt::format("{}.v{}.bak", path.string(), version));
  if (version < newest) migrate(connection, options.steps);
  open.file = file_identity(path);
  return open;
}

std::string immutable_uri(const fs::path& path) {
  std::string uri = "file:";
  for (const char character : path.string()) {
    if (character == '%' || character == '?' || character == '#')
      uri += fmt::format("%{:02x}", static_cast<unsigned>(character));
    else
      uri += character;
  }
  return uri + "?immutable=1";
}

// On a medium where SQLite can make no files beside the database it reads only what is promised not to change.
SQLite::Database connect_immutable(const fs::path& path) {
  for (const char* suffix : {"-wal", "-journal"}) {
    const fs::path beside = path.string() + suffix;
    if (has_content(beside))
      throw StoreProblem(
          fmt::format("The database {} was not closed properly and needs {}, which can only be read where "
                      "its folder can be written. Copy both files to a folder of your own, and open the "
                      "copy.",
                      path.string(), beside.string()));
  }
  return SQLite::Database(immutable_uri(path), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
}

SQLite::Database migrated_copy_in_memory(SQLite::Database& connection, MigrationSteps steps) {
  SQLite::Database copy(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  copy_all(connection, copy);
  prepare(copy);
  migrate(copy, steps);
  return copy;
}

SQLite::Database reading(const fs::path& path, const OpenOptions& options) {
  std::optional<SQLite::Database> connection;
  int version = 0;
  try {
    // Not OPEN_READONLY: that cannot finish what a killed writer left, and leaves its own files behind. SQLite itself
    // turns to reading where the file may not be written.
    connection.emplace(connect(path, SQLite::OPEN_READWRITE, options));
    prepare(*connection);
    version = checked_version(*connection, path, options.steps);
  } catch (const SQLite::Exception& problem) {
    if (!means_wal_does_not_work_here(problem) && problem.getErrorCode() != SQLITE_READONLY) throw;
    connection.emplace(connect_immutable(path));
    prepare(*connection);
    version = checked_version(*connection, path, options.steps);
  }
  if (version < static_cast<int>(options.steps.size())) return migrated_copy_in_memory(*connection, options.steps);
  return std::move(*connection);
}

} // namespace

OpenDatabase open_for_writing(const fs::path& named, const OpenOptions& wanted) {
  const fs::path path = absolute_path(named);
  refuse_what_is_no_file(path);
  make_folder(path);
  const OpenOptions options = options_for(path, wanted);
  const bool check = wants_check(path);
  try {
    if (!on_network_file_system(path.parent_path())) {
      try {
        return writing(path, options, true, check);
      } catch (const SQLite::Exception& problem) {
        if (!means_wal_does_not_work_here(problem)) throw;
      }
    }
    return writing(path, options, false, check);
  } catch (const SQLite::Exception& problem) {
    throw problem_of(problem, path, "opening it");
  } catch (const fs::filesystem_error& problem) {
    throw StoreProblem(
        fmt::format("The database {} could not be copied before its schema is brought up to date: {}. Nothing "
                    "was changed. Make room or permissions for the copy, then try again.",
                    path.string(), problem.code().message()));
  }
}

OpenDatabase open_for_reading(const fs::path& named, const OpenOptions& wanted) {
  const fs::path path = absolute_path(named);
  refuse_what_is_no_file(path);
  std::error_code error;
  if (!fs::exists(path, error) && !error)
    throw StoreProblem(fmt::format("There is no database {}. Measure something first, or name another file with --db.",
                                   path.string()));
  try {
    OpenDatabase open{reading(path, options_for(path, wanted)), path, {}, {}};
    open.connection.exec("PRAGMA query_only = ON");
    open.file = file_identity(path);
    return open;
  } catch (const SQLite::Exception& problem) {
    throw problem_of(problem, path, "opening it");
  }
}

} // namespace switchscope
