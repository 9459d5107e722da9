// A session: one stretch of a run with a first pass, budget and stopping rule of its own. Sessions are the outermost
// level of the statistics: between them lie minutes, reboots, other neighbours.
#pragma once

#include "engine/model/environment.h"

#include <optional>
#include <string>

namespace switchscope {

struct Session {
  int number = 0;                         // 0, 1, 2, ...; Visit::session
  std::string started_at;                 // UTC
  std::optional<std::string> finished_at; // absent: under way, or ended early; `resume` goes on with it
  double measuring_s = 0;                 // of its budget, over all resumptions
  double throttle_wait_s = 0;             // over all resumptions; not in measuring_s
  Environment before;
  std::optional<Environment> after;
  friend bool operator==(const Session&, const Session&) = default;
};

} // namespace switchscope
