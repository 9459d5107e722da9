#include "engine/worker/clock.h"
#include "engine/worker/probe.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

TEST(Clock, RateIsTicksPerNanosecondOverTheWholeSpan) {
  const ClockRate rate = rate_between({1000, 5000}, {3000, 6000}, {5000, 7000});
  EXPECT_DOUBLE_EQ(rate.ticks_per_ns, 2.0);
  EXPECT_DOUBLE_EQ(rate.drift_ppm, 0.0);
}

TEST(Clock, DriftIsTheSecondHalfAgainstTheFirst) {
  const ClockRate rate = rate_between({0, 0}, {1'000'000, 1'000'000}, {2'000'100, 2'000'000});
  EXPECT_NEAR(rate.drift_ppm, 100.0, 1e-6);
  EXPECT_DOUBLE_EQ(rate.ticks_per_ns, 1.00005);
  EXPECT_DOUBLE_EQ(rate_between({0, 0}, {0, 0}, {7, 2}).drift_ppm, 0.0);
}

TEST(Clock, TheCounterIsTrustedOnlyWhereTheKernelKeepsTimeByIt) {
#if defined(__x86_64__)
  EXPECT_EQ(choose_clock_source("tsc", true), ClockSource::tsc);
  EXPECT_EQ(choose_clock_source("kvm-clock", true), ClockSource::tsc);
  EXPECT_EQ(choose_clock_source("tsc", false), ClockSource::monotonic_raw);
  EXPECT_EQ(choose_clock_source("hpet", true), ClockSource::monotonic_raw);
  EXPECT_EQ(choose_clock_source("", true), ClockSource::monotonic_raw);
#elif defined(__aarch64__)
  EXPECT_EQ(choose_clock_source("arch_sys_counter", false), ClockSource::cntvct);
  EXPECT_EQ(choose_clock_source("", false), ClockSource::monotonic_raw);
#endif
}

TEST(Clock, EverySourceGoesForwardsAndSamplesBothClocks) {
  for (const ClockSource source : {choose_clock_source("tsc", true), ClockSource::monotonic_raw}) {
    const std::uint64_t first = read_ticks(source);
    EXPECT_GE(read_ticks(source), first) << name_of(source);
    EXPECT_GE(sample_clocks(source).ticks, first) << name_of(source);
  }
  const ClockSample own = sample_clocks(ClockSource::monotonic_raw);
  EXPECT_EQ(own.ticks, static_cast<std::uint64_t>(own.raw_ns));
}

TEST(Probe, IsConvertedByTheClocksRate) {
  // 2 ticks per ns: the dependent adds take twice as many ticks as adds (1 add per ns), the independent a quarter.
  const Probe probe = probe_from({2 * dependent_adds, independent_adds / 2, 3200}, 2.0);
  EXPECT_DOUBLE_EQ(probe.clock_adds_per_ns, 1.0);
  EXPECT_DOUBLE_EQ(probe.adds_per_cycle, 4.0);
  EXPECT_DOUBLE_EQ(probe.self_pipe_ns, 100.0);
}

TEST(ClockTrouble, IsASleepWithinTheVisitOrACounterThatChangedItsRate) {
  EXPECT_EQ(clock_trouble(0, 0), "");
  EXPECT_EQ(clock_trouble(900'000, -9'000), "");
  EXPECT_EQ(clock_trouble(2'500'000'000, 0),
            "the machine was suspended for 2500 ms within the visit, so its times are worth nothing");
  EXPECT_EQ(clock_trouble(0, -480'000.4),
            "the CPU's counter and the kernel's clock ran apart by -480000 ppm within the "
            "visit, so its times are worth nothing");
}

TEST(SuspendedTime, NeverShrinks) {
  const auto before = suspended_ns();
  EXPECT_GE(before, -1'000'000); // the two clocks are read one after the other
  EXPECT_GE(suspended_ns(), before - 1'000'000);
}

} // namespace
} // namespace switchscope
