#include "engine/run/schedule.h"

#include "engine/model/visit.h"
#include "engine/run/seeds.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace switchscope {

namespace {

constexpr double overhead_s = 0.02; // of a visit beside its blocks, until visits have shown it
constexpr double usual_trip_ns = 5000;
constexpr std::size_t pass_with_two_direct_visits = 8;

// Of the loop compiled without optimisation: a read adds to a sum in memory, which waits for the addition before.
double usual_element_ns(Access access) {
  switch (access) {
  case Access::read:
    return 3;
  case Access::write:
    return 0.6;
  case Access::read_modify_write:
    return 1;
  }
  return 0;
}

// Between visits lies most of the spread, so more visits help more than longer ones; yet a longer one pays its overhead
// better. The steps follow how much there is to gain.
std::int64_t duration_ns(double imprecision) {
  if (!std::isfinite(imprecision) || imprecision <= 1) return quick_visit_ns;
  if (imprecision <= 2) return 2 * quick_visit_ns;
  if (imprecision <= 4) return 3 * quick_visit_ns;
  return longest_visit_ns;
}

// Points that get two visits in a pass: a third of it, the widest first.
std::vector<int> widest(const std::vector<int>& chosen, const std::vector<PointProgress>& progress) {
  std::vector<int> wide;
  for (const int index : chosen) {
    const auto& point = progress[static_cast<std::size_t>(index)];
    if (std::isfinite(point.imprecision) && point.imprecision > 1) wide.push_back(index);
  }
  std::stable_sort(wide.begin(), wide.end(), [&](int a, int b) {
    return progress[static_cast<std::size_t>(a)].imprecision > progress[static_cast<std::size_t>(b)].imprecision;
  });
  wide.resize(std::min(wide.size(), chosen.size() / 3));
  return wide;
}

std::optional<int> widest_data_point(const std::vector<Point>& points, const std::vector<PointProgress>& progress) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!points[i].is_direct() && !progress[i].failed && progress[i].method == Method::paired &&
        (!found || progress[i].imprecision > progress[*found].imprecision))
      found = i;
  return found ? std::optional(static_cast<int>(*found)) : std::nullopt;
}

// Puts `count` visits of each direct point into equal parts of the pass, at a random place of each part.
void spread(std::vector<PlannedVisit>& pass, const std::vector<PlannedVisit>& direct, std::size_t count,
            Randomness& randomness) {
  const std::size_t data_visits = pass.size();
  struct Placed {
    std::size_t before; // index of the data visit it comes before
    PlannedVisit visit;
  };
  std::vector<Placed> placed;
  for (std::size_t part = 0; part < count; ++part) {
    const std::size_t from = data_visits * part / count;
    const std::size_t to = data_visits * (part + 1) / count;
    for (const auto& visit : direct) placed.push_back({from + randomness.below(to - from + 1), visit});
  }
  randomness.shuffle(placed);
  std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) { return a.before < b.before; });
  std::vector<PlannedVisit> merged;
  auto next = placed.begin();
  for (std::size_t i = 0; i <= data_visits; ++i) {
    for (; next != placed.end() && next->before == i; ++next) merged.push_back(next->visit);
    if (i < data_visits) merged.push_back(pass[i]);
  }
  pass = std::move(merged);
}

// A repeated visit swaps its place with a later one; where there is none, it moves to the nearest earlier gap where it
// disturbs nothing; where there is none either, and the point is in the pass twice, the pass does without it.
void keep_apart(std::vector<PlannedVisit>& pass, int last_point) {
  const auto point_at = [&](std::size_t i) { return i == 0 ? last_point : pass[i - 1].point_index; };
  for (std::size_t i = 0; i < pass.size();) {
    if (pass[i].point_index != point_at(i)) {
      ++i;
      continue;
    }
    const PlannedVisit repeated = pass[i];
    const auto later = std::find_if(pass.begin() + static_cast<std::ptrdiff_t>(i), pass.end(),
                                    [&](const PlannedVisit& v) { return v.point_index != repeated.point_index; });
    if (later != pass.end()) {
      std::iter_swap(pass.begin() + static_cast<std::ptrdiff_t>(i), later);
      continue;
    }
    std::size_t gap = i;
    while (gap > 0 && (point_at(gap) == repeated.point_index || pass[gap].point_index == repeated.point_index)) --gap;
    const bool fits = point_at(gap) != repeated.point_index && pass[gap].point_index != repeated.point_index;
    const auto same = std::count_if(pass.begin(), pass.end(),
                                    [&](const PlannedVisit& v) { return v.point_index == repeated.point_index; });
    if (!fits && same == 1) return; // it is the only point
    pass.erase(pass.begin() + static_cast<std::ptrdiff_t>(i));
    if (fits) pass.insert(pass.begin() + static_cast<std::ptrdiff_t>(gap), repeated);
  }
}

} // namespace

bool is_precise(const PointProgress& point) {
  return point.visits >= least_visits && point.imprecision <= 1;
}

bool is_done(const PointProgress& point) {
  if (point.failed) return true;
  if (point.method == Method::paper) return point.visits >= paper_rounds;
  return is_precise(point) && 2 * point.visits >= 3 * point.first_precise_at;
}

double usual_round_s(const Point& point) {
  const double traversal_ns = usual_element_ns(point.access) * static_cast<double>(point.array_bytes / element_bytes);
  return static_cast<double>(paper_trips) * (3 * traversal_ns + usual_trip_ns) * 1e-9 + overhead_s;
}

