#include "app/cli/failure_notes.h"

#include "app/cli/columns.h"
#include "app/cli/wording.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace switchscope {

namespace {

bool was_measured(const PointEstimate& estimate) {
  return estimate.state != EstimateState::failed;
}

using PointsOfReason = std::map<std::string, std::vector<std::size_t>>;

// A run may have many thousand points: the reasons of most points first, and only so many.
template <typename SentenceOf>
void add_reasons(std::vector<std::string>& notes, const PointsOfReason& reasons, const SentenceOf& sentence_of) {
  constexpr std::size_t most_reasons = 5;
  std::vector<PointsOfReason::const_iterator> order;
  for (auto it = reasons.begin(); it != reasons.end(); ++it) order.push_back(it);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a->second.size() > b->second.size(); });
  for (std::size_t i = 0; i < std::min(order.size(), most_reasons); ++i)
    notes.push_back(sentence_of(order[i]->second, printable(order[i]->first)));
  if (order.size() > most_reasons) notes.push_back(fmt::format("And {} more reasons.", order.size() - most_reasons));
}

void add_failures(std::vector<std::string>& notes, const Run& run, const std::vector<Visit>& visits,
                  const RunEstimates& estimates) {
  std::vector<bool> visited(run.points.size());
  for (const auto& visit : visits) visited.at(static_cast<std::size_t>(visit.point_index)) = true;
  std::size_t not_visited = 0;
  PointsOfReason failed;
  PointsOfReason given_up; // the last failure of points that have an estimate
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const auto& estimate = estimates.points.at(i);
    if (!was_measured(estimate) && !visited[i])
      ++not_visited;
    else if (!estimate.failure.empty())
      (was_measured(estimate) ? given_up : failed)[estimate.failure].push_back(i);
  }
  add_reasons(notes, failed, [&run](const std::vector<std::size_t>& points, const std::string& why) {
    return fmt::format(
        "Failed: {}: {}",
        points.size() == 1 ? short_words(run.points[points.front()]) : fmt::format("{} points", points.size()), why);
  });
  if (not_visited > 0)
    notes.push_back(fmt::format("{} point{} not visited.", not_visited, not_visited == 1 ? " was" : "s were"));
  add_reasons(notes, given_up, [](const std::vector<std::size_t>& points, const std::string& why) {
    return fmt::format("{} point{} could not be measured any further: {}", points.size(), points.size() == 1 ? "" : "s",
                       why);
  });
}

} // namespace

void add_absences(std::vector<std::string>& notes, const Run& run, const std::vector<Visit>& visits,
                  const RunEstimates& estimates) {
  std::map<std::string, int> reasons; // why there is no indirect cost -> points
  for (const auto& estimate : estimates.points)
    if (was_measured(estimate) && !estimate.indirect_absent_reason.empty()) ++reasons[estimate.indirect_absent_reason];
  for (const auto& [reason, points] : reasons)
    notes.push_back(
        fmt::format("No indirect cost for {} point{}: {}", points, points == 1 ? "" : "s", printable(reason)));
  add_failures(notes, run, visits, estimates);
  if (const std::string left_out = left_out_words(run); !left_out.empty())
    notes.push_back(fmt::format("Left out: {} combinations, whose stride is larger than the array.", left_out));
}

} // namespace switchscope
