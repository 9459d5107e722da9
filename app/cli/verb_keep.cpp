// import, delete, restore, verify: looking after the database.
#include "app/cli/database.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace switchscope {

namespace {

Imported imported(const CommonOptions& common, const std::filesystem::path& from) {
  std::error_code error;
  const bool is_new = !std::filesystem::exists(database_path(common), error) && !error;
  try {
    return open_for_writing(common).import(from);
  } catch (const StoreProblem&) {
    if (is_new) remove_if_without_runs(common);
    throw;
  }
}

} // namespace

ExitCode perform(const CommonOptions& common, const ImportVerb& verb) {
  const auto [ids, under_way] = imported(common, verb.file);
  say(fmt::format("{} {} copied from {} to {}; what was here already stays as it is.", ids.size(),
                  ids.size() == 1 ? "run" : "runs", verb.file.string(), database_path(common).string()));
  if (!under_way.empty())
    say(fmt::format("{} {} being measured at the moment and left out: {}. Import again when it has ended.",
                    under_way.size(), under_way.size() == 1 ? "run is" : "runs are", fmt::join(under_way, ", ")));
  if (common.json) {
    write_data(nlohmann::json(ids).dump(2) + '\n');
    return ExitCode::done;
  }
  std::string lines;
  for (const auto& id : ids) lines += id + '\n';
  write_data(lines);
  return ExitCode::done;
}

ExitCode perform(const CommonOptions& common, const DeleteVerb& verb) {
  Store store = open_for_changing(common);
  const std::string id = run_meant(store, verb.run);
  if (store.load_run(id).state == RunState::running)
    throw Refusal(
        ExitCode::bad_arguments,
        fmt::format("Run {} is being measured now. Stop it where it was started (Ctrl-C), then delete it.", id));
  store.remove(id);
  say(fmt::format("Run {} is in the trash. To take it out: switchscope-cli restore {}{}", id, id,
                  database_option(database_path(common))));
  return ExitCode::done;
}

ExitCode perform(const CommonOptions& common, const RestoreVerb& verb) {
  Store store = open_for_changing(common);
  const std::string id = run_meant(store, verb.run, true);
  store.restore(id);
  say(fmt::format("Run {} is back.", id));
  return ExitCode::done;
}

ExitCode perform(const CommonOptions& common, const VerifyVerb& verb) {
  const auto path = verb.file.empty() ? database_path(common) : verb.file;
  const auto problems = Store(path, Store::Access::read_only).verify();
  for (const auto& problem : problems) say(problem);
  if (!problems.empty()) return ExitCode::database;
  say(fmt::format("{} is whole.", path.string()));
  return ExitCode::done;
}

} // namespace switchscope
