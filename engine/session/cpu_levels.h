// What runs teach about contention on a machine's CPUs, kept for later runs that show no gap of their own.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/run/runner.h"
#include "engine/store/store.h"

#include <map>
#include <string>

namespace switchscope {

// Of the plan's single CPUs, by text_of(placement); those of which nothing is known are absent.
[[nodiscard]] std::map<std::string, StoredLevel> levels_known(const Plan&, const std::string& machine, const Store&);

// Keeps what the sessions of this task showed, each CPU's last. Not those before it: they are kept already. Nothing of
// a task whose sessions may be on machines that differ: a probe does not say where it was taken.
void remember_levels(const RunTask&, const RunEstimates&, Store&);

} // namespace switchscope
