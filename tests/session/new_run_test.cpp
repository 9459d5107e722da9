#include "engine/machine/machine.h"
#include "engine/session/session.h"
#include "tests/store/samples.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

Environment two_cpus() {
  Environment environment;
  environment.cpu_model = "AMD EPYC 7B13";
  environment.memory_total_bytes = environment.memory_available_bytes = std::int64_t{4} << 30;
  for (const int number : {0, 1}) {
    Cpu cpu;
    cpu.number = number;
    cpu.online = cpu.allowed = true;
    environment.cpus.push_back(cpu);
  }
  return environment;
}

Placement on(int cpu) {
  return {Placement::Kind::same_cpu, cpu, cpu};
}

TEST(NewRun, KnowsTheLevelOfEachOfItsCpusAndOfNoOther) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  const auto levels_on = [&](const std::vector<Placement>& placements) {
    Plan plan;
    plan.sizes_bytes = {65536};
    plan.strides_bytes = {128};
    plan.placements = placements;
    plan.budget_s = 1;
    return new_run(plan, two_cpus(), store).run.thresholds.stored_levels;
  };
  using Levels = std::map<std::string, StoredLevel>;
  store.remember_cpu_level(machine_key(two_cpus()), 1, {2.75, 3.35, 640.25, "2026-11-30T00:00:00.000Z"});
  EXPECT_EQ(levels_on({on(0)}), Levels{});
  EXPECT_EQ(levels_on({on(0), on(1)}), (Levels{{"1", {2.75, 640.25}}}));
  EXPECT_EQ(levels_on({{Placement::Kind::two_cpus, 1, 0}}), Levels{});

  store.remember_cpu_level(machine_key(two_cpus()), 0, {2.5, 3, 0, "2026-11-30T00:00:00.000Z"});
  EXPECT_EQ(levels_on({on(0), on(1)}), (Levels{{"0", {2.5, 0}}, {"1", {2.75, 640.25}}}));
}

TEST(ResumedRun, ANewSessionIsAddedOnlyWhereNoneIsLeft) {
  struct Case {
    int asked = 1;
    std::vector<bool> begun_and_finished;
    int asked_then = 0;
    int begins_with = 0;
  };
  const std::vector<Case> cases{{1, {true}, 2, 1},        // completed
                                {1, {false}, 2, 1},       // cut short: left as it is
                                {5, {true, false}, 5, 2}, // some are left: the next of them
                                {2, {true, true}, 3, 2}};
  for (const auto& [asked, finished, asked_then, begins_with] : cases) {
    const TemporaryFolder folder;
    Store store(folder / "a.db");
    Plan plan;
    plan.sizes_bytes = {65536};
    plan.strides_bytes = {128};
    plan.placements = {on(1)};
    plan.budget_s = 1;
    plan.sessions = asked;
    RunTask task = new_run(plan, two_cpus(), store);
    for (const bool is_finished : finished) {
      Session session;
      session.number = static_cast<int>(task.run.sessions.size());
      if (is_finished) session.finished_at = "2026-11-30T19:22:00.200Z";
      task.run.sessions.push_back(session);
    }
    store.append(RunStarted{task.run});
    RunEnded end;
    end.state =
        finished.back() && static_cast<int>(finished.size()) == asked ? RunState::completed : RunState::cancelled;
    store.append(end);
    const RunTask added = resumed_run(task.run.id, two_cpus(), store, false, true);
    EXPECT_EQ(added.run.plan.sessions, asked_then);
    EXPECT_EQ(first_session_of(added).number, begins_with);
    const RunTask again = resumed_run(task.run.id, two_cpus(), store, false);
    EXPECT_EQ(again.run.plan.sessions, asked);
    if (end.state == RunState::completed) {
      EXPECT_EQ(first_session_of(again).number, static_cast<int>(finished.size()) - 1) << "its points without data";
    }
  }
}

} // namespace
} // namespace switchscope
