#include "engine/analysis/points_to_add.h"

#include "engine/analysis/cliff_levels.h"
#include "engine/analysis/cliffs.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace switchscope {
namespace {

constexpr int level_points_per_octave = 4;
constexpr std::size_t least_at_once = 4;

enum class Urgency { edge, level, difference, extension };

struct Candidate {
  Urgency urgency = Urgency::edge;
  double clearness = 0; // of a difference; the larger the sooner
  Point point;
};

std::int64_t to_line(double bytes) {
  return static_cast<std::int64_t>(std::llround(bytes / line_bytes)) * line_bytes;
}

// One curve's sizes, and what is wanted between them.
class Wanted {
public:
  Wanted(const Run& run, const Curve& curve, std::vector<Candidate>& candidates)
      : run_(run), curve_(curve), candidates_(candidates) {
    for (const int index : curve.point_indices) sizes_.insert(point(index).array_bytes);
  }
  [[nodiscard]] std::int64_t smallest() const { return *sizes_.begin(); }
  [[nodiscard]] std::int64_t largest() const { return *sizes_.rbegin(); }

  void between(std::int64_t smaller, std::int64_t larger, Urgency urgency, double clearness = 0) {
    if (const auto bytes = size_between(smaller, larger, run_.plan.edge_points_per_octave); bytes > 0)
      add(bytes, urgency, clearness);
  }
  // Unless a measured size lies as near as the grid would be fine.
  void at(std::int64_t bytes, Urgency urgency) {
    const auto above = sizes_.lower_bound(bytes);
    if (above == sizes_.end() || above == sizes_.begin() || *above == bytes) return;
    if (size_between(*std::prev(above), *above, level_points_per_octave) > 0) add(bytes, urgency, 0);
  }
  void beyond(std::int64_t bytes) {
    if (bytes > largest()) add(bytes, Urgency::extension, 0);
  }
  [[nodiscard]] std::int64_t before(std::int64_t bytes) const {
    const auto here = sizes_.lower_bound(bytes);
    return here == sizes_.begin() ? bytes : *std::prev(here);
  }
  [[nodiscard]] std::int64_t after(std::int64_t bytes) const {
    const auto next = sizes_.upper_bound(bytes);
    return next == sizes_.end() ? bytes : *next;
  }

private:
  [[nodiscard]] const Point& point(int index) const { return run_.points[static_cast<std::size_t>(index)]; }
  void add(std::int64_t bytes, Urgency urgency, double clearness) {
    if (sizes_.count(bytes) > 0 || !wanted_.insert(bytes).second) return;
    Candidate candidate{urgency, clearness, point(curve_.point_indices.front())};
    candidate.point.array_bytes = bytes;
    candidates_.push_back(std::move(candidate));
  }

  const Run& run_;
  const Curve& curve_;
  std::vector<Candidate>& candidates_;
  std::set<std::int64_t> sizes_;
  std::set<std::int64_t> wanted_;
};

void want_edges(Wanted& wanted, const CurveCliffs& found) {
  for (const Cliff& cliff : found.cliffs) {
    wanted.between(cliff.from_bytes, wanted.after(cliff.from_bytes), Urgency::edge);
    wanted.between(wanted.before(cliff.to_bytes), cliff.to_bytes, Urgency::edge);
  }
}

void want_levels(Wanted& wanted, const Curve& curve, const Environment& environment) {
  for (const CacheLevel& level : levels_for(curve.placement, curve.pages, environment)) {
    if (level.is_translation) continue;
    for (int quarter = level_points_per_octave; quarter <= 2 * level_points_per_octave; ++quarter)
      wanted.at(to_line(static_cast<double>(level.bytes) * quarter / (2 * level_points_per_octave)), Urgency::level);
  }
}

void want_differences(Wanted& wanted, const Run& run, const Curve& curve, const RunEstimates& estimates) {
  for (std::size_t i = 0; i + 1 < curve.point_indices.size(); ++i) {
    const auto left = static_cast<std::size_t>(curve.point_indices[i]);
    const auto right = static_cast<std::size_t>(curve.point_indices[i + 1]);
    const Interval& a = estimates.points.at(left).total;
    const Interval& b = estimates.points.at(right).total;
    if (!a.has_interval || !b.has_interval || overlap(a, b)) continue;
    const double clearness = std::abs(a.estimate - b.estimate) / (a.half_width() + b.half_width() + 1e-9);
    wanted.between(run.points[left].array_bytes, run.points[right].array_bytes, Urgency::difference, clearness);
  }
}

void want_more(Wanted& wanted, const Plan& plan) {
  if (wanted.largest() >= plan.extend_to_bytes) return;
  const auto largest = static_cast<double>(wanted.largest());
  for (const double factor : {1.5, 2.0})
    wanted.beyond(std::min(to_line(factor * largest), plan.extend_to_bytes / line_bytes * line_bytes));
}

std::size_t room_for_points(const Run& run) {
  const std::size_t planned = expand(run.plan).points.size();
  const std::size_t added = run.points.size() > planned ? run.points.size() - planned : 0;
  const auto most = static_cast<std::size_t>(std::max(run.plan.max_added_points, 0));
  return std::min(most > added ? most - added : 0, std::max(least_at_once, run.points.size() / 4));
}

} // namespace

std::int64_t size_between(std::int64_t smaller, std::int64_t larger, int points_per_octave) {
  if (smaller <= 0 || larger <= smaller) return 0;
  const double middle = std::sqrt(static_cast<double>(smaller) * static_cast<double>(larger));
  std::int64_t nearest = 0;
  double least = 0;
  const int first_octave = std::ilogb(static_cast<double>(smaller));
  for (int octave = first_octave; octave <= std::ilogb(static_cast<double>(larger)); ++octave)
    for (int step = 0; step < points_per_octave; ++step) {
      const std::int64_t bytes = to_line(std::ldexp(1.0 + static_cast<double>(step) / points_per_octave, octave));
      if (bytes <= smaller || bytes >= larger) continue;
      const double distance = std::abs(std::log2(static_cast<double>(bytes) / middle));
      if (nearest == 0 || distance < least) {
        nearest = bytes;
        least = distance;
      }
    }
  return nearest;
}

std::vector<Point> points_to_add(const Run& run, const RunEstimates& estimates) {
  const std::size_t room = room_for_points(run);
  if (room == 0) return {};
  std::vector<Candidate> candidates;
  const std::vector<CurveCliffs> by_curve = cliffs_of(run, estimates);
  // From the first pass on, when there are no intervals yet: a sweep that must grow has no time to lose.
  const std::vector<CurveCliffs> roughly =
      run.plan.extend_to_bytes > 0 ? cliffs_of(run, estimates, PointsWithoutInterval::with_common_error) : by_curve;
  for (std::size_t i = 0; i < by_curve.size(); ++i) {
    const CurveCliffs& found = by_curve[i];
    if (found.curve.method == Method::paper) continue; // no interval tells what is needed
    Wanted wanted(run, found.curve, candidates);
    want_edges(wanted, found);
    want_levels(wanted, found.curve, run.before);
    want_differences(wanted, run, found.curve, estimates);
    if (found.cliffs.empty() && roughly[i].cliffs.empty()) want_more(wanted, run.plan);
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.urgency != b.urgency ? a.urgency < b.urgency : a.clearness > b.clearness;
  });
  candidates.resize(std::min(candidates.size(), room));
  std::vector<Point> points;
  for (const Candidate& candidate : candidates) points.push_back(candidate.point);
  return points;
}

} // namespace switchscope
