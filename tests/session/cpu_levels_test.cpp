#include "engine/session/cpu_levels.h"

#include "engine/machine/machine.h"
#include "tests/store/samples.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

SessionEstimates session_with_split(int number, double split) {
  SessionEstimates session;
  session.session = number;
  session.splits["1"] = {ContentionSplit::Source::this_run, split, 3.3, 640, 0.1};
  return session;
}

RunTask task_on_cpu_1() {
  RunTask task;
  task.run.plan.placements = {{Placement::Kind::same_cpu, 1, 1}};
  task.run.before.cpu_model = "AMD EPYC 7B13";
  return task;
}

std::optional<double> remembered(const RunTask& task, const RunEstimates& estimates) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  remember_levels(task, estimates, store);
  const auto level = store.cpu_level(machine_key(task.run.before), 1);
  return level ? std::optional(level->split_adds_per_cycle) : std::nullopt;
}

TEST(CpuLevels, TheLastSessionThatKnowsCounts) {
  RunEstimates estimates;
  estimates.sessions = {session_with_split(0, 2.5), session_with_split(1, 2.75), session_with_split(2, 2)};
  estimates.sessions.back().splits["1"].source = ContentionSplit::Source::unknown;
  EXPECT_EQ(remembered(task_on_cpu_1(), estimates), 2.75);
}

TEST(CpuLevels, OnMachinesThatMayDifferNothingIsLearnt) {
  RunEstimates estimates;
  estimates.sessions = {session_with_split(0, 2.5)};
  RunTask task = task_on_cpu_1();
  task.any_machine = true;
  EXPECT_EQ(remembered(task, estimates), std::nullopt);
}

TEST(CpuLevels, EarlierSessionsMayHaveBeenOnAnotherMachine) {
  RunEstimates estimates;
  estimates.sessions = {session_with_split(0, 2.5), session_with_split(1, 2.75)};
  estimates.sessions[1].splits.clear();
  RunTask task = task_on_cpu_1();
  Session first;
  first.finished_at = "2026-11-30T19:22:00.200Z";
  task.run.sessions = {first}; // this task begins with session 1
  EXPECT_EQ(remembered(task, estimates), std::nullopt);
}

} // namespace
} // namespace switchscope
