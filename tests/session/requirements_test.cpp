#include "engine/machine/readiness.h"
#include "engine/session/session.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

// Two points by the paired method, clean, with a visit each.
LoadedRun clean_run() {
  LoadedRun loaded;
  for (int i = 0; i < 2; ++i) {
    loaded.run.points.emplace_back();
    PointEstimate estimate;
    estimate.point_index = i;
    estimate.state = EstimateState::clean;
    loaded.estimates.points.push_back(estimate);
    Visit visit;
    visit.point_index = i;
    visit.outcome = VisitData{};
    loaded.visits.push_back(visit);
  }
  loaded.run.plan.require = {true, true, true, true};
  return loaded;
}

using Sentences = std::vector<std::string>;

TEST(Requirements, ACleanRunMeetsThemAll) {
  EXPECT_EQ(unmet_requirements(clean_run()), Sentences{});
}

TEST(Requirements, CleanNeedsEnoughVisitsToTell) {
  LoadedRun loaded = clean_run();
  loaded.estimates.points[1].flags = {Flag::few_visits};
  EXPECT_EQ(unmet_requirements(loaded), Sentences{"Clean: 1 of 2 points have too few visits to tell. Give a longer "
                                                  "--budget, or fewer points."});
  loaded.estimates.points[0].state = EstimateState::contended;
  EXPECT_EQ(unmet_requirements(loaded).size(), 2u);
  loaded.run.points[0].method = loaded.run.points[1].method = Method::paper;
  EXPECT_EQ(unmet_requirements(loaded), Sentences{}) << "cannot be asked of it";
}

TEST(Requirements, TheAdviceOnThePolicyFitsItsCause) {
  LoadedRun loaded = clean_run();
  for (PointEstimate& estimate : loaded.estimates.points) estimate.flags = {Flag::policy_fallback};
  const std::string right = "ran without SCHED_FIFO. " + how_to_get_real_time(loaded.run.before);
  EXPECT_EQ(unmet_requirements(loaded), Sentences{"Real-time policy: 2 of 2 points " + right});
  std::get<VisitData>(loaded.visits[1].outcome).report.fifo_too_long = true;
  const std::string too_long = "Real-time policy: 1 of 2 points ran without SCHED_FIFO, because a pair of their blocks "
                               "takes longer than real-time tasks may run. Give smaller sizes, or leave fifo out of "
                               "--require.";
  EXPECT_EQ(unmet_requirements(loaded), (Sentences{too_long, "Real-time policy: 1 of 2 points " + right}));
  loaded.estimates.points[0].flags.clear();
  EXPECT_EQ(unmet_requirements(loaded), Sentences{too_long});
}

} // namespace
} // namespace switchscope
