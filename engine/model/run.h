// A run: one plan measured on one machine.
#pragma once

#include "engine/model/environment.h"
#include "engine/model/plan.h"
#include "engine/model/point.h"
#include "engine/model/session.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace switchscope {

enum class RunState {
  running,
  completed,
  incomplete,
  cancelled,
  failed,
  not_ended, // never stored: said to be running by a process of which this machine knows nothing
};

template <> struct Names<RunState> {
  static constexpr std::array table{
      std::pair{RunState::running, "running"},       std::pair{RunState::completed, "completed"},
      std::pair{RunState::incomplete, "incomplete"}, std::pair{RunState::cancelled, "cancelled"},
      std::pair{RunState::failed, "failed"},         std::pair{RunState::not_ended, "not-ended"}};
};

// What earlier runs taught about a placement, for when this run shows no gap of its own.
struct StoredLevel {
  double split_adds_per_cycle = 0; // clean is at or above
  double clean_self_pipe_ns = 0;   // the self-pipe trip when the core was alone; 0: unknown
  friend bool operator==(const StoredLevel&, const StoredLevel&) = default;
};

// The rules by which blocks are set aside, fixed before the first block and stored with the run.
struct Thresholds {
  double contention_gap_ratio = 0.15; // a split of adds_per_cycle is accepted when the gap is at least this wide
  std::map<std::string, StoredLevel> stored_levels; // by text_of(placement); absent: none is known
  double clock_tolerance_ratio = 0.01;              // a pair of blocks in which the clock moves by more than this
  double stall_ns = 10e6;              // a block longer than its visit's median for that phase by more than this
  double throttle_band_ratio = 0.2;    // a stall within this of (period - runtime) is throttling
  double count_tolerance_ratio = 0.01; // observed against expected switches
  friend bool operator==(const Thresholds&, const Thresholds&) = default;
};

struct Run {
  std::string id; // 26 lower-case letters and digits, sortable by time
  std::string name;
  RunState state = RunState::running;
  Plan plan;                 // with placements resolved
  std::vector<Point> points; // index = point_index of the visits; those of the plan, then those added
  int left_out = 0;
  std::string started_at; // UTC, ISO 8601 with milliseconds and Z
  std::optional<std::string> finished_at;
  double measuring_s = 0; // over all sessions and resumptions
  double throttle_wait_s =
      0; // waited for the limit on real-time tasks, over all sessions and resumptions; not in measuring_s
  Thresholds thresholds;
  Environment before;
  std::optional<Environment> after;
  std::vector<Session> sessions; // begun so far, by number
  friend bool operator==(const Run&, const Run&) = default;
};

// One time a run was taken up again.
struct ResumedOn {
  std::string started_at;               // UTC
  std::vector<std::string> differences; // from the machine the run was begun on: sentences; empty: the same one
  friend bool operator==(const ResumedOn&, const ResumedOn&) = default;
};

} // namespace switchscope
