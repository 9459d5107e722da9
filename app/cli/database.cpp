#include "app/cli/database.h"

#include "app/cli/outcome.h"
#include "app/cli/output.h"
#include "engine/model/in_quotes.h"

namespace switchscope {

std::filesystem::path database_path(const CommonOptions& common) {
  return common.database.empty() ? default_database_path() : common.database;
}

Store open_for_writing(const CommonOptions& common) {
  Store store(database_path(common));
  if (!store.journal_note().empty()) say(store.journal_note());
  return store;
}

Store open_for_changing(const CommonOptions& common) {
  std::error_code error;
  if (!std::filesystem::exists(database_path(common), error))
    return open_for_reading(common); // says that it is not there
  return open_for_writing(common);
}

Store open_for_reading(const CommonOptions& common) {
  return Store(database_path(common), Store::Access::read_only);
}

std::string how_to_go_on(const CommonOptions& common, const std::string& run_id, const WorkerOptions& worker) {
  std::string line = "switchscope-cli resume " + run_id + database_option(database_path(common));
  const auto add = [&line](const std::string& option, const std::string& value) {
    if (!value.empty()) line += ' ' + option + ' ' + in_shell_quotes(value);
  };
  std::string launcher;
  for (const auto& word : worker.launcher) launcher += (launcher.empty() ? "" : " ") + in_shell_quotes(word);
  add("--worker", common.worker.string());
  add("--worker-launcher", launcher);
  add("--sysroot", common.sysroot);
  return line;
}

void remove_if_without_runs(const CommonOptions& common) {
  const std::filesystem::path path = database_path(common);
  try {
    if (!open_for_reading(common).list(true).empty()) return;
  } catch (const StoreProblem&) {
    return; // what cannot be read may be somebody's
  }
  std::error_code error;
  for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(path.string() + ending, error);
}

std::string run_meant(const Store& store, const std::string& reference, bool among_deleted) {
  try {
    return store.resolve(reference, among_deleted);
  } catch (const StoreProblem& problem) {
    (void)store.list(true); // throws where the database is at fault and not the reference
    throw Refusal(ExitCode::bad_arguments, problem.what());
  }
}

} // namespace switchscope
