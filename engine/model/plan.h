// What to measure: axes, time and method. A plan is checked as a value, expanded to points, and stored with its run.
#pragma once

#include "engine/model/names.h"
#include "engine/model/point.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace switchscope {

struct Requirements { // --require: the run ends with exit 3 when one of these was not met
  bool precision = false;
  bool fifo = false;
  bool pages = false;
  bool clean = false;
  friend bool operator==(const Requirements&, const Requirements&) = default;
};

inline constexpr int least_visits = 8; // before a point can count as precise

struct Plan {
  std::string name;                        // of the run; may be empty
  std::string preset;                      // the preset it came from; empty for a plan of the user's own
  std::vector<std::int64_t> sizes_bytes;   // {0} alone: the direct cost only
  std::vector<std::int64_t> strides_bytes; // not used by Pattern::random
  std::vector<Access> accesses{Access::read_modify_write};
  std::vector<Pattern> patterns{Pattern::strided};
  std::vector<Placement> placements{Placement{}};
  std::vector<PageMode> pages{PageMode::base_4k};
  std::vector<Mechanism> mechanisms{Mechanism::pipe};
  std::vector<TaskKind> tasks{TaskKind::process};
  std::vector<Kernel> kernels{Kernel::vector}; // of the paired method; the paper's has a loop of its own
  std::vector<Method> methods{Method::paired};
  Policy policy = Policy::automatic;
  std::optional<double> budget_s;        // > 0; of the paired method: the paper's makes its three rounds
  std::optional<double> precision_ratio; // > 0 and < 1: 0.02 is 2 %; of the paired method
  std::uint64_t seed = 1;
  int sessions = 1;
  double session_interval_s = 0;
  int max_added_points = 0;       // that the sweep may add by itself where a curve changes; 0: none
  int edge_points_per_octave = 8; // added sizes lie on this grid (as bytes_between): how well a cliff's edges are known
  std::int64_t extend_to_bytes = 0; // a curve without a cliff is prolonged up to this size; 0: never
  Requirements require;
  friend bool operator==(const Plan&, const Plan&) = default;
};

// Why a plan cannot be run: which part, and what to do about it. `field` is the option's name without dashes.
struct PlanProblem {
  std::string field;
  std::string message;
  friend bool operator==(const PlanProblem&, const PlanProblem&) = default;
};

// The paper's method and nothing else: then there is no budget and no precision.
[[nodiscard]] bool is_paper_only(const Plan&);

// Everything that is wrong with the plan as such, without knowing the machine. Empty: it can be expanded.
[[nodiscard]] std::vector<PlanProblem> problems_of(const Plan&);

struct Expansion {
  // The D = 0 points first, one for each (method, mechanism, tasks, kernel, placement, pages); the paper's method knows
  // one kernel, scalar, whatever the plan's list.
  std::vector<Point> points;
  int combinations = 0; // of the product with data, before any were left out
  int left_out = 0;     // combinations whose stride is larger than the array
};

// The plan must have no problems. Placements are taken as they stand: replace `automatic` before.
[[nodiscard]] Expansion expand(const Plan&);

} // namespace switchscope
