// What happens during a run, in order. The store and everything that shows a run live meet in these values.
#pragma once

#include "engine/model/run.h"
#include "engine/model/visit.h"

#include <optional>
#include <string>
#include <variant>

namespace switchscope {

struct RunStarted { // also when a stored run is resumed
  Run run;
  std::optional<Environment> resumed_on = std::nullopt; // of a resumed run: the machine as it is now
  friend bool operator==(const RunStarted&, const RunStarted&) = default;
};
struct VisitStarted {
  int sequence = 0;
  int point_index = 0;
  int pass = 0;
  friend bool operator==(const VisitStarted&, const VisitStarted&) = default;
};
struct VisitEnded { // committed by the store before anything shows it
  Visit visit;
  double measuring_s = 0;             // budget used so far
  std::optional<double> seconds_left; // re-estimated
  double throttle_wait_s = 0;         // so far, over all resumptions
  friend bool operator==(const VisitEnded&, const VisitEnded&) = default;
};
struct PassEnded {
  int pass = 0;
  int points_precise = 0; // that meet the stopping rule
  int points_failed = 0;
  friend bool operator==(const PassEnded&, const PassEnded&) = default;
};
struct RunEnded {
  RunState state = RunState::completed;
  std::string reason;     // a sentence when the state is not completed
  double measuring_s = 0; // these three over all resumptions
  double elapsed_s = 0;   // measured and waited; not the time between a stop and its resumption
  double throttle_wait_s = 0;
  std::string finished_at;
  std::optional<Environment> after;
  friend bool operator==(const RunEnded&, const RunEnded&) = default;
};

using RunEvent = std::variant<RunStarted, VisitStarted, VisitEnded, PassEnded, RunEnded>;

} // namespace switchscope
