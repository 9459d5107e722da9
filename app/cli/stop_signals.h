// Ctrl-C, SIGTERM and a terminal that closes, in two steps: the first ends the run after the visit under way, the
// second at once.
#pragma once

#include "engine/run/runner.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <thread>

namespace switchscope {

// Made before any other thread starts, so that every thread leaves these signals to this one. They stay blocked when it
// goes: what the command still has to say must reach the user.
class StopSignals {
public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // From here on the link is cut on the second signal, or on the first one while nothing is being measured. The link
  // must live until stop_watching.
  void watch(WorkerLink&);
  void stop_watching();
  void measuring(bool under_way) { measuring_ = under_way; }
  // Nothing is left to stop: further signals change nothing, so that what was measured is printed to its end.
  void only_printing() { printing_ = true; }
  // How long the visit under way may take where the machine is slow, in ns; said on the first signal when that is long.
  void visit_may_take(std::int64_t planned_ns) { visit_ns_ = planned_ns; }

  [[nodiscard]] const StopFlag& flag() const { return flag_; }
  [[nodiscard]] bool stopped() const { return flag_.level() != StopFlag::none; }
  void stop_after_visit() { flag_.raise(StopFlag::after_visit); }

private:
  void wait_for_signals(WorkerLink&);
  void take(WorkerLink&);

  StopFlag flag_;
  std::atomic<bool> measuring_{false};
  std::atomic<bool> printing_{false};
  std::atomic<std::int64_t> visit_ns_{0};
  int signals_ = -1; // signalfd
  int ending_ = -1;  // eventfd: the watching thread is to end
  std::thread watcher_;
};

} // namespace switchscope
