#include "engine/machine/machine.h"
#include "engine/session/session.h"
#include "tests/store/samples.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

TEST(Load, ASelftestThatCannotBeReadIsAsIfThereWasNone) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  switchscope::Run run = sample_run();
  run.plan.placements = {{Placement::Kind::same_cpu, 1, 1}};
  store_run(store, run, 2);
  const auto store_selftest = [&](const std::string& document) {
    store.remember_check({"selftest", machine_key(run.before), 1, "2020-01-01T00:00:00.000Z", document});
  };
  store_selftest(R"({"of": "another version"})");
  const LoadedRun loaded = load(run.id, store);
  EXPECT_EQ(loaded.visits.size(), 2u);
  EXPECT_FALSE(loaded.instrument_check);
}

TEST(HasNothingLeft, ACompletedRunWithAnEstimateOfEveryPoint) {
  LoadedRun loaded;
  loaded.run.state = RunState::completed;
  loaded.estimates.points.resize(2);
  loaded.estimates.points[0].state = EstimateState::clean;
  EXPECT_FALSE(has_nothing_left(loaded)) << "a point failed";
  loaded.estimates.points[1].state = EstimateState::contended;
  EXPECT_TRUE(has_nothing_left(loaded));
  loaded.run.state = RunState::cancelled;
  EXPECT_FALSE(has_nothing_left(loaded));
}

} // namespace
} // namespace switchscope
