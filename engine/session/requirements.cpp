// --require: what a finished run had to have.
#include "engine/machine/readiness.h"
#include "engine/session/session.h"

#include <algorithm>
#include <set>

namespace switchscope {

namespace {

bool has(const PointEstimate& point, Flag flag) {
  return std::find(point.flags.begin(), point.flags.end(), flag) != point.flags.end();
}

std::ptrdiff_t flagged(const LoadedRun& loaded, Flag flag) {
  const auto& points = loaded.estimates.points;
  return std::count_if(points.begin(), points.end(), [flag](const PointEstimate& point) { return has(point, flag); });
}

std::string count_of(std::ptrdiff_t count, const LoadedRun& loaded) {
  return std::to_string(count) + " of " + std::to_string(loaded.estimates.points.size()) + " points ";
}

// Two causes, each with a remedy of its own: pairs that are too long for a real-time policy, and a right that lacks.
void check_policy(std::vector<std::string>& unmet, const LoadedRun& loaded) {
  std::set<int> too_long;
  for (const Visit& visit : loaded.visits)
    if (const VisitData* data = visit.data(); data != nullptr && data->report.fifo_too_long)
      too_long.insert(visit.point_index);
  const auto fell_back = flagged(loaded, Flag::policy_fallback);
  const auto long_ones = static_cast<std::ptrdiff_t>(too_long.size());
  if (long_ones > 0)
    unmet.push_back("Real-time policy: " + count_of(long_ones, loaded) +
                    "ran without SCHED_FIFO, because a pair of their blocks takes longer than real-time tasks may run. "
                    "Give smaller sizes, or leave fifo out of --require.");
  if (fell_back > long_ones)
    unmet.push_back("Real-time policy: " + count_of(fell_back - long_ones, loaded) + "ran without SCHED_FIFO. " +
                    how_to_get_real_time(loaded.run.before));
}

void check_clean(std::vector<std::string>& unmet, const LoadedRun& loaded) {
  std::ptrdiff_t not_clean = 0;
  std::ptrdiff_t few = 0; // clean as far as can be told
  for (const PointEstimate& point : loaded.estimates.points) {
    const auto index = static_cast<std::size_t>(point.point_index);
    if (loaded.run.points.at(index).method == Method::paper) continue; // cannot be asked of it
    if (point.state != EstimateState::clean || has(point, Flag::contention_unknown))
      ++not_clean;
    else if (has(point, Flag::few_visits))
      ++few;
  }
  if (not_clean > 0)
    unmet.push_back("Clean: " + count_of(not_clean, loaded) +
                    "were not measured free of contention. Measure again when the machine is quieter.");
  if (few > 0)
    unmet.push_back("Clean: " + count_of(few, loaded) +
                    "have too few visits to tell. Give a longer --budget, or fewer points.");
}

} // namespace

std::vector<std::string> unmet_requirements(const LoadedRun& loaded) {
  const Requirements& require = loaded.run.plan.require;
  std::vector<std::string> unmet;
  if (require.precision) {
    const auto wide = loaded.estimates.points_paired - loaded.estimates.points_precise;
    if (wide > 0)
      unmet.push_back("Precision: " + count_of(wide, loaded) +
                      "are not as precise as asked. Give a longer --budget, or a quieter machine.");
  }
  if (require.fifo) check_policy(unmet, loaded);
  if (require.pages)
    if (const auto count = flagged(loaded, Flag::pages_fallback); count > 0)
      unmet.push_back("Pages: " + count_of(count, loaded) + "did not get the page size asked for.");
  if (require.clean) check_clean(unmet, loaded);
  return unmet;
}

} // namespace switchscope
