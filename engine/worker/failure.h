// Why a visit cannot be measured. Thrown by the parts of the worker, turned into one `error` line by the visit.
#pragma once

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace switchscope {

struct VisitProblem : std::runtime_error {
  VisitProblem(std::string code_, const std::string& sentence) : std::runtime_error(sentence), code(std::move(code_)) {}
  std::string code; // "arguments", "cpu", "memory", "pipe", "fork", "crashed", "timeout", "clock": see docs/protocol.md
};

// "No such file or directory (error 2)": errno's meaning, for the end of a sentence.
[[nodiscard]] std::string error_text(int error_number);

// Into memory shared with another process, where no std::string can stand; cut off where it is too long.
template <std::size_t size> void copy_text(char (&target)[size], const std::string& text) {
  std::snprintf(target, size, "%s", text.c_str());
}

} // namespace switchscope
