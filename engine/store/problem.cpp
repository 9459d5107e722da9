#include "engine/store/problem.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

namespace switchscope {

namespace {

StoreProblem not_a_database_problem(const std::filesystem::path& path) {
  return StoreProblem(fmt::format("{} is not a Switchscope database: it is not an SQLite file. Nothing was changed. "
                                  "Name another file with --db.",
                                  path.string()));
}

StoreProblem not_writable_problem(const std::filesystem::path& path) {
  const bool file_is_writable = access(path.c_str(), W_OK) == 0;
  const std::string where = file_is_writable ? "its folder" : "the file or the medium it lies on";
  return StoreProblem(
      fmt::format("The database {} cannot be written: {} is read-only for this user. "
                  "Change the permissions, or copy the file to a folder of your own and name it with --db.",
                  path.string(), where));
}

StoreProblem full_disk_problem(const std::filesystem::path& path, std::string_view doing) {
  return StoreProblem(fmt::format("The disk that holds {} is full (while {}). Everything stored before is safe. "
                                  "Free some space, then try again.",
                                  path.string(), doing));
}

} // namespace

StoreProblem locked_problem(const std::filesystem::path& path) {
  // Only where the kernel cannot lock: unlike its locks, this one outlives a process that was killed.
  const std::string lock_folder = path.string() + ".lock";
  if (access(lock_folder.c_str(), F_OK) == 0)
    return StoreProblem(
        fmt::format("The database {} has been locked by another process for more than 5 s. If no Switchscope "
                    "uses it, on any computer, delete the folder {} and try again.",
                    path.string(), lock_folder));
  return StoreProblem(fmt::format("The database {} has been locked by another process for more than 5 s. "
                                  "Close the other program, for example a database browser with changes that are not "
                                  "saved, and try again.",
                                  path.string()));
}

StoreProblem deleted_problem(const std::filesystem::path& path) {
  return StoreProblem(
      fmt::format("The database {} was deleted, moved or replaced while it was in use, so nothing more can "
                  "be stored in it. Put it back if you moved it, then try again.",
                  path.string()));
}

StoreProblem newer_schema_problem(const std::filesystem::path& path, int version, int known_version) {
  return StoreProblem(fmt::format("The database {} has schema version {}, made by a newer Switchscope; this one knows "
                                  "versions up to {}. Update Switchscope, or name another file with --db.",
                                  path.string(), version, known_version));
}

StoreProblem foreign_problem(const std::filesystem::path& path, std::int32_t application) {
  return StoreProblem(fmt::format("{} is the database of another application (application id {:#010x}). Nothing was "
                                  "changed. Name another file with --db.",
                                  path.string(), static_cast<std::uint32_t>(application)));
}

StoreProblem damaged_problem(const std::filesystem::path& path, std::string_view detail) {
  return StoreProblem(fmt::format(
      "The database {} is damaged ({}). `switchscope-cli verify` tells all that is wrong. Put a copy of it "
      "in its place, or move it away to start with a new one; what `sqlite3 FILE .recover` saves comes back "
      "with `switchscope-cli import`.",
      path.string(), detail));
}

StoreProblem cannot_open_problem(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  std::string why = "its files cannot be opened";
  if (access(folder.c_str(), F_OK) != 0)
    why = "its folder does not exist";
  else if (access(folder.c_str(), X_OK) != 0)
    why = "its folder cannot be entered by this user";
  else if (access(path.c_str(), F_OK) == 0 && access(path.c_str(), R_OK) != 0)
    why = "this user may not read it";
  else if (access(folder.c_str(), W_OK) != 0)
    why = "nothing can be written in its folder";
  return StoreProblem(
      fmt::format("The database {} cannot be opened: {}. Change the permissions, or name another file with "
                  "--db.",
                  path.string(), why));
}

StoreProblem problem_of(const SQLite::Exception& problem, const std::filesystem::path& path, std::string_view doing) {
  const int extended = problem.getExtendedErrorCode();
  if (extended == SQLITE_READONLY_DBMOVED) return deleted_problem(path);
  if (extended == SQLITE_IOERR_SHMSIZE) return full_disk_problem(path, doing);
  switch (problem.getErrorCode() & 0xff) {
  case SQLITE_NOTADB:
    return not_a_database_problem(path);
  case SQLITE_CORRUPT:
    return damaged_problem(path, problem.what());
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return locked_problem(path);
  case SQLITE_READONLY:
    return not_writable_problem(path);
  case SQLITE_FULL:
    return full_disk_problem(path, doing);
  case SQLITE_CANTOPEN:
    return cannot_open_problem(path);
  case SQLITE_IOERR:
    return StoreProblem(
        fmt::format("The disk that holds {} reported an error while {} ({}). Check the disk and its quota, "
                    "then try again.",
                    path.string(), doing, problem.what()));
  default:
    return StoreProblem(fmt::format("The database {} refused while {}: {}. Check it with `switchscope-cli verify`.",
                                    path.string(), doing, problem.what()));
  }
}

} // namespace switchscope
