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
  Run run;                                              // state running; measuring_s > 0 when resumed
  std::vector<Visit> earlier;                           // of a resumed run, by sequence
  std::optional<Environment> resumed_on = std::nullopt; // of a resumed run: the machine as it is now
};

// Gets every event in order, on the thread that called run_sweep. What it throws ends the run and passes through.
using EventSink = std::function<void(const RunEvent&)>;
// For each point: half-width / allowed half-width (<= 1 is precise), infinite without an interval.
using ImprecisionOf = std::function<std::vector<double>(const std::vector<Visit>&)>;

// Emits RunStarted ... RunEnded. The link must be open. Returns what RunEnded said, with the state
// - completed: precise, or the time is used up; every point has data, or failed three times in a row and was left out
// - cancelled: the user stopped it
// - incomplete: the worker was lost and could not be started again
// - failed: no point could be measured
//
// The first pass is measured to its end whatever the budget; later a run ends after the visit under way when the budget
// is used up. A visit cut short by StopFlag::now is not told: nothing of it is kept, as after a power cut. A resumed
// run first measures the points without data, failed ones included, then goes on with passes of its own.
//
// Whoever raises StopFlag::now must also call the link's stop_now().
RunEnded run_sweep(const RunTask&, WorkerLink&, const ImprecisionOf&, const EventSink&, const StopFlag&);

} // namespace switchscope
