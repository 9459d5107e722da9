// From a point's visits to its cost: which blocks are used, the estimate, and its 95 % interval.
// Method and formulas: docs/measurement.md. Pure functions of stored values; no clock, no random state but the given
// seed.
#pragma once

#include "engine/analysis/variance.h"
#include "engine/model/run.h"
#include "engine/model/visit.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace switchscope {

// An estimate in ns with its 95 % interval; without interval (fewer than 4 visits, or paper mode) low and high are the
// range seen and `has_interval` is false.
struct Interval {
  double estimate = 0;
  double low = 0;
  double high = 0;
  bool has_interval = false;
  [[nodiscard]] double half_width() const { return (high - low) / 2; }
  [[nodiscard]] bool holds_zero() const { return low <= 0 && high >= 0; }
  friend bool operator==(const Interval&, const Interval&) = default;
};
[[nodiscard]] inline bool overlap(const Interval& a, const Interval& b) {
  return a.low <= b.high && b.low <= a.high;
}

enum class EstimateState { clean, corrected, contended, paper, failed };
template <> struct Names<EstimateState> {
  static constexpr std::array table{
      std::pair{EstimateState::clean, "clean"}, std::pair{EstimateState::corrected, "corrected"},
      std::pair{EstimateState::contended, "contended"}, std::pair{EstimateState::paper, "paper"},
      std::pair{EstimateState::failed, "failed"}};
};

enum class Flag {
  few_visits,
  contended,
  contention_unknown,
  throttled,
  stalled,
  count_off,
  faulted,
  migrated,
  policy_fallback,
  pages_fallback,
  precision_not_reached,
  emulated,
  failed
};
template <> struct Names<Flag> {
  static constexpr std::array table{std::pair{Flag::few_visits, "few-visits"},
                                    std::pair{Flag::contended, "contended"},
                                    std::pair{Flag::contention_unknown, "contention-unknown"},
                                    std::pair{Flag::throttled, "throttled"},
                                    std::pair{Flag::stalled, "stalled"},
                                    std::pair{Flag::count_off, "count-off"},
                                    std::pair{Flag::faulted, "faulted"},
                                    std::pair{Flag::migrated, "migrated"},
                                    std::pair{Flag::policy_fallback, "policy-fallback"},
                                    std::pair{Flag::pages_fallback, "pages-fallback"},
                                    std::pair{Flag::precision_not_reached, "precision-not-reached"},
                                    std::pair{Flag::emulated, "emulated"},
                                    std::pair{Flag::failed, "failed"}};
};

// How contended probes are told from clean ones, per measured CPU set ("1", "0:1", ...).
struct ContentionSplit {
  enum class Source { this_run, stored, unknown };
  Source source = Source::unknown;
  double split_adds_per_cycle = 0; // clean is at or above; 0 when unknown
  double clean_adds_per_cycle = 0; // median of the clean side
  double clean_self_pipe_ns = 0;   // median self-pipe trip of clean probes; 0 when unknown
  double contended_share = 0;      // of all probes
  friend bool operator==(const ContentionSplit&, const ContentionSplit&) = default;
};

// What one event comes to per switch: S1 / (2 x round trips) - mean(S2A / trips, S2B / trips), as a cost is of times.
// Negative where the switch saves events.
struct CounterPerSwitch {
  std::string name; // of CounterReading
  std::string unit;
  double per_switch = 0;      // mean over the visits that read it
  int visits = 0;             // that read it
  double scheduled_share = 1; // the least of these visits; below 1 it was counted for part of the time and scaled up
  friend bool operator==(const CounterPerSwitch&, const CounterPerSwitch&) = default;
};

