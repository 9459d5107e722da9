// From the raw facts a worker reports to the Environment, and what a plan needs to know of the machine.
#pragma once

#include "engine/model/environment.h"
#include "engine/model/plan.h"
#include "engine/protocol/messages.h"

#include <optional>
#include <string>
#include <vector>

namespace switchscope {

[[nodiscard]] Environment environment_from(const Facts&, const Hello&);

// The CPU that `auto` stands for and why: online, allowed, a fast core, isolated, idle now and its core's other CPUs
// idle, not CPU 0 where another is as good.
struct CpuChoice {
  int cpu = 0;
  std::string reason; // a sentence
};
[[nodiscard]] CpuChoice choose_cpu(const Environment&);

// `automatic` placements replaced by that CPU.
[[nodiscard]] Plan with_cpus_chosen(const Plan&, const Environment&);

// What this machine cannot do of the plan. Fields: "cpu" for one that does not exist, "online" and "allowed" for one
// that could be switched on or permitted, "size" for arrays larger than free memory.
[[nodiscard]] std::vector<PlanProblem> problems_on(const Environment&, const Plan&);

// The differences that forbid resuming or comparing: sentences such as "kernel 6.1.0 then, 6.2.0 now". Empty: same.
[[nodiscard]] std::vector<std::string> differences(const Environment& then, const Environment& now);

// What changed on the machine while a run was measured, that a cost depends on: one phrase each ("governor of CPU 1 was
// performance, then powersave"). Empty where nothing did.
[[nodiscard]] std::vector<std::string> changes_during(const Environment& before, const Environment& after);

// What tells this machine from others, for what is remembered of its CPUs: host name and CPU model.
[[nodiscard]] std::string machine_key(const Environment&);

} // namespace switchscope
