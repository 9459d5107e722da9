#include "engine/run/fifo_account.h"

#include "engine/run/seeds.h"

#include <gtest/gtest.h>

using namespace switchscope;

namespace {

constexpr std::int64_t ms = 1'000'000;

Placement on(int a, int b) {
  return {a == b ? Placement::Kind::same_cpu : Placement::Kind::two_cpus, a, b};
}

Environment limits(std::optional<std::int64_t> runtime_us, std::optional<std::int64_t> period_us) {
  Environment environment;
  environment.rt_runtime_us = runtime_us;
  environment.rt_period_us = period_us;
  return environment;
}

} // namespace

TEST(FifoAccount, LetsTheFirstVisitsThroughUpToNineTenths) {
  FifoAccount account(limits(950'000, 1'000'000)); // 855 ms in any second
  EXPECT_EQ(account.wait_ns(on(1, 1), 0, 500 * ms), 0);
  account.spent(on(1, 1), 500 * ms, 500 * ms);
  EXPECT_EQ(account.wait_ns(on(1, 1), 500 * ms, 355 * ms), 0);
}

TEST(FifoAccount, WaitsUntilTheVisitFitsIntoThePeriod) {
  FifoAccount account(limits(950'000, 1'000'000));
  account.spent(on(1, 1), 800 * ms, 800 * ms);
  // 100 ms more: at most 755 of the past may be in the second that ends with it, so it may end at 45 + 1000.
  EXPECT_EQ(account.wait_ns(on(1, 1), 800 * ms, 100 * ms), 145 * ms);
  EXPECT_EQ(account.wait_ns(on(1, 1), 945 * ms, 100 * ms), 0);
}

TEST(FifoAccount, KeepsCpusApartButFreeTasksMayRunOnAny) {
  FifoAccount account(limits(950'000, 1'000'000));
  account.spent(on(1, 1), 850 * ms, 850 * ms);
  EXPECT_EQ(account.wait_ns(on(0, 0), 850 * ms, 100 * ms), 0);
  EXPECT_GT(account.wait_ns(on(0, 1), 850 * ms, 100 * ms), 0);
  EXPECT_GT(account.wait_ns({Placement::Kind::free, -1, -1}, 850 * ms, 100 * ms), 0);
  FifoAccount free(limits(950'000, 1'000'000));
  free.spent({Placement::Kind::free, -1, -1}, 850 * ms, 850 * ms);
  EXPECT_GT(free.wait_ns(on(0, 0), 850 * ms, 100 * ms), 0);
}

TEST(FifoAccount, WithoutLimitNothingWaits) {
  FifoAccount account(limits(-1, 1'000'000));
  account.spent(on(1, 1), 5000 * ms, 5000 * ms);
  EXPECT_EQ(account.wait_ns(on(1, 1), 5000 * ms, 1000 * ms), 0);
}

TEST(FifoAccount, KeepsToTheLowerLimitOfTheControlGroup) {
  Environment environment = limits(950'000, 1'000'000);
  environment.rt_group_runtime_us = 500'000; // 450 ms in any second
  FifoAccount account(environment);
  account.spent(on(1, 1), 400 * ms, 400 * ms);
  EXPECT_EQ(account.wait_ns(on(1, 1), 400 * ms, 50 * ms), 0);
  EXPECT_EQ(account.wait_ns(on(1, 1), 400 * ms, 100 * ms), 550 * ms);
}

TEST(ExpectedFifo, IsTheDurationWithAFifthOrWhatTheLastVisitTook) {
  VisitRequest request;
  request.duration_ns = 100 * ms;
  EXPECT_EQ(expected_fifo_ns(request, std::nullopt), 120 * ms);
  EXPECT_EQ(expected_fifo_ns(request, 110 * ms), 120 * ms);
  EXPECT_EQ(expected_fifo_ns(request, 700 * ms), 700 * ms) << "bounded by its pairs, whatever the duration";
  EXPECT_EQ(expected_fifo_ns(request, 0), 0) << "it runs under SCHED_OTHER";
}

TEST(ExpectedFifo, BeforeTheFirstVisitItIsThePairsOfLargeArrays) {
  VisitRequest request;
  request.duration_ns = 50 * ms;
  request.point.array_bytes = 16 << 20;
  EXPECT_EQ(expected_fifo_ns(request, std::nullopt), 3 * 293'601'280LL);
  request.point.array_bytes = 1 << 30; // a pair beyond 400 ms runs under SCHED_OTHER, or is faster than usual
  EXPECT_EQ(expected_fifo_ns(request, std::nullopt), 3 * 400 * ms);
}

TEST(ExpectedFifo, ACountingVisitHasLongerBlocks) {
  VisitRequest request;
  request.duration_ns = 50 * ms;
  request.counters = true;
  request.block_ns = 10 * ms;
  EXPECT_EQ(expected_fifo_ns(request, 55 * ms), 108 * ms);
  EXPECT_EQ(expected_fifo_ns(request, 300 * ms), 300 * ms);
}

TEST(FifoAccount, OrdinaryVisitsNeverWait) {
  FifoAccount account(limits(950'000, 1'000'000));
  account.spent(on(1, 1), 850 * ms, 850 * ms);
  EXPECT_EQ(account.wait_ns(on(1, 1), 850 * ms, 0), 0);
}

TEST(FifoAccount, AVisitLongerThanTheLimitRestsFirst) {
  FifoAccount account(limits(950'000, 1'000'000));
  account.spent(on(1, 1), 100 * ms, 100 * ms);
  EXPECT_EQ(account.wait_ns(on(1, 1), 100 * ms, 3000 * ms), 145 * ms); // 1000 - 855
}

TEST(FifoAccount, UsesTheKernelsDefaultsWhereTheMachineDoesNotTell) {
  FifoAccount account(limits(std::nullopt, std::nullopt));
  account.spent(on(1, 1), 855 * ms, 855 * ms);
  EXPECT_EQ(account.wait_ns(on(1, 1), 855 * ms, 1 * ms), 146 * ms - 1 * ms);
}

// The rule itself, checked by brute force: whatever the visits, no window of one period holds more than the limit.
TEST(FifoAccount, NoPeriodEverHoldsMoreThanNineTenths) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Randomness randomness(seed);
    const std::int64_t runtime_ms = 200 + static_cast<std::int64_t>(randomness.below(800));
    FifoAccount account(limits(runtime_ms * 1000, 1'000'000));
    const std::int64_t limit = runtime_ms * ms * 9 / 10;
    struct Stretch {
      std::int64_t from, to;
    };
    std::vector<Stretch> stretches;
    std::int64_t now = 0;
    for (int i = 0; i < 60; ++i) {
      const std::int64_t fifo = (1 + static_cast<std::int64_t>(randomness.below(170))) * ms;
      now += static_cast<std::int64_t>(randomness.below(30)) * ms;
      now += account.wait_ns(on(1, 1), now, fifo);
      stretches.push_back({now, now + fifo});
      now += fifo;
      account.spent(on(1, 1), now, fifo);
      // The fullest window ends with a stretch.
      std::int64_t held = 0;
      for (const auto& stretch : stretches)
        held += std::max<std::int64_t>(0, stretch.to - std::max(stretch.from, now - 1000 * ms));
      ASSERT_LE(held, limit) << "seed " << seed << " visit " << i;
    }
  }
}
