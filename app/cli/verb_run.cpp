// run and resume: a plan on this machine becomes a stored run.
#include "app/cli/database.h"
#include "app/cli/measured_machine.h"
#include "app/cli/measuring.h"
#include "app/cli/output.h"
#include "app/cli/stop_signals.h"
#include "app/cli/verbs.h"
#include "engine/session/machine_checks.h"
#include "engine/session/session.h"

#include <fmt/core.h>

namespace switchscope {

ExitCode perform(const CommonOptions& common, const RunVerb& verb) {
  Store store = open_for_writing(common);
  StopSignals signals;
  OpenedWorker worker(common, verb.worker, signals);
  const Environment machine = with_stored_checks(worker.describe(), store);
  if (!verb.emulated_anyway) refuse_emulation(machine);
  const Plan plan = plan_from(verb.plan, caches_for(verb.plan, machine));
  const RunTask task = new_run(plan, machine, store);
  announce(task, plan, machine, common);
  return measure_and_report(task, worker, store, signals, {common, verb.worker, verb.events});
}

ExitCode perform(const CommonOptions& common, const ResumeVerb& verb) {
  Store store = open_for_changing(common);
  const std::string id = run_meant(store, verb.run);
  const ReportOptions options{common, verb.worker, verb.events};
  if (!verb.new_session && store.load_run(id).state == RunState::completed)
    if (const LoadedRun loaded = load(id, store); has_nothing_left(loaded)) return report_complete(loaded, options);
  StopSignals signals;
  OpenedWorker worker(common, verb.worker, signals);
  const Environment machine = with_stored_checks(worker.describe(), store);
  const RunTask task = resumed_run(id, machine, store, verb.anyway, verb.new_session);
  announce(task, task.run.plan, machine, common);
  return measure_and_report(task, worker, store, signals, options);
}

} // namespace switchscope
