// Measures a run: visits in seeded random order, a quick first pass over all points, then where the interval is widest,
// until precision or budget; see docs/measurement.md for the rule.
#pragma once

#include "engine/model/run_event.h"
#include "engine/run/worker_link.h"

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

namespace switchscope {

// Set from a signal handler or another thread. `after_visit`: finish the visit under way, then stop. `now`: also cut
// it.
class StopFlag {
public:
  enum Level : int { none = 0, after_visit = 1, now = 2 };
  void raise(Level level) noexcept { // async-signal-safe
    int seen = level_.load();
    while (seen < level && !level_.compare_exchange_weak(seen, level)) {
    }
  }
  [[nodiscard]] Level level() const noexcept { return static_cast<Level>(level_.load()); }

private:
  std::atomic<int> level_{none};
};

struct RunTask {
  Run run;                                              // state running; measuring_s > 0 and sessions when resumed
  std::vector<Visit> earlier;                           // of a resumed run, by sequence
  std::optional<Environment> resumed_on = std::nullopt; // of a resumed run: the machine as it is now
  bool new_session = false;                             // leave the last session as it is and begin with another
  bool any_machine = false;                             // sessions may be on machines that differ
};

// The session a task begins with: the last one where that has not ended, else the next.
[[nodiscard]] Session first_session_of(const RunTask&);

// Gets every event in order, on the thread that called run_sweep. What it throws ends the run and passes through.
using EventSink = std::function<void(const RunEvent&)>;
// For each point: half-width / allowed half-width (<= 1 is precise), infinite without an interval. Asked with the
// visits of one session.
using ImprecisionOf = std::function<std::vector<double>(const std::vector<Visit>&)>;

// Asked after each pass, in the first half of the first session's time, with its visits so far: the points to measure
// besides. Empty: none, and also where nothing is to be added at all.
using PointsToAdd = std::function<std::vector<Point>(const std::vector<Visit>&)>;

// Emits RunStarted, then each session from SessionStarted to SessionEnded, then RunEnded. The link must be open; it is
// closed after each session but the last, and opened anew for the next, which begins the plan's interval after the one
// before began (or was taken up again), or at once when that took longer. Returns what RunEnded said, with the state
// - completed: in each session precise, or its time used up; every point has data, or failed three times in a row and
//   was left out
// - cancelled: the user stopped it
// - incomplete: the worker was lost and could not be started again
// - failed: no point could be measured
//
// A session's first pass is measured to its end whatever the budget; later a session ends after the visit under way
// when the budget is used up. The rounds of the paper's method are made beside that, three a session of each such
// point: they use no budget and do not wait for the limit on real-time tasks. A visit cut short by StopFlag::now is not
// told: nothing of it is kept, as after a power cut. A resumed run first measures the points without data, failed ones
// included, then goes on with passes of its own.
//
// Whoever raises StopFlag::now must also call the link's stop_now().
//
// Points that are added get a short visit at once, in a pass of their own that is measured to its end, like the first.
RunEnded run_sweep(const RunTask&, WorkerLink&, const ImprecisionOf&, const EventSink&, const StopFlag&,
                   const PointsToAdd& = {});

} // namespace switchscope
