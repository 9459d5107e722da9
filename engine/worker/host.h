// The process that holds the machine's lock: it sleeps while a forked visit measures, and answers who asks for the
// machine meanwhile. `serve` obeys commands until its stdin ends; `switch-cost` is one command and no stdin.
#pragma once

#include "engine/protocol/messages.h"

#include <string>

namespace switchscope {

enum ExitCode : int { exit_ok = 0, exit_failed = 1, exit_bad_arguments = 2, exit_cannot = 3 };

// Writes hello, waiting (with `wait`, while another measures), ready; then the answers. Returns the exit code.
[[nodiscard]] int serve(bool wait, const std::string& sysroot);

// Writes hello, waiting, and what the command brings: blocks and done, sharing, or error. Exit 0 only without error.
[[nodiscard]] int obey_once(const WorkerCommand&, bool wait);

[[nodiscard]] Hello hello_of_this_worker();

} // namespace switchscope
