#include "engine/session/cpu_levels.h"

#include "engine/machine/machine.h"
#include "engine/model/utc.h"

namespace switchscope {

std::map<std::string, StoredLevel> levels_known(const Plan& plan, const std::string& machine, const Store& store) {
  std::map<std::string, StoredLevel> levels;
  for (const auto& placement : plan.placements) {
    if (placement.kind != Placement::Kind::same_cpu) continue;
    if (const auto level = store.cpu_level(machine, placement.cpu_a))
      levels[text_of(placement)] = {level->split_adds_per_cycle, level->clean_self_pipe_ns};
  }
  return levels;
}

void remember_levels(const RunTask& task, const RunEstimates& estimates, Store& store) {
  if (task.any_machine) return;
  const int first = first_session_of(task).number;
  for (const auto& session : estimates.sessions)
    for (const auto& placement : task.run.plan.placements) {
      if (session.session < first || placement.kind != Placement::Kind::same_cpu) continue;
      const ContentionSplit split = split_of(estimates, session.session, placement);
      if (split.source != ContentionSplit::Source::this_run) continue;
      store.remember_cpu_level(
          machine_key(task.run.before), placement.cpu_a,
          CpuLevel{split.split_adds_per_cycle, split.clean_adds_per_cycle, split.clean_self_pipe_ns, utc_now_text()});
    }
}

} // namespace switchscope
