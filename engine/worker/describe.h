// What this process can see of the machine it runs on: the raw files, system calls and topology, without an opinion.
#pragma once

#include "engine/protocol/messages.h"

#include <string>

namespace switchscope {

// `sysroot` "" or "/": this machine. Otherwise a recorded tree: every file is read below it, and what only a system
// call could tell is left out, for it would describe this machine (calls then hold "recorded": "yes").
//
// Keys of `files` are the absolute paths on the described machine ("/proc/cpuinfo"); the content has no white space at
// its ends and is ASCII (other bytes read '?'). Keys of `calls` are listed in facts_calls.h. Never throws for what
// a tree holds or lacks. Call it while the process has one thread: hwloc is steered by environment variables.
[[nodiscard]] Facts collect_facts(const std::string& sysroot);

} // namespace switchscope
