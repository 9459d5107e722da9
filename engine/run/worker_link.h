// The line source a run measures through: a local worker, one behind a launcher, or a recording. One interface.
#pragma once

#include "engine/protocol/messages.h"

#include <stdexcept>
#include <string>
#include <variant>

namespace switchscope {

// The worker cannot be started or spoken to at all: what was tried, why, and what to do, as one sentence.
struct WorkerProblem : std::runtime_error {
  enum class Kind {
    missing,
    not_executable,
    wrong_version,
    busy,    // another measurement holds the machine
    refused, // the worker itself said that it cannot
    broken,  // it cannot be started or understood
    stopped, // stop_now() ended the waiting
  };
  WorkerProblem(Kind kind_, const std::string& sentence) : std::runtime_error(sentence), kind(kind_) {}
  Kind kind;
};

// The visit is over: measured, failed (worker error, crash, garbage, silence), or stopped by the user.
using VisitOutcome = std::variant<VisitData, VisitFailure>;

class WorkerLink {
public:
  virtual ~WorkerLink() = default;
  // Blocks until the worker is ready to measure (it then holds the machine's lock). Throws WorkerProblem. May be called
  // again after close(), for the next session of a run: then it waits for whoever measures by now, because nobody need
  // be there to try again, and the worker must be the same one.
  virtual Hello open() = 0;
  virtual Facts describe() = 0;
  // Never throws for what the worker does: that is a VisitFailure. Throws WorkerProblem only when it cannot be
  // restarted. After stop_now() it is a failure with code "stopped".
  virtual VisitOutcome measure(const VisitRequest&) = 0;
  // From any thread or a signal-watching thread: ends the visit under way at once (SIGTERM, then SIGKILL to the group).
  // A link that was stopped stays stopped.
  virtual void stop_now() = 0;
  virtual void close() = 0; // orderly: stdin closed, waited for, killed when it does not end
};

} // namespace switchscope
