// How much of the spread of single pairs lies within visits, between visits of a session, and between sessions.
#pragma once

#include <optional>
#include <vector>

namespace switchscope {

// Estimated components of variance in ns^2. An estimator without bias is negative now and then where the component is
// small; it is kept as it came out.
struct VarianceComponents {
  double within_visits = 0;               // between the pairs of a visit
  double between_visits = 0;              // of a session
  std::optional<double> between_sessions; // absent with a single session
  int pairs = 0;
  int visits = 0;
  int sessions = 0;
  // A component as a share of the sum of the positive ones; 0 for one that is not positive.
  [[nodiscard]] double share_of(double component) const;
  friend bool operator==(const VarianceComponents&, const VarianceComponents&) = default;
};

// By session, visit and pair.
using NestedCosts = std::vector<std::vector<std::vector<double>>>;

// The ANOVA estimators of the nested random-effects model for groups of unequal size (Searle, Casella and McCulloch
// 1992, section 5.2 and appendix F.2). Absent without two visits in one session and two pairs in one visit. Empty
// visits and sessions are passed over.
[[nodiscard]] std::optional<VarianceComponents> variance_components(const NestedCosts&);

} // namespace switchscope
