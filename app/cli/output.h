// Where text goes: data to the standard output or to a file, everything else to the standard error.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace switchscope {

enum class Written { all, reader_gone }; // the reader closed the pipe: no fault of ours, nothing to say

// To the standard output, at once. SIGPIPE must be ignored. Throws Refusal (cannot) when it cannot be written.
Written write_data(std::string_view);

// A line to the standard error. A standard error that is closed is no reason to fail.
void say(std::string_view line);

// The whole file or nothing: written beside it and then renamed; a device or pipe is written directly. Throws Refusal:
// bad_arguments for a place that cannot hold the file or holds an SQLite database, cannot when writing fails.
void write_file(const std::filesystem::path&, std::string_view);

} // namespace switchscope
