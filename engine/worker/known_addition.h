// Time added on purpose to every switch, to see whether it comes back. It takes the place of the traversal in S1, so
// the loop it passes through is the very one that measures.
#pragma once

#include "engine/worker/clock.h"
#include "engine/worker/task_work.h"

#include <cstdint>
#include <optional>

namespace switchscope {

// A task's own spin and the account of its spins.
class KnownAddition {
public:
  KnownAddition(std::int64_t added_ns, ClockSource); // looks at the clock for a millisecond
  KnownAddition(const KnownAddition&) = delete;
  KnownAddition& operator=(const KnownAddition&) = delete;

  // What exchange() and answer() take in place of the task's own work.
  [[nodiscard]] Work& work() { return work_; }
  // Mean of the spins that took at most 100 us longer than asked; absent without any.
  [[nodiscard]] std::optional<double> mean_ticks() const;

  // The account is what the spin walks over: one line of doubles.
  enum Place { asked_ticks, away_ticks, spun_ticks, spins, places };

private:
  alignas(64) double account_[places];
  Work work_;
};

} // namespace switchscope
