// What the machine was before and after each session of a run under way.
#pragma once

#include "engine/run/runner.h"

#include <optional>
#include <string>

namespace switchscope {

class SessionMachines {
public:
  // All must outlive it.
  SessionMachines(const RunTask&, WorkerLink&, const Hello&, const StopFlag&);

  // Fills in `before`, unless the session is taken up again. Throws WorkerProblem when the machine cannot be described,
  // or is another one.
  void begin(SessionStarted&);
  void end(SessionEnded&); // fills in `before` and, where it can be told, `after`

  [[nodiscard]] const std::optional<Environment>& after() const { return after_; } // the last session
  [[nodiscard]] const std::string& refusal() const { return refusal_; }            // sentences; empty: same machine

private:
  Environment same_machine();
  std::optional<Environment> described_again();

  const RunTask& task_;
  WorkerLink& link_;
  const Hello& hello_;
  const StopFlag& stop_;
  Environment before_;
  std::optional<Environment> after_;
  std::string refusal_;
};

} // namespace switchscope
