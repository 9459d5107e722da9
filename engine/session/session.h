// Where the parts meet, for every front end: a plan on a machine becomes a stored run. Store first, show second.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/instrument_check.h"
#include "engine/model/plan.h"
#include "engine/run/runner.h"
#include "engine/store/store.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace switchscope {

// The plan does not fit this machine, or a stored run cannot go on here: sentences.
struct SessionRefusal : std::runtime_error {
  enum class Kind { bad_plan, machine };
  SessionRefusal(Kind kind_, const std::string& sentences) : std::runtime_error(sentences), kind(kind_) {}
  Kind kind;
};

// The measured machine as the opened worker tells it.
[[nodiscard]] Environment describe_machine(WorkerLink&, const Hello&);

// A run ready to start: CPUs chosen, plan checked against the machine, points expanded, thresholds fixed (with what the
// store knows of each of its CPUs from earlier runs). Throws SessionRefusal.
[[nodiscard]] RunTask new_run(const Plan&, const Environment&, const Store&);

// A stored run taken up again: its unfinished session, and those its plan still asks for. Of a completed run that is
// its last session, whose points without data are tried again. With `new_session` the last session is left as it is and
// another begins; where none is left of those asked for, one is added to the plan. Throws SessionRefusal when CPU
// model, kernel, mitigations or worker build differ and `anyway` is false.
[[nodiscard]] RunTask resumed_run(const std::string& run_id, const Environment& now, const Store&, bool anyway,
                                  bool new_session = false);

// Measures and stores. `show` sees each event after it is committed. The machine is described before and after each
// session. At the end it is stored why blocks are not clean, and the CPU's contention level is remembered. Throws
// what store and link throw, and SessionRefusal when a later session finds another machine; what was measured before
// is then stored, and the run has ended as incomplete.
RunEnded measure(const RunTask&, WorkerLink&, const Hello&, Store&, const EventSink& show, const StopFlag&);

// A stored run with its estimates, for everything that shows or exports it.
struct LoadedRun {
  Run run;
  std::vector<Visit> visits;
  RunEstimates estimates;
  std::vector<ResumedOn> resumptions = {};
  // The last selftest before the run, on the same machine and the CPU of the run's first placement on one CPU.
  std::optional<InstrumentCheck> instrument_check = std::nullopt;
};
[[nodiscard]] LoadedRun load(const std::string& run_id, const Store&);

// Completed, with an estimate of every point: to resume it would measure nothing.
[[nodiscard]] bool has_nothing_left(const LoadedRun&);

void store_instrument_check(const InstrumentCheck&, const Environment&, Store&);

// The requirements of the plan that the finished run did not meet: sentences. Empty: all met.
[[nodiscard]] std::vector<std::string> unmet_requirements(const LoadedRun&);

} // namespace switchscope
