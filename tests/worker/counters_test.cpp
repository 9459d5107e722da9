// From what each task counted to the readings of the report, and the sentence about what is missing.
#include "engine/worker/counters.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace switchscope {
namespace {

constexpr std::size_t s1 = 1, s2b = 2; // Phase
constexpr std::size_t cycles = 0, dtlb_misses = 3, context_switches = 4;

EventSum all_of_the_time(std::uint64_t counted) {
  return {counted, 1'000'000, 1'000'000};
}

// Each event counts 100 in S1 and 10 in the baseline of A, 1000 and 30 of B.
struct Both {
  CountedPhases a;
  CountedPhases b;
  Both() {
    for (CountedEvent& event : a.events) event.sums = {all_of_the_time(10), all_of_the_time(100), EventSum{}};
    for (CountedEvent& event : b.events) event.sums = {EventSum{}, all_of_the_time(1000), all_of_the_time(30)};
    a.trips = {7, 50, 0};
    b.trips = {0, 50, 8};
  }
  void fail(std::size_t event, int error) { a.events[event].error = b.events[event].error = error; }
  [[nodiscard]] std::vector<CounterReading> readings() const { return readings_of(a, b); }
  [[nodiscard]] std::string reason(std::optional<int> paranoid) const { return counters_reason(a, b, paranoid); }
};

TEST(CounterReadings, AreTheSumsOfBothTasksOverTheirTrips) {
  const auto readings = Both().readings();
  ASSERT_EQ(readings.size(), event_count);
  EXPECT_EQ(readings[cycles], (CounterReading{"cycles", "count", 1100, 10, 30, 50, 7, 8, 1}));
  EXPECT_EQ(readings[dtlb_misses].name, "dtlb-misses");
  EXPECT_EQ(readings[context_switches].name, "context-switches");
  EXPECT_EQ(Both().reason(2), "");
}

TEST(CounterReadings, AreScaledUpWhereTheKernelSharedOutTheCounters) {
  Both both;
  both.a.events[cycles].sums[s1] = {100, 1'000'000, 250'000};
  const auto reading = both.readings()[cycles];
  EXPECT_EQ(reading.switching, 100 * 4 + 1000);
  EXPECT_EQ(reading.baseline_a, 10);
  EXPECT_DOUBLE_EQ(reading.scheduled_share, 3.25 / 4);
}

TEST(CounterReadings, LeaveOutWhatHadNoTurnAndWhatCouldNotBeOpened) {
  Both both;
  both.b.events[cycles].sums[s2b] = {0, 1'000'000, 0};
  both.b.events[dtlb_misses].error = ENOENT;
  const auto readings = both.readings();
  ASSERT_EQ(readings.size(), 3u);
  EXPECT_EQ(readings[0].name, "instructions");
  EXPECT_EQ(both.reason(2),
            "cycles had no turn: others hold the processor's counters. End other measurements, and free "
            "one with: sudo sysctl kernel.nmi_watchdog=0\n"
            "dtlb-misses cannot be counted: this processor, or the hypervisor it is lent by, offers no "
            "such counter.");
}

TEST(CounterReadings, AreNoneWithoutTrips) {
  Both both;
  both.a.trips = {};
  EXPECT_TRUE(both.readings().empty());
}

TEST(CounterReadings, EnergyOfS1IsReadByOneTaskOnly) {
  Both both;
  both.a.has_energy_meter = both.b.has_energy_meter = both.a.has_energy = both.b.has_energy = true;
  both.a.joules = {0.25, 2, 0};
  both.b.joules = {0, 1.5, 0.75};
  EXPECT_EQ(both.readings().back(), (CounterReading{"package-joules", "J", 2, 0.25, 0.75, 50, 7, 8, 1}));
  both.b.has_energy = false;
  EXPECT_EQ(both.readings().back().name, "context-switches");
  EXPECT_EQ(both.reason(2), "package-joules cannot be read: only root may. Allow it with: sudo chmod a+r "
                            "/sys/class/powercap/intel-rapl:*/energy_uj");
}

TEST(CounterReadings, OfUserModeOnlyAreNamedSo) {
  Both both;
  both.a.events[cycles].user_only = both.b.events[cycles].user_only = true;
  EXPECT_EQ(both.readings()[cycles].name, "cycles:u");
  EXPECT_EQ(both.reason(2), "cycles are counted in user mode only (:u): kernel.perf_event_paranoid is 2. Count the "
                            "kernel's part too with: sudo sysctl kernel.perf_event_paranoid=1");
}

TEST(CountersReason, NamesTheCauseAndTheCommandThatChangesIt) {
  const auto reason = [](int error, std::optional<int> paranoid) {
    Both both;
    both.fail(context_switches, error);
    return both.reason(paranoid);
  };
  EXPECT_EQ(reason(EACCES, 3), "context-switches cannot be counted: kernel.perf_event_paranoid is 3. Allow it with: "
                               "sudo sysctl kernel.perf_event_paranoid=1");
  for (const std::optional<int> paranoid : {std::optional(1), std::optional<int>()})
    EXPECT_EQ(reason(EPERM, paranoid),
              "context-switches cannot be counted: the kernel refuses it, and not by "
              "kernel.perf_event_paranoid. The filter of a container may be the cause; run the "
              "worker outside of it.");
  EXPECT_EQ(reason(ENOSYS, 2), "context-switches cannot be counted: this kernel is built without performance events.");
  EXPECT_EQ(reason(EMFILE, 2), "context-switches cannot be counted: Too many open files (error 24).");
}

TEST(CountersReason, JoinsEventsOfOneCause) {
  Both both;
  for (const std::size_t event : {0u, 1u, 2u, 3u}) both.fail(event, ENOENT);
  EXPECT_EQ(both.reason(2), "cycles, instructions, cache-misses, dtlb-misses cannot be counted: this processor, or the "
                            "hypervisor it is lent by, offers no such counter.");
}

} // namespace
} // namespace switchscope
