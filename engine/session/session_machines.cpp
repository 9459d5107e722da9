#include "engine/session/session_machines.h"

#include "engine/machine/machine.h"
#include "engine/session/session.h"

namespace switchscope {

SessionMachines::SessionMachines(const RunTask& task, WorkerLink& link, const Hello& hello, const StopFlag& stop)
    : task_(task), link_(link), hello_(hello), stop_(stop) {}

void SessionMachines::begin(SessionStarted& started) {
  Session& session = started.session;
  const bool is_stored = session.number < static_cast<int>(task_.run.sessions.size());
  if (session.number != first_session_of(task_).number)
    session.before = same_machine();
  else if (!is_stored)
    session.before = task_.resumed_on.value_or(task_.run.before);
  before_ = session.before;
}

void SessionMachines::end(SessionEnded& ended) {
  after_ = described_again();
  ended.session.before = before_;
  ended.session.after = after_;
}

Environment SessionMachines::same_machine() {
  Environment now = describe_machine(link_, hello_);
  const auto different = differences(task_.run.before, now);
  if (different.empty() || task_.any_machine) return now;
  refusal_ = "This is not the machine any more that the run was begun on:";
  for (const auto& sentence : different) refusal_ += "\n" + sentence;
  refusal_ +=
      "\nA run must not mix machines. What was measured before is stored. Start a new run, or mix them knowingly "
      "with resume " +
      task_.run.id + " --anyway.";
  throw WorkerProblem(WorkerProblem::Kind::refused, "The machine is not the one any more that the run was begun on.");
}

std::optional<Environment> SessionMachines::described_again() {
  if (stop_.level() == StopFlag::now) return std::nullopt; // the worker was ended with the visit under way
  try {
    return describe_machine(link_, hello_);
  } catch (const WorkerProblem&) {
    return std::nullopt; // the session is measured and stored; only the second look at the machine is missing
  }
}

} // namespace switchscope
