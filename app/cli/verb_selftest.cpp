// selftest: the instrument against what is known beforehand, on each CPU asked for.
#include "app/cli/columns.h"
#include "app/cli/database.h"
#include "app/cli/instrument_text.h"
#include "app/cli/measured_machine.h"
#include "app/cli/output.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"
#include "engine/machine/machine.h"
#include "engine/protocol/json.h"
#include "engine/run/perf_pipe.h"
#include "engine/session/machine_checks.h"
#include "engine/session/selftest.h"
#include "engine/session/session.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <unistd.h>

namespace switchscope {
namespace {

// A direct run on these CPUs: refused where the machine has not got them, with what is known of their levels.
Run run_on(const std::vector<Placement>& asked, const Environment& machine, const Store& store) {
  Plan plan;
  plan.sizes_bytes = {0};
  if (!asked.empty()) plan.placements = asked;
  return new_run(plan, machine, store).run;
}

// None when it was stopped. Throws Refusal when nothing could be measured.
std::optional<InstrumentCheck> check_cpu(const SelftestSetup& setup, OpenedWorker& worker, const PerfRun& perf,
                                         const StopSignals& signals, const CommonOptions& common) {
  SystemClock clock;
  const auto show = [&](int round, double elapsed_s) {
    if (common.progress != "none" && round % 8 == 7)
      say(fmt::format("CPU {}: {} rounds, {:.0f} of {:.0f} s", setup.cpu, round + 1, elapsed_s, setup.seconds));
  };
  const SelftestMeasured measured = run_selftest(setup, worker.link(), perf, show, signals.flag(), clock);
  if (signals.stopped()) return std::nullopt;
  InstrumentCheck check = judge_selftest(setup, measured);
  const auto visits = static_cast<int>(measured.visits.size());
  if (visits > 0 && check.failed_visits == visits)
    throw Refusal(ExitCode::cannot, fmt::format("No visit of the selftest of CPU {} could be measured. {}", setup.cpu,
                                                check.last_failure));
  return check;
}

ExitCode exit_of(const std::vector<InstrumentCheck>& checks) {
  const auto any = [&checks](CheckVerdict verdict) {
    return std::any_of(checks.begin(), checks.end(),
                       [verdict](const InstrumentCheck& check) { return check.verdict == verdict; });
  };
  if (any(CheckVerdict::failed)) return ExitCode::cannot;
  return any(CheckVerdict::too_noisy) ? ExitCode::too_noisy : ExitCode::done;
}

std::string document_text(const std::vector<InstrumentCheck>& checks) {
  nlohmann::json documents = nlohmann::json::array();
  for (const InstrumentCheck& check : checks) documents.push_back(json_of(check));
  return nlohmann::json{{"schema", 1}, {"instrument_checks", std::move(documents)}}.dump(2) + '\n';
}

void print(const std::vector<InstrumentCheck>& checks, const CommonOptions& common) {
  const int columns = std::min(terminal_columns(STDOUT_FILENO), 100);
  std::string text;
  for (const InstrumentCheck& check : checks) text += (text.empty() ? "" : "\n") + selftest_text(check, columns);
  write_data(common.json ? document_text(checks) : text);
  if (common.json)
    for (const InstrumentCheck& check : checks)
      if (check.verdict != CheckVerdict::passed) say(verdict_sentence(check));
}

// "The selftest was stopped: CPUs 2 and 3 are not checked, and nothing of them is stored."
Refusal stopped_before(const std::vector<Placement>& placements, std::size_t complete) {
  std::vector<std::string> cpus;
  for (std::size_t i = complete; i < placements.size(); ++i) cpus.push_back(std::to_string(placements[i].cpu_a));
  const bool one = cpus.size() == 1;
  return {ExitCode::incomplete,
          fmt::format("The selftest was stopped: CPU{} {} {} not checked, and nothing of {} is stored.", one ? "" : "s",
                      joined(cpus, ", "), one ? "is" : "are", one ? "it" : "them")};
}

} // namespace

ExitCode perform(const CommonOptions& common, const SelftestVerb& verb) {
  Store store = open_for_writing(common);
  StopSignals signals;
  LaunchThread launch_thread;
  OpenedWorker worker(common, verb.worker, signals);
  const Environment machine = with_stored_checks(worker.describe(), store);
  if (!verb.emulated_anyway) refuse_emulation(machine);
  const Run run = run_on(verb.placements, machine, store);
  const PerfRun perf = [&](int cpu, Policy policy, int priority) {
    return run_perf_pipe(launch_thread, verb.worker.launcher, cpu, policy, priority);
  };

  std::vector<InstrumentCheck> checks;
  try {
    signals.measuring(true);
    for (const Placement& placement : run.plan.placements) {
      const SelftestSetup setup{machine, worker.hello().build, placement.cpu_a, verb.seed.value_or(1), run.thresholds};
      const auto check = check_cpu(setup, worker, perf, signals, common);
      if (!check) throw stopped_before(run.plan.placements, checks.size());
      store_instrument_check(*check, machine, store);
      checks.push_back(*check);
    }
    signals.only_printing();
  } catch (...) { // what is complete is stored, so it is shown too
    signals.only_printing();
    if (!checks.empty()) print(checks, common);
    throw;
  }
  print(checks, common);
  return exit_of(checks);
}

} // namespace switchscope
