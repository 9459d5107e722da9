// Which visits a pass consists of, when a run has enough, and how long it will still take. Pure functions of values.
//
// Pass 0 visits every point once and shortly, so that the whole curve is there within seconds. Later passes visit the
// points that are not precise yet (with no precision asked: all), the least precise longer and twice. The D = 0 points
// are part of every pass and spread through it, because every indirect cost needs them from the same minutes.
// Where the machine can count events, the second pass ends with one counting visit of each point.
//
// Points by the paper's method have their three rounds, one a pass, and no more. They know neither budget nor
// precision.
#pragma once

#include "engine/model/plan.h"
#include "engine/model/point.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace switchscope {

inline constexpr double precision_cap_s = 60; // of a run with precision and no budget
inline constexpr std::int64_t quick_visit_ns = 50'000'000;
inline constexpr std::int64_t longest_visit_ns = 200'000'000;

struct PointProgress {
  int visits = 0;           // that yielded data
  bool failed = false;      // left out from now on
  double imprecision = 0;   // half-width / allowed half-width, infinite without an interval; as of the last pass
  double visit_s = 0;       // mean wall time of its visits; 0: none yet
  int first_precise_at = 0; // visits when a look first found it precise; 0: no look has
  Method method = Method::paired;
  double expected_s = 0; // of a visit, where it does not take what the others do and none has shown it yet
};

struct PlannedVisit {
  int point_index = 0;
  std::int64_t duration_ns = quick_visit_ns;
  bool counters = false; // a visit that counts events; none of its times is used
  friend bool operator==(const PlannedVisit&, const PlannedVisit&) = default;
};

[[nodiscard]] bool is_precise(const PointProgress&); // has its visits, and an interval as narrow as asked
// Failed; by the paper's method, all rounds made; or precise, and visited half as often again as when it first was: the
// look that first finds an interval narrow enough favours intervals that are too narrow, and the visits after it were
// chosen by nothing. docs/measurement.md has what that does to the coverage.
[[nodiscard]] bool is_done(const PointProgress&);

// How long a round of the paper's method takes on a quiet machine, at about 3 ns an element read, 0.6 ns
// written, 1 ns changed, and 2 us a switch.
[[nodiscard]] double usual_round_s(const Point&);

// Points without data that have not failed, shuffled; those by the paper's method, which take seconds each, after all
// others. Empty: the first pass is complete.
[[nodiscard]] std::vector<PlannedVisit> first_pass(const std::vector<Point>&, const std::vector<PointProgress>&,
                                                   std::uint64_t seed);

// One round of each point by the paper's method that still lacks some, shuffled.
[[nodiscard]] std::vector<PlannedVisit> next_rounds(const std::vector<PointProgress>&, std::uint64_t order_seed);
// The rounds put between the visits of a pass.
[[nodiscard]] std::vector<PlannedVisit> with_rounds(std::vector<PlannedVisit> pass,
                                                    const std::vector<PlannedVisit>& rounds, std::uint64_t order_seed);

// Of the points by the paired method. `order_seed` differs for each pass. `last_point` was visited just before (-1:
// none) and is not visited first. Visits of one point never follow each other, unless it is the only one. Empty only
// when every point has failed, or, with precision asked, when all are done.
[[nodiscard]] std::vector<PlannedVisit> next_pass(const std::vector<Point>&, const std::vector<PointProgress>&,
                                                  bool precision_asked, std::uint64_t order_seed, int last_point);

// One short counting visit of each of these points, shuffled, to follow a pass whose last visit was of `last_point`.
[[nodiscard]] std::vector<PlannedVisit> counting_visits(const std::vector<int>& points, std::uint64_t order_seed,
                                                        int last_point);

// The budget; without one, the cap. Seconds of measuring.
[[nodiscard]] double time_limit_s(const Plan&);

// Looked at only at the end of a pass: by the paired method nothing is left to improve, or there is no time.
// `measuring_s` is without the rounds of the paper's method, here and below.
[[nodiscard]] bool has_enough(const Plan&, const std::vector<PointProgress>&, double measuring_s);

// Wall time still needed. With a budget alone, what is left of it. With precision, the visits that bring each point to
// the precision asked, as its interval shrinks with the square root of their number, within the limit. While the first
// pass lasts, at least that pass. And the rounds of the paper's method. `waiting_ratio`: throttle waits per second of
// measuring, so far.
[[nodiscard]] double seconds_left(const Plan&, const std::vector<PointProgress>&, double measuring_s,
                                  double waiting_ratio);

} // namespace switchscope
