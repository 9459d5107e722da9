// list, show, export: reading what is stored.
#include "app/cli/database.h"
#include "app/cli/list_text.h"
#include "app/cli/loaded_text.h"
#include "app/cli/output.h"
#include "app/cli/terminal.h"
#include "app/cli/terminal_plot.h"
#include "app/cli/verbs.h"
#include "app/cli/visit_table.h"
#include "engine/export/export.h"
#include "engine/session/session.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <unistd.h>

namespace switchscope {

namespace {

nlohmann::json json_of(const RunSummary& run) {
  return {{"id", run.id},
          {"name", run.name},
          {"preset", run.preset},
          {"state", name_of(run.state)},
          {"started_at", run.started_at},
          {"host_name", run.host_name},
          {"cpu_model", run.cpu_model},
          {"points", run.points},
          {"visits", run.visits},
          {"deleted", run.deleted}};
}

std::vector<RunSummary> stored_runs(const CommonOptions& common, bool with_deleted) {
  // Before the first run there is no database in the default place, and that is no fault; a file that was named must be
  // there.
  std::error_code error;
  if (common.database.empty() && !std::filesystem::exists(database_path(common), error)) return {};
  return open_for_reading(common).list(with_deleted);
}

std::string plot_of(const LoadedRun& loaded, bool ascii) {
  PlotSize size;
  size.columns = std::min(terminal_columns(STDOUT_FILENO), size.columns);
  return terminal_plot(loaded.run, loaded.estimates, size,
                       ascii || !locale_is_utf8() ? PlotCharacters::ascii : PlotCharacters::braille);
}

std::string exported(const LoadedRun& loaded, const std::string& format) {
  if (format == "json") return document_text(loaded);
  if (format == "csv") return points_csv(loaded.run, loaded.visits, loaded.estimates);
  return blocks_csv(loaded.run, loaded.visits, loaded.estimates);
}

bool can_go_on(RunState state) {
  return state != RunState::completed && state != RunState::running;
}

// Of those that can go on, the newest.
void say_how_to_go_on(const CommonOptions& common, const std::vector<RunSummary>& runs) {
  const auto ended_early = [](const RunSummary& run) { return !run.deleted && can_go_on(run.state); };
  const auto newest = std::find_if(runs.begin(), runs.end(), ended_early);
  if (newest == runs.end()) return;
  const bool only_one = std::count_if(runs.begin(), runs.end(), ended_early) == 1;
  say(fmt::format("To go on with the {}run that has not ended: {}", only_one ? "" : "newest ",
                  how_to_go_on(common, newest->id)));
}

LoadedRun load_meant(const CommonOptions& common, const std::string& reference) {
  const Store store = open_for_reading(common);
  return load(run_meant(store, reference), store);
}

} // namespace

ExitCode perform(const CommonOptions& common, const ListVerb& verb) {
  const auto runs = stored_runs(common, verb.with_deleted);
  if (common.json) {
    auto documents = nlohmann::json::array();
    for (const RunSummary& run : runs) documents.push_back(json_of(run));
    write_data(documents.dump(2) + '\n');
    return ExitCode::done;
  }
  if (runs.empty()) say(fmt::format("No runs in {}.", database_path(common).string()));
  write_data(list_text(runs, std::min(terminal_columns(STDOUT_FILENO), list_columns)));
  say_how_to_go_on(common, runs);
  return ExitCode::done;
}

ExitCode perform(const CommonOptions& common, const ShowVerb& verb) {
  const LoadedRun loaded = load_meant(common, verb.run);
  if (common.json) {
    write_data(document_text(loaded));
    return ExitCode::done;
  }
  std::string text = table_text(loaded);
  if (verb.plot) text += '\n' + plot_of(loaded, verb.ascii);
  if (verb.visits) text += '\n' + visit_table(loaded.run, loaded.visits, loaded.estimates);
  write_data(text);
  if (can_go_on(loaded.run.state)) say("To go on: " + how_to_go_on(common, loaded.run.id));
  return ExitCode::done;
}

ExitCode perform(const CommonOptions& common, const ExportVerb& verb) {
  const LoadedRun loaded = load_meant(common, verb.run);
  const std::string text = exported(loaded, verb.format);
  if (verb.output == "-") {
    write_data(text);
    return ExitCode::done;
  }
  write_file(verb.output, text);
  say(fmt::format("Wrote {}.", verb.output.string()));
  return ExitCode::done;
}

} // namespace switchscope
