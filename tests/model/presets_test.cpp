#include "engine/model/presets.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

using namespace switchscope;

namespace {

using Sizes = std::vector<std::int64_t>;

const CacheSizes epyc{512 << 10, 32 << 20};

Sizes in_kib(Sizes sizes) {
  for (auto& size : sizes) size *= 1024;
  return sizes;
}

Plan plan_of(const std::string& name, const CacheSizes& caches = epyc) {
  const auto plan = preset_plan(name, caches);
  EXPECT_TRUE(plan) << name;
  return plan.value_or(Plan{});
}

TEST(Presets, AreListedInOrder) {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) {
    names.push_back(preset.name);
    EXPECT_FALSE(preset.summary.empty());
    EXPECT_EQ(preset.summary.find('\n'), std::string::npos);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"l2-cliff", "quick", "direct", "paper-figure-1", "paper-figure-2",
                                             "stride", "memory-mountain", "paper-vs-paired"}));
  EXPECT_EQ(preset_plan("no-such", epyc), std::nullopt);
}

TEST(Presets, CanBeRunWhateverTheCaches) {
  const CacheSizes machines[] = {epyc,
                                 {},
                                 {512 << 10, {}},
                                 {{}, 8 << 20},
                                 {0, -1},
                                 {256 << 10, 256 << 10},
                                 {1000 * 1000, 3'000'000},
                                 {4096, 4096},
                                 {48 << 20, std::int64_t{1} << 30}};
  for (const CacheSizes& caches : machines)
    for (const Preset& preset : presets()) {
      const Plan plan = plan_of(preset.name, caches);
      EXPECT_EQ(plan.preset, preset.name);
      for (const PlanProblem& problem : problems_of(plan)) ADD_FAILURE() << preset.name << ": " << problem.message;
      for (const auto size : plan.sizes_bytes) EXPECT_EQ(size % 64, 0) << preset.name;
    }
}

TEST(L2Cliff, HasThreeSizesPerOctaveAroundTheL2) {
  const Plan plan = plan_of("l2-cliff");
  EXPECT_EQ(plan.sizes_bytes.front(), 16 << 10);
  EXPECT_EQ(plan.sizes_bytes.back(), 2 << 20);
  EXPECT_EQ(plan.sizes_bytes.size(), 7u * 3 + 1);
  EXPECT_EQ(plan.sizes_bytes[1], 21824); // 16 KiB x 4/3, to a line
  EXPECT_EQ(plan.strides_bytes, Sizes{128});
  EXPECT_EQ(plan.accesses, (std::vector{Access::read, Access::read_modify_write}));
  EXPECT_EQ(plan.patterns, std::vector{Pattern::strided});
  EXPECT_EQ(plan.kernels, std::vector{Kernel::vector});
  EXPECT_EQ(plan.budget_s, 60);
  EXPECT_EQ(plan_of("l2-cliff", {}).sizes_bytes.front(), 16 << 10);
  EXPECT_EQ(plan_of("l2-cliff", {}).sizes_bytes.back(), 2 << 20);
}

TEST(Quick, HasEightSizes) {
  EXPECT_EQ(plan_of("quick").sizes_bytes, in_kib({32, 64, 128, 256, 384, 512, 768, 1024}));
  EXPECT_EQ(plan_of("quick", {}).sizes_bytes, in_kib({64, 128, 256, 512, 768, 1024, 1536, 2048}));
  EXPECT_EQ(plan_of("quick").strides_bytes, Sizes{128});
  EXPECT_EQ(plan_of("quick").budget_s, 10);
}

TEST(AddedPoints, BelongToTheSweepsThatLookForACliff) {
  EXPECT_EQ(plan_of("l2-cliff").max_added_points, 16);
  EXPECT_EQ(plan_of("quick").max_added_points, 6);
  for (const char* name :
       {"direct", "paper-figure-1", "paper-figure-2", "paper-vs-paired", "stride", "memory-mountain"})
    EXPECT_EQ(plan_of(name).max_added_points, 0) << name;
}

TEST(AddedPoints, ProlongASweepWithoutAKnownSizeTo64MiB) {
  for (const char* name : {"l2-cliff", "quick"}) {
    EXPECT_EQ(plan_of(name).extend_to_bytes, 0) << name;
    EXPECT_EQ(plan_of(name, {}).extend_to_bytes, 64 << 20) << name;
    EXPECT_EQ(plan_of(name, {}).max_added_points, 2 * plan_of(name).max_added_points) << name;
  }
}

TEST(PaperVsPaired, MeasuresBothMethodsFiveTimes) {
  const Plan plan = plan_of("paper-vs-paired");
  EXPECT_EQ(plan.methods, (std::vector{Method::paired, Method::paper}));
  EXPECT_EQ(plan.sessions, 5);
  EXPECT_EQ(plan.sizes_bytes, in_kib({384}));
  EXPECT_EQ(plan.strides_bytes, Sizes{128});
  EXPECT_EQ(problems_of(plan), std::vector<PlanProblem>{});
}

TEST(Direct, TouchesNoData) {
  EXPECT_EQ(plan_of("direct").sizes_bytes, Sizes{0});
  EXPECT_EQ(plan_of("direct").strides_bytes, Sizes{});
  EXPECT_EQ(plan_of("direct").budget_s, 10);
}

TEST(PaperFigures, ArePapersOwnAxes) {
  const Plan first = plan_of("paper-figure-1");
  EXPECT_EQ(first.sizes_bytes, in_kib({1, 2, 4, 8, 16, 32, 64, 128, 192, 256, 384, 512, 1024, 2048}));
  EXPECT_EQ(first.strides_bytes, Sizes{8});
  EXPECT_EQ(first.accesses, (std::vector{Access::read, Access::write, Access::read_modify_write}));
  EXPECT_EQ(first.kernels, std::vector{Kernel::scalar});
  EXPECT_EQ(expand(first).points.size(), 1u + 3 * 14);
  const Plan second = plan_of("paper-figure-2");
  EXPECT_EQ(second.sizes_bytes, in_kib({32, 128, 256, 384, 512, 2048}));
  EXPECT_EQ(second.strides_bytes, (Sizes{8, 16, 32, 64, 128}));
  EXPECT_EQ(second.accesses, std::vector{Access::read_modify_write});
  EXPECT_EQ(second.kernels, std::vector{Kernel::scalar});
}

TEST(Stride, SweepsStridesByPowersOfTwo) {
  const Plan plan = plan_of("stride");
  EXPECT_EQ(plan.sizes_bytes, in_kib({128, 256, 384, 512, 1024}));
  EXPECT_EQ(plan.strides_bytes, (Sizes{8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096}));
  EXPECT_EQ(plan.patterns, (std::vector{Pattern::strided, Pattern::sparse}));
}

TEST(MemoryMountain, EndsAtFourLastLevelsOr64MiB) {
  EXPECT_EQ(plan_of("memory-mountain").sizes_bytes.back(), 64 << 20);
  EXPECT_EQ(plan_of("memory-mountain", {512 << 10, 8 << 20}).sizes_bytes.back(), 32 << 20);
  EXPECT_EQ(plan_of("memory-mountain", {512 << 10, {}}).sizes_bytes.back(), 64 << 20);
  EXPECT_EQ(plan_of("memory-mountain").sizes_bytes.front(), 16 << 10);
  EXPECT_EQ(plan_of("memory-mountain").strides_bytes, (Sizes{8, 16, 32, 64, 128, 256, 512, 1024}));
}

} // namespace
