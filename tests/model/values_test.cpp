#include "engine/model/block.h"
#include "engine/model/environment.h"
#include "engine/model/names.h"

#include <gtest/gtest.h>

using namespace switchscope;

namespace {

TEST(Environment, TheLowerLimitOnRealTimeHolds) {
  EXPECT_EQ(lower_rt_runtime_us(950'000, std::nullopt), 950'000);
  EXPECT_EQ(lower_rt_runtime_us(950'000, -1), 950'000);
  EXPECT_EQ(lower_rt_runtime_us(950'000, 300'000), 300'000);
  EXPECT_EQ(lower_rt_runtime_us(std::nullopt, 300'000), 300'000);
  EXPECT_EQ(lower_rt_runtime_us(-1, 300'000), -1) << "switched off for groups too";
  EXPECT_EQ(lower_rt_runtime_us(std::nullopt, std::nullopt), std::nullopt);
}

TEST(Block, CountsTwoSwitchesARoundTripAndOneTripOtherwise) {
  Block block;
  block.trips = 100;
  block.elapsed_ns = 1000;
  block.phase = Phase::switching;
  EXPECT_EQ(per_operation_ns(block), 5.0);
  block.phase = Phase::baseline_a;
  EXPECT_EQ(per_operation_ns(block), 10.0);
  block.phase = Phase::baseline_b;
  EXPECT_EQ(per_operation_ns(block), 10.0);
}

TEST(Names, ReadBackAsTheyAreWritten) {
  const std::pair<Phase, std::string> phases[] = {
      {Phase::baseline_a, "S2A"}, {Phase::switching, "S1"}, {Phase::baseline_b, "S2B"}};
  for (const auto& [phase, word] : phases) {
    EXPECT_EQ(name_of(phase), word);
    EXPECT_EQ(parse_phase(word), phase);
  }
  const std::pair<SetAside, std::string> reasons[] = {{SetAside::none, ""},
                                                      {SetAside::other_policy, "other-policy"},
                                                      {SetAside::contended, "contended"},
                                                      {SetAside::clock_moved, "clock-moved"},
                                                      {SetAside::stolen, "stolen"},
                                                      {SetAside::faulted, "faulted"},
                                                      {SetAside::migrated, "migrated"},
                                                      {SetAside::stalled, "stalled"},
                                                      {SetAside::throttled, "throttled"},
                                                      {SetAside::other_state, "other-state"},
                                                      {SetAside::involuntary, "involuntary"}};
  for (const auto& [reason, word] : reasons) {
    EXPECT_EQ(name_of(reason), word);
    EXPECT_EQ(parse_set_aside(word), reason);
  }
  EXPECT_EQ(parse_phase("s1"), std::nullopt);
  EXPECT_EQ(parse_set_aside("odd"), std::nullopt);
  EXPECT_EQ(names_listed<Access>(), "read, write or rmw");
}

Environment two_cores() {
  Environment environment;
  environment.caches = {{1, "data", 32 << 10, 64, {0}, "reported"},
                        {1, "instruction", 64 << 10, 64, {1}, "reported"},
                        {1, "data", 48 << 10, 64, {1}, "reported"},
                        {3, "unified", 8 << 20, 64, {0, 1}, "reported"},
                        {2, "unified", 512 << 10, 64, {0}, "reported"}};
  return environment;
}

TEST(Caches, AreThoseThatServeTheCpu) {
  EXPECT_EQ(cache_bytes(two_cores(), 0, 1), 32 << 10);
  EXPECT_EQ(cache_bytes(two_cores(), 1, 1), 48 << 10);
  EXPECT_EQ(cache_bytes(two_cores(), 0, 2), 512 << 10);
  EXPECT_EQ(cache_bytes(two_cores(), 1, 2), std::nullopt);
  EXPECT_EQ(last_level_cache_bytes(two_cores(), 0), 8 << 20);
  EXPECT_EQ(last_level_cache_bytes(two_cores(), 7), std::nullopt);
}

} // namespace
