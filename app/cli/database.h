// The database a command works on, and the run its operand means.
#pragma once

#include "app/cli/arguments.h"
#include "engine/store/store.h"

#include <filesystem>
#include <string>

namespace switchscope {

// --db, else the default place. Throws StoreProblem when there is none.
[[nodiscard]] std::filesystem::path database_path(const CommonOptions&);

// What must be said once about the file's place goes to stderr. Throws StoreProblem.
[[nodiscard]] Store open_for_writing(const CommonOptions&);  // created when absent
[[nodiscard]] Store open_for_changing(const CommonOptions&); // must be there
[[nodiscard]] Store open_for_reading(const CommonOptions&);

// What the user types to go on with a run: with --db where it matters, and what this command was told about the worker.
[[nodiscard]] std::string how_to_go_on(const CommonOptions&, const std::string& run_id, const WorkerOptions& = {});

// For a database that this command made and then had no use for.
void remove_if_without_runs(const CommonOptions&);

// The id that RUN stands for. Throws Refusal (bad_arguments) when it stands for none or for several.
[[nodiscard]] std::string run_meant(const Store&, const std::string& reference, bool among_deleted = false);

} // namespace switchscope
