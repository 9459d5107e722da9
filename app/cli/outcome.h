// How a command ends: the exit codes scripts rely on, and the refusal that carries one with its sentence.
#pragma once

#include <stdexcept>
#include <string>

namespace switchscope {

enum class ExitCode : int { // 1 and 7 are kept for comparing runs: a regression, not comparable
  done = 0,
  bad_arguments = 2, // or a bad plan
  cannot = 3,        // this machine cannot do it, or a requirement was not met
  incomplete = 4,    // ended before every point had an estimate; what was measured is stored
  database = 5,      // the database cannot be used
  too_noisy = 6,     // the machine was too noisy to tell
};

// Ends the command: the sentence goes to stderr.
struct Refusal : std::runtime_error {
  Refusal(ExitCode code_, const std::string& sentence) : std::runtime_error(sentence), code(code_) {}
  ExitCode code;
};

} // namespace switchscope