std::vector<PlannedVisit> first_pass(const std::vector<Point>& points, const std::vector<PointProgress>& progress,
                                     std::uint64_t seed) {
  std::vector<PlannedVisit> pass;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!progress[i].failed && progress[i].visits == 0) pass.push_back({static_cast<int>(i), quick_visit_ns});
  Randomness(seed).shuffle(pass);
  std::stable_partition(pass.begin(), pass.end(), [&](const PlannedVisit& visit) {
    return progress[static_cast<std::size_t>(visit.point_index)].method == Method::paired;
  });
  return pass;
}

std::vector<PlannedVisit> next_rounds(const std::vector<PointProgress>& progress, std::uint64_t order_seed) {
  std::vector<PlannedVisit> rounds;
  for (std::size_t i = 0; i < progress.size(); ++i)
    if (progress[i].method == Method::paper && !is_done(progress[i]))
      rounds.push_back({static_cast<int>(i), quick_visit_ns});
  Randomness(order_seed).shuffle(rounds);
  return rounds;
}

std::vector<PlannedVisit> with_rounds(std::vector<PlannedVisit> pass, const std::vector<PlannedVisit>& rounds,
                                      std::uint64_t order_seed) {
  if (pass.empty()) return rounds;
  Randomness randomness(order_seed);
  for (const PlannedVisit& round : rounds)
    pass.insert(pass.begin() + static_cast<std::ptrdiff_t>(randomness.below(pass.size() + 1)), round);
  return pass;
}

std::vector<PlannedVisit> next_pass(const std::vector<Point>& points, const std::vector<PointProgress>& progress,
                                    bool precision_asked, std::uint64_t order_seed, int last_point) {
  std::vector<int> data;
  std::vector<PlannedVisit> direct;
  bool wanted = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (progress[i].failed || progress[i].method == Method::paper) continue;
    const bool open = !precision_asked || !is_done(progress[i]);
    wanted = wanted || open;
    if (points[i].is_direct())
      direct.push_back({static_cast<int>(i), duration_ns(progress[i].imprecision)});
    else if (open)
      data.push_back(static_cast<int>(i));
  }
  if (!wanted) return {};
  // One point left alone would be measured back to back; the widest of the others goes between.
  if (data.empty() && direct.size() == 1)
    if (const auto companion = widest_data_point(points, progress)) data.push_back(*companion);

  std::vector<PlannedVisit> pass;
  const auto plan_visit = [&](int index) {
    pass.push_back({index, duration_ns(progress[static_cast<std::size_t>(index)].imprecision)});
  };
  for (const int index : data) plan_visit(index);
  for (const int index : widest(data, progress)) plan_visit(index);
  Randomness randomness(order_seed);
  randomness.shuffle(pass);
  spread(pass, direct, pass.size() >= pass_with_two_direct_visits ? 2 : 1, randomness);
  keep_apart(pass, last_point);
  return pass;
}

std::vector<PlannedVisit> counting_visits(const std::vector<int>& points, std::uint64_t order_seed, int last_point) {
  std::vector<PlannedVisit> visits;
  for (const int point : points) visits.push_back({point, quick_visit_ns, true});
  Randomness(mixed(order_seed)).shuffle(visits);
  if (!visits.empty() && visits.front().point_index == last_point)
    std::rotate(visits.begin(), visits.begin() + 1, visits.end());
  return visits;
}

double time_limit_s(const Plan& plan) {
  return plan.budget_s.value_or(precision_cap_s);
}

bool has_enough(const Plan& plan, const std::vector<PointProgress>& progress, double measuring_s) {
  if (measuring_s >= time_limit_s(plan)) return true;
  return std::all_of(progress.begin(), progress.end(), [&plan](const PointProgress& point) {
    return point.method == Method::paper || (plan.precision_ratio.has_value() && is_done(point));
  });
}

double seconds_left(const Plan& plan, const std::vector<PointProgress>& progress, double measuring_s,
                    double waiting_ratio) {
  double seen_s = 0;
  int seen = 0;
  for (const auto& point : progress)
    if (point.visit_s > 0 && point.method == Method::paired) {
      seen_s += point.visit_s;
      ++seen;
    }
  const double typical_s = seen > 0 ? seen_s / seen : static_cast<double>(quick_visit_ns) * 1e-9 + overhead_s;

  double first_pass_s = 0;
  double precision_s = 0;
  double rounds_s = 0;
  bool any_paired = false;
  for (const auto& point : progress) {
    any_paired = any_paired || point.method == Method::paired;
    if (is_done(point)) continue;
    const double unseen_s = point.expected_s > 0 ? point.expected_s : typical_s;
    const double visit_s = point.visit_s > 0 ? point.visit_s : unseen_s;
    if (point.method == Method::paper) {
      rounds_s += visit_s * (paper_rounds - point.visits);
      continue;
    }
    if (point.visits == 0) first_pass_s += visit_s;
    double needed = least_visits;
    if (std::isfinite(point.imprecision))
      needed = std::max(needed, point.visits * point.imprecision * point.imprecision);
    needed = std::max(needed * 1.5, 1.5 * point.first_precise_at);
    precision_s += visit_s * std::max(0.0, needed - point.visits);
  }
  if (!any_paired) return rounds_s;
  double left_s = std::max(0.0, time_limit_s(plan) - measuring_s);
  if (plan.precision_ratio) left_s = std::min(left_s, precision_s);
  return std::max(left_s, first_pass_s) * (1 + waiting_ratio) + rounds_s;
}

} // namespace switchscope