struct PointEstimate {
  int point_index = 0;
  EstimateState state = EstimateState::failed;
  std::optional<Policy> policy;       // obtained by most of its visits, and the only one the estimate is of
  std::optional<PageMode> pages;      // obtained by most of its visits; the estimate is of all of them
  double switching_per_switch_ns = 0; // S1/2N over the blocks used
  double baseline_per_trip_ns = 0;    // S2/N
  Interval total;                     // C2 (C1 at D = 0) from the blocks used
  Interval total_all_blocks;          // the same from all blocks
  std::optional<Interval> total_raw;  // state corrected: without the control variate
  // The total of the blocks used in core cycles: each pair's cost, uncorrected, by the clock its probes saw. What a
  // clock that wanders between runs adds to the nanoseconds is not in it. Absent where no clock was read.
  std::optional<Interval> total_cycles;
  std::optional<Interval> indirect;   // C2 - C1 of the same state; absent at D = 0 or when states differ
  std::string indirect_absent_reason; // a sentence when it is absent for D > 0
  bool depends_on_set_aside = false;  // used (uncorrected) and all-blocks intervals do not overlap
  int sessions = 0;                   // the estimate is of; from 2 on intervals are over sessions, else over visits
  bool precise = false;               // meets the stopping rule, in each session of the run
  std::optional<VarianceComponents> variance; // of the used pairs' costs
  int visits = 0;                             // with at least one used pair
  int blocks = 0;                             // three per pair
  int blocks_used = 0;
  std::map<SetAside, int> set_aside;    // blocks of pairs not used, by the first reason of the pair
  std::map<SetAside, int> used_despite; // blocks that a clean estimate would have set aside, by the first reason
  std::map<SetAside, int> stalls;       // state paper: pauses found in its rounds, stalled or throttled; in the numbers
  std::int64_t switches_expected = 0;   // S1, both tasks, over all visits
  std::int64_t switches_observed = 0;
  std::vector<Flag> flags;
  std::vector<CounterPerSwitch> counters; // in the worker's order; from visits of their own, of which nothing else here
                                          // is made
  // The last failure's sentence: when state is failed, and with Flag::failed beside an estimate, when the last visit
  // and both its retries failed, so that the point was not measured any further.
  std::string failure;
  friend bool operator==(const PointEstimate&, const PointEstimate&) = default;
};

// One session by itself: intervals are over its visits.
struct SessionEstimates {
  int session = 0;
  std::map<std::string, ContentionSplit> splits; // by text_of(placement)
  std::vector<PointEstimate> points;             // index = point_index
  friend bool operator==(const SessionEstimates&, const SessionEstimates&) = default;
};

struct RunEstimates {
  std::vector<PointEstimate> points;             // index = point_index
  std::vector<SessionEstimates> sessions;        // by number; at least one
  std::map<std::string, ContentionSplit> splits; // of the last session, by text_of(placement)
  std::string interval_method;                   // "t over visits", "bootstrap-t over visits", "t and bootstrap-t over
                               // visits" when points differ, "t over sessions" with several; "range over rounds" where
                               // all points are by the paper's method, whose points have no interval in any run
  int points_precise = 0; // that meet the stopping rule, in each session
  int points_paired = 0;  // that can: by the paired method
  friend bool operator==(const RunEstimates&, const RunEstimates&) = default;
};

// `visits` are all the run's visits in any order; failed ones count only as failures, and those
// that counted events (VisitRequest::counters) give PointEstimate::counters and nothing else.
[[nodiscard]] RunEstimates estimate_run(const Run&, const std::vector<Visit>& visits);

// How probes of that session were split; unknown where the session has none for the placement.
[[nodiscard]] ContentionSplit split_of(const RunEstimates&, int session, const Placement&);

// One point by itself in the session of the last of the visits, as estimate_run would give it with these splits (of an
// earlier estimate_run, by text_of(placement); unknown where absent): a tenth of a millisecond where the whole run
// takes several, for showing a result after each visit. `point_index` must be one of the run's.
[[nodiscard]] PointEstimate estimate_point(const Run&, const std::vector<Visit>& visits, int point_index,
                                           const std::map<std::string, ContentionSplit>& splits);

// Why each pair of a visit is (not) clean; index = pair. Empty for a failed visit. `point_policy` is
// PointEstimate::policy of the visit's point.
[[nodiscard]] std::vector<SetAside> set_aside_of(const Visit&, const Thresholds&, const ContentionSplit&,
                                                 const Environment&, std::optional<Policy> point_policy);

// The precision that counts as precise where the plan asked for none.
inline constexpr double default_precision_ratio = 0.05;

// The stopping rule: half-width <= max(P x |C2|, 100 ns, 1 % of S1), at D = 0 P x C1; never before 8 visits.
[[nodiscard]] bool is_precise(const PointEstimate&, const Point&, double precision_ratio);
// How far a point is from precise, for choosing where to measure next: half-width / allowed half-width; infinite
// without an interval, and at least 8 / visits before 8 visits, so that it is <= 1 exactly when the point is precise.
[[nodiscard]] double imprecision(const PointEstimate&, const Point&, double precision_ratio);

} // namespace switchscope
