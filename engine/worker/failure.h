// Why a visit cannot be measured. Thrown by the parts of the worker, turned into one `error` line by the visit.
#pragma once

#include <stdexcept>
#include <string>

namespace switchscope {

struct VisitProblem : std::runtime_error {
  VisitProblem(std::string code_, const std::string& sentence) : std::runtime_error(sentence), code(std::move(code_)) {}
  std::string code; // "arguments", "cpu", "memory", "pipe", "fork", "crashed", "timeout": see docs/protocol.md
};

// "No such file or directory (error 2)": errno's meaning, for the end of a sentence.
[[nodiscard]] std::string error_text(int error_number);

} // namespace switchscope
