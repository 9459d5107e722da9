// The time a run is played in: the real one, or a test's.
#pragma once

#include "engine/run/runner.h"

#include <cstdint>
#include <string>

namespace switchscope {

class RunClock {
public:
  virtual ~RunClock() = default;
  [[nodiscard]] virtual std::int64_t now_ns() = 0; // monotonic
  [[nodiscard]] virtual std::string utc_text() = 0;
  // Returns early when the flag is raised to any level.
  virtual void wait(std::int64_t ns, const StopFlag&) = 0;
};

class SystemClock : public RunClock {
public:
  std::int64_t now_ns() override;
  std::string utc_text() override;
  void wait(std::int64_t ns,
            const StopFlag&) override; // looks at the flag every 20 ms; every 100 ms while more than 1 s is left
};

// run_sweep in another time.
RunEnded run_sweep(const RunTask&, WorkerLink&, const ImprecisionOf&, const EventSink&, const StopFlag&, RunClock&,
                   const PointsToAdd& = {});

} // namespace switchscope
