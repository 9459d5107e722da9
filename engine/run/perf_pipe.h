// `perf bench sched pipe` on the measured CPU: another program's figure for the same switch. Where it is not installed,
// that is said.
#pragma once

#include "engine/model/names.h"
#include "engine/run/worker_process.h"

#include <string>
#include <variant>
#include <vector>

namespace switchscope {

// Pinned with taskset, under the policy with chrt; `launcher` words stand in front.
[[nodiscard]] std::vector<std::string> perf_pipe_argv(const std::vector<std::string>& launcher, int cpu, Policy,
                                                      int priority);

// Half of its "usecs/op", in ns: one operation is a round trip, which is two switches. Absent when no line tells it.
[[nodiscard]] std::optional<double> perf_ns_per_switch(const std::vector<std::string>& lines);

// One short run. Else a sentence: why it gave no figure.
[[nodiscard]] std::variant<double, std::string> run_perf_pipe(LaunchThread&, const std::vector<std::string>& launcher,
                                                              int cpu, Policy, int priority);

} // namespace switchscope
