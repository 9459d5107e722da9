// What happens during a run, in order. The store and everything that shows a run live meet in these values.
#pragma once

#include "engine/model/run.h"
#include "engine/model/visit.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace switchscope {

struct RunStarted { // also when a stored run is resumed
  Run run;
  std::optional<Environment> resumed_on = std::nullopt; // of a resumed run: the machine as it is now
  friend bool operator==(const RunStarted&, const RunStarted&) = default;
};
struct SessionWaiting { // told again every few seconds until the session begins
  int session = 0;
  int sessions = 1; // of the plan
  double seconds = 0;
  friend bool operator==(const SessionWaiting&, const SessionWaiting&) = default;
};
struct SessionStarted { // also when a stored session is taken up again: then with what it has used so far
  Session session;
  int sessions = 1; // of the plan
  friend bool operator==(const SessionStarted&, const SessionStarted&) = default;
};
struct VisitStarted {
  int sequence = 0;
  int point_index = 0;
  int pass = 0;
  int session = 0;
  friend bool operator==(const VisitStarted&, const VisitStarted&) = default;
};
struct VisitEnded { // committed by the store before anything shows it
  Visit visit;
  double measuring_s = 0;             // so far, over all sessions and resumptions
  std::optional<double> seconds_left; // of this session, re-estimated
  double throttle_wait_s = 0;         // so far, over all sessions and resumptions
  double session_measuring_s = 0;     // the session's budget used so far
  double session_throttle_wait_s = 0; // of the session
  friend bool operator==(const VisitEnded&, const VisitEnded&) = default;
};
struct PassEnded {
  int pass = 0;
  int points_precise = 0; // that meet the stopping rule
  int points_failed = 0;
  int session = 0;
  friend bool operator==(const PassEnded&, const PassEnded&) = default;
};
struct SessionEnded { // `finished_at` is absent when it ended early; RunEnded then says why
  Session session;
  friend bool operator==(const SessionEnded&, const SessionEnded&) = default;
};
struct PointsAdded {   // by the adaptive sweep, between two passes; committed by the store before anything shows it
  int first_index = 0; // point_index of the first: the number of points before
  std::vector<Point> points; // at least one
  friend bool operator==(const PointsAdded&, const PointsAdded&) = default;
};
struct RunEnded {
  RunState state = RunState::completed;
  std::string reason;     // a sentence when the state is not completed
  double measuring_s = 0; // these three over all sessions and resumptions
  double elapsed_s = 0;   // measured and waited for the limit on real-time tasks; not the time between sessions
  double throttle_wait_s = 0;
  std::string finished_at;
  std::optional<Environment> after;
  friend bool operator==(const RunEnded&, const RunEnded&) = default;
};

using RunEvent = std::variant<RunStarted, SessionWaiting, SessionStarted, VisitStarted, VisitEnded, PassEnded,
                              PointsAdded, SessionEnded, RunEnded>;

} // namespace switchscope
