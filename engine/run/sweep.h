// One session of a run: its passes, from the first visit to precision or budget. run_sweep goes through the sessions.
#pragma once

#include "engine/run/fifo_account.h"
#include "engine/run/run_clock.h"
#include "engine/run/runner.h"

#include <string>
#include <vector>

namespace switchscope {

// Why it is over; state completed: as the plan says.
struct Ending {
  RunState state = RunState::completed;
  std::string reason;
};
[[nodiscard]] Ending ending_of(const WorkerProblem&, const StopFlag&); // incomplete, or cancelled when the user did it
[[nodiscard]] Ending stopped_by_user();

struct SessionTask {
  const Run& run;             // measuring_s and throttle_wait_s: before this stretch
  const Environment& machine; // as it is now
  Session session;            // measuring_s > 0 when resumed
  std::vector<Visit> earlier; // of this session, by sequence
  int sequence = 0;           // of its next visit
};

struct SessionResult {
  Ending ending;
  double measuring_s = 0;     // of the session, over all resumptions
  double throttle_wait_s = 0; // likewise
  int sequence = 0;           // of the run's next visit
  std::vector<Point> points;  // of the run, with those that were added
};

// Emits VisitStarted, VisitEnded, PassEnded and PointsAdded.
SessionResult measure_session(const SessionTask&, WorkerLink&, const ImprecisionOf&, const EventSink&, const StopFlag&,
                              RunClock&, FifoAccount&, const PointsToAdd&);

} // namespace switchscope
