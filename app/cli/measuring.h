// A run ready to start, measured, shown while it goes on, and reported at its end.
#pragma once

#include "app/cli/measured_machine.h"
#include "app/cli/outcome.h"
#include "engine/session/session.h"

namespace switchscope {

struct ReportOptions {
  const CommonOptions& common;
  const WorkerOptions& worker;
  bool events = false;
};

// What is about to be measured, on stderr: "42 points (6 of 48 left out), about 60 s, seed 7, CPU 1. Why.". Says so
// when the first pass takes longer than the budget. `asked` is the plan before CPUs were chosen.
void announce(const RunTask&, const Plan& asked, const Environment&, const CommonOptions&);

ExitCode measure_and_report(const RunTask&, OpenedWorker&, Store&, StopSignals&, const ReportOptions&);

// Of a run that has nothing left to measure.
ExitCode report_complete(const LoadedRun&, const ReportOptions&);

} // namespace switchscope
