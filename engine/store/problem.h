// SQLite's error codes as sentences: what failed, on which file, what to do.
#pragma once

#include "engine/store/store.h"

#include <SQLiteCpp/Exception.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace switchscope {

// `doing` completes "... while <doing>": "storing visit 12".
[[nodiscard]] StoreProblem problem_of(const SQLite::Exception&, const std::filesystem::path&, std::string_view doing);

[[nodiscard]] StoreProblem locked_problem(const std::filesystem::path&);
[[nodiscard]] StoreProblem deleted_problem(const std::filesystem::path&);
[[nodiscard]] StoreProblem newer_schema_problem(const std::filesystem::path&, int version, int known_version);
[[nodiscard]] StoreProblem foreign_problem(const std::filesystem::path&, std::int32_t application);
[[nodiscard]] StoreProblem damaged_problem(const std::filesystem::path&, std::string_view detail);
// Why the file could not be opened, found out by looking at it and at its folder.
[[nodiscard]] StoreProblem cannot_open_problem(const std::filesystem::path&);

} // namespace switchscope
