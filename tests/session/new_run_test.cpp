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

} // namespace
} // namespace switchscope
