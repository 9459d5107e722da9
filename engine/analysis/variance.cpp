#include "engine/analysis/variance.h"

#include <algorithm>

namespace switchscope {
namespace {

struct Sums { // N, sum of n^2 over the groups, and so on, in the notation of docs/measurement.md
  double pairs = 0;
  double visits = 0;
  double sessions = 0;
  double visit_squares = 0;             // sum of n_ij^2
  double session_squares = 0;           // sum of n_i^2
  double visit_squares_per_session = 0; // sum over i of (sum over j of n_ij^2) / n_i
  double within_visits = 0;             // sums of squares
  double between_visits = 0;
  double between_sessions = 0;
};

double mean_of(const std::vector<double>& values) {
  // Differences from the first value lose no digits.
  double sum = 0;
  for (const double value : values) sum += value - values.front();
  return values.front() + sum / static_cast<double>(values.size());
}

struct Group {
  double pairs = 0;
  double mean = 0;
};

Group joined(const std::vector<Group>& groups) {
  Group whole;
  for (const Group& group : groups) {
    whole.pairs += group.pairs;
    whole.mean += group.pairs / whole.pairs * (group.mean - whole.mean);
  }
  return whole;
}

double squares_around(double mean, const std::vector<Group>& groups) {
  double sum = 0;
  for (const Group& group : groups) sum += group.pairs * (group.mean - mean) * (group.mean - mean);
  return sum;
}

Sums sums_of(const NestedCosts& costs) {
  Sums sums;
  std::vector<Group> sessions;
  for (const auto& session : costs) {
    std::vector<Group> visits;
    double visit_squares = 0;
    for (const auto& pairs : session) {
      if (pairs.empty()) continue;
      const Group visit{static_cast<double>(pairs.size()), mean_of(pairs)};
      for (const double pair : pairs) sums.within_visits += (pair - visit.mean) * (pair - visit.mean);
      visit_squares += visit.pairs * visit.pairs;
      visits.push_back(visit);
    }
    if (visits.empty()) continue;
    const Group whole = joined(visits);
    sums.between_visits += squares_around(whole.mean, visits);
    sums.visits += static_cast<double>(visits.size());
    sums.visit_squares += visit_squares;
    sums.visit_squares_per_session += visit_squares / whole.pairs;
    sums.session_squares += whole.pairs * whole.pairs;
    sessions.push_back(whole);
  }
  const Group all = joined(sessions);
  sums.pairs = all.pairs;
  sums.sessions = static_cast<double>(sessions.size());
  sums.between_sessions = squares_around(all.mean, sessions);
  return sums;
}

} // namespace

double VarianceComponents::share_of(double component) const {
  double positive = 0;
  for (const double each : {within_visits, between_visits, between_sessions.value_or(0)})
    positive += std::max(each, 0.0);
  return positive > 0 ? std::max(component, 0.0) / positive : 0;
}

std::optional<VarianceComponents> variance_components(const NestedCosts& costs) {
  const Sums sums = sums_of(costs);
  const double visit_freedom = sums.visits - sums.sessions;
  const double pair_freedom = sums.pairs - sums.visits;
  if (visit_freedom < 1 || pair_freedom < 1) return std::nullopt;
  VarianceComponents components;
  components.pairs = static_cast<int>(sums.pairs);
  components.visits = static_cast<int>(sums.visits);
  components.sessions = static_cast<int>(sums.sessions);
  components.within_visits = sums.within_visits / pair_freedom;
  components.between_visits =
      (sums.between_visits - visit_freedom * components.within_visits) / (sums.pairs - sums.visit_squares_per_session);
  if (sums.sessions >= 2)
    components.between_sessions =
        (sums.between_sessions - (sums.sessions - 1) * components.within_visits -
         (sums.visit_squares_per_session - sums.visit_squares / sums.pairs) * components.between_visits) /
        (sums.pairs - sums.session_squares / sums.pairs);
  return components;
}

} // namespace switchscope
