#include "app/cli/table.h"

#include "app/cli/columns.h"
#include "tests/export/golden.h"
#include "tests/export/sample_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace switchscope {
namespace {

std::string table_of(const sample::Sample& sample) {
  return result_table(sample.run, sample.visits, sample.estimates);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string line_with(const std::string& text, const std::string& part) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (has(line, part)) return line;
  return {};
}

void expect_fits(const std::string& table) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(width_of(line), table_columns) << line;
}

TEST(Table, ofAQuietRun) {
  expect_golden("cli/quiet_table.txt", table_of(sample::quiet_run()));
}

TEST(Table, ofATroubledRun) {
  expect_golden("cli/troubled_table.txt", table_of(sample::troubled_run()));
}

TEST(Table, fitsInAHundredColumns) {
  expect_fits(table_of(sample::quiet_run()));
  expect_fits(table_of(sample::troubled_run()));
}

TEST(Table, fitsWithLongNumbersAndEveryFlag) {
  auto sample = sample::troubled_run();
  for (std::size_t i = 1; i < sample.estimates.points.size(); ++i) {
    auto& estimate = sample.estimates.points[i];
    if (estimate.state == EstimateState::failed) continue;
    estimate.total = sample::interval(-12'345.6, 12'345.6, 23'456.7);
    estimate.total_all_blocks = sample::interval(1'000'000, 1'234'567, 2'000'000);
    if (estimate.indirect) estimate.indirect = sample::interval(-123'400, -119'300, -103'500);
    estimate.blocks = 12'345;
    estimate.blocks_used = 12'300;
    estimate.depends_on_set_aside = true;
    estimate.flags.clear();
    if (i == 3)
      for (const auto& [flag, word] : Names<Flag>::table) estimate.flags.push_back(flag);
  }
  expect_fits(table_of(sample));
}

TEST(Table, ofCountersFitsWithEveryEvent) {
  auto sample = sample::troubled_run();
  for (auto& estimate : sample.estimates.points) estimate.counters.clear();
  for (const std::string name : {"cycles", "instructions", "cache-misses", "dtlb-misses"})
    sample.estimates.points[0].counters.push_back({name + ":u", "count", -123'456'789, 1, 0.5});
  sample.estimates.points[0].counters.push_back({"context-switches", "count", 1, 1, 1});
  sample.estimates.points[0].counters.push_back({"package-joules", "J", -0.01, 1, 1});
  const auto table = table_of(sample);
  expect_fits(table);
  EXPECT_TRUE(has(table, "−10000 µJ")) << table;
  EXPECT_FALSE(has(table, "context-switches")) << table;
}

TEST(Table, hasNoCountersWhereNoneWereReadAndSaysWhy) {
  auto sample = sample::quiet_run();
  EXPECT_FALSE(has(table_of(sample), "ounters")) << "this machine did not tell";
  sample.run.before.hardware_counters = "No such file or directory";
  EXPECT_TRUE(has(table_of(sample), "No hardware counters here (No such file or directory)"));
  sample.run.before.hardware_counters = "yes";
  EXPECT_TRUE(has(table_of(sample), "Hardware counters were not read: the run ended before"));
  EXPECT_FALSE(has(table_of(sample), "\nper switch ")) << "no empty table";
}

TEST(Table, addedPointsAreNoCombinationsOfThePlan) {
  auto sample = sample::quiet_run();
  EXPECT_FALSE(has(table_of(sample), "Left out"));
  sample.run.plan.strides_bytes = {128, 1 << 20}; // seven sizes, the largest 1 MiB
  sample.run.left_out = 6;
  sample.run.points.push_back(sample::point(320)); // added where the curve changes
  sample.estimates.points.push_back(sample::estimate(8, EstimateState::clean, sample::interval(5900, 6000, 6100),
                                                     sample::interval(3200, 3360, 3500)));
  EXPECT_TRUE(has(table_of(sample), "\nLeft out: 6 of 14 combinations, whose stride")) << table_of(sample);
}

TEST(Table, countsSayThatTheyHaveNoInterval) {
  auto sample = sample::troubled_run();
  EXPECT_TRUE(has(table_of(sample), "Each count is the mean of 1 to 2 visits, without an interval."))
      << table_of(sample);
  for (auto& estimate : sample.estimates.points)
    for (auto& counter : estimate.counters) counter.visits = 1;
  EXPECT_TRUE(has(table_of(sample), "Each count is of one visit, so it has no interval.")) << table_of(sample);
}

TEST(Table, whatOtherToolsPrintHasTheStateOfItsPoint) {
  auto sample = sample::quiet_run();
  EXPECT_TRUE(has(table_of(sample), "2 x S1 without data (usecs/op)\n")) << table_of(sample);
  sample.estimates.points[0].state = EstimateState::contended;
  EXPECT_TRUE(has(table_of(sample), "2 x S1 without data (usecs/op) · contended\n")) << table_of(sample);
  EXPECT_FALSE(has(line_with(table_of(sample), "lat_ctx -s KIB"), "contended")) << "there is no such point";
}

TEST(Table, directCostComesFirst) {
  const auto table = table_of(sample::quiet_run());
  EXPECT_LT(table.find("no data"), table.find(" 16 KiB"));
}

TEST(Table, rangeOfFewVisitsIsNeverShownAsAnInterval) {
  const auto table = table_of(sample::troubled_run());
  const auto row = line_with(table, " 16 KiB");
  EXPECT_TRUE(has(row, "2.80 µs (seen 2.68…2.92)")) << row;
  EXPECT_FALSE(has(row, " to ")) << row;
  EXPECT_TRUE(has(table, "It is a range, not an interval."));
}

TEST(Table, oneVisitHasNoRange) {
  auto sample = sample::quiet_run();
  sample.estimates.points[1].total = sample::range(2800, 2800, 2800);
  const auto row = line_with(table_of(sample), " 16 KiB");
  EXPECT_EQ(row.find("(seen"), std::string::npos) << row;
  EXPECT_TRUE(has(row, "2.80 µs  ")) << row;
}

TEST(Table, intervalThatHoldsZeroSaysSo) {
  auto sample = sample::quiet_run();
  EXPECT_TRUE(has(line_with(table_of(sample), " 64 KiB"), "60 ns (−70 to 190)°"));
  EXPECT_TRUE(has(table_of(sample), "not distinguishable from 0"));
  sample.estimates.points[2].indirect = sample::interval(10, 60, 110);
  EXPECT_FALSE(has(table_of(sample), "°")) << "no other interval of this run holds 0";
}

TEST(Table, negativeCostsKeepTheirSign) {
  EXPECT_TRUE(has(table_of(sample::troubled_run()), "−2.58 µs (−2.70 to −2.46)"));
}

TEST(Table, answerThatDependsOnWhatWasSetAsideIsMarked) {
  const auto table = table_of(sample::troubled_run());
  EXPECT_TRUE(has(line_with(table, "128 KiB"), "2.93 µs†"));
  EXPECT_TRUE(has(table, "† the answer depends on what was set aside"));
  EXPECT_FALSE(has(table_of(sample::quiet_run()), "†"));
}

TEST(Table, correctedPointShowsItsRawValueBelow) {
  const auto table = table_of(sample::troubled_run());
  EXPECT_TRUE(has(line_with(table, "raw"), "5.10 µs (4.70 to 5.50)"));
}

TEST(Table, contendedRunSaysSo) {
  const auto table = table_of(sample::troubled_run());
  EXPECT_TRUE(has(table, "Measured while another tenant was busy: 1 of 11 points.")) << table;
  EXPECT_TRUE(has(table, "contended 150 (50.0 %), clock-moved 30 (10.0 %)")) << table;
  EXPECT_FALSE(has(table_of(sample::quiet_run()), "another tenant was busy:"));
  auto unsteady = sample::troubled_run(); // no probe told of a neighbour
  unsteady.estimates.points[2].used_despite.erase(SetAside::contended);
  EXPECT_TRUE(has(table_of(unsteady), "Measured while the machine was not steady: 1 of 11 points."));
}

TEST(Table, machineThatChangedIsTold) {
  auto sample = sample::quiet_run();
  sample.run.after = sample.run.before;
  EXPECT_FALSE(has(table_of(sample), "The machine changed"));
  sample.run.after->clock_source += "-later";
  EXPECT_TRUE(has(table_of(sample), "The machine changed during the run: clock source was")) << table_of(sample);
}

TEST(Table, contendedPointDoesNotUseThePairsOfAnotherPolicy) {
  auto sample = sample::troubled_run();
  sample.estimates.points[2].set_aside = {{SetAside::other_policy, 9}};
  const auto table = table_of(sample);
  EXPECT_TRUE(has(table, "all pairs\n  but those of another policy are used")) << table;
  EXPECT_TRUE(has(table, "other-policy 9 (")) << table;
}

TEST(Table, pointGivenUpKeepsItsRowAndSaysWhy) {
  auto sample = sample::quiet_run();
  for (const std::size_t i : {1u, 2u}) {
    sample.estimates.points[i].flags = {Flag::failed};
    sample.estimates.points[i].failure = "The worker was silent for 3 s.";
  }
  sample.estimates.points[3].flags = {Flag::failed};
  sample.estimates.points[3].failure = "The worker crashed.";
  const auto table = table_of(sample);
  EXPECT_TRUE(has(line_with(table, " 16 KiB"), "clean failed")) << table;
  EXPECT_TRUE(has(table, "\n2 points could not be measured any further: The worker was silent for 3 s.\n")) << table;
  EXPECT_TRUE(has(table, "\n1 point could not be measured any further: The worker crashed.\n")) << table;
  EXPECT_FALSE(has(table, "Failed: ")) << table;
}

TEST(Table, pointsNeverVisitedAreSummedUp) {
  auto sample = sample::quiet_run();
  sample.visits.resize(5);
  for (const std::size_t i : {5u, 6u, 7u}) {
    sample.estimates.points[i] = {};
    sample.estimates.points[i].failure = "No visit of this point was made; resume the run to measure it.";
  }
  const auto table = table_of(sample);
  EXPECT_TRUE(has(table, "\n3 points were not visited.\n")) << table;
  EXPECT_FALSE(has(table, "Failed: ")) << table;
}

TEST(Table, failuresAreGroupedAndTheCommonOnesListed) {
  auto sample = sample::quiet_run();
  for (std::size_t i = 0; i < 8; ++i) {
    sample.estimates.points[i] = {};
    sample.estimates.points[i].failure = i < 2 ? "Same." : "Reason " + std::to_string(i) + '.';
  }
  const auto table = table_of(sample);
  EXPECT_TRUE(has(table, "\nFailed: 2 points: Same.\nFailed: 64 KiB rmw strided 128 B: Reason 2.\n")) << table;
  EXPECT_TRUE(has(table, "Reason 5.\nAnd 2 more reasons.\n")) << table;
  EXPECT_FALSE(has(table, "Reason 6.")) << table;
}

TEST(Table, refusedRealTimePolicySaysWhatAllowsIt) {
  auto sample = sample::quiet_run();
  for (auto& estimate : sample.estimates.points) estimate.flags = {Flag::policy_fallback};
  auto& report = std::get<VisitData>(sample.visits[1].outcome).report;
  report.policy = Policy::other;
  report.policy_reason = "SCHED_FIFO was refused";
  EXPECT_TRUE(has(table_of(sample),
                  "policy (every point): a real-time policy was not allowed, so ordinary scheduling was used. "
                  "Allow"))
      << table_of(sample);
  EXPECT_TRUE(has(table_of(sample), "cap_sys_nice,cap_ipc_lock+ep PATH/TO/switchscope-worker\n")) << table_of(sample);
  report.fifo_too_long = true;
  EXPECT_FALSE(has(table_of(sample), "setcap")) << "a right would not have helped";
}

TEST(Table, flagOfEveryPointIsSaidOnce) {
  auto sample = sample::quiet_run();
  for (auto& estimate : sample.estimates.points) estimate.flags = {Flag::policy_fallback};
  const auto table = table_of(sample);
  EXPECT_TRUE(has(table, "policy (every point): the scheduling policy is not the one asked."));
  EXPECT_FALSE(has(line_with(table, " 16 KiB"), "policy"));
}

TEST(Table, axesThatDoNotVaryStandInTheHeading) {
  const auto table = table_of(sample::quiet_run());
  EXPECT_TRUE(has(table, "rmw · strided 128 B · CPU 1 · 4 KiB pages · vector · FIFO 50\n"));
}

TEST(Table, axesThatVaryHeadTheirCurves) {
  auto sample = sample::quiet_run();
  auto other = sample.run.points[1];
  other.stride_bytes = 8;
  sample.run.points.push_back(other);
  auto elsewhere = sample.run.points[0];
  elsewhere.placement = {Placement::Kind::two_cpus, 0, 1};
  sample.run.points.push_back(elsewhere);
  for (const int index : {8, 9})
    sample.estimates.points.push_back(sample::estimate(index, EstimateState::clean, sample::interval(1, 2, 3)));
  const auto table = table_of(sample);
  EXPECT_TRUE(has(table, "\nstrided 8 B (sequential) · CPU 1\n")) << table;
  EXPECT_TRUE(has(table, "\ndirect cost · CPUs 0:1 (wake-up latency)\n")) << table;
}

TEST(Table, namesFromElsewhereCannotDriveTheTerminal) {
  EXPECT_FALSE(has(table_of(sample::troubled_run()), "\x1b"));
}

TEST(Table, runWithoutAnyVisitIsATableOfNothing) {
  auto sample = sample::quiet_run();
  sample.visits.clear();
  for (auto& estimate : sample.estimates.points) estimate = {};
  const auto table = table_of(sample);
  EXPECT_TRUE(has(table, "policy asked: auto")) << table;
  EXPECT_TRUE(has(line_with(table, " 16 KiB"), "failed")) << table;
}

TEST(Table, otherToolsStandBelowWithTheirFormulas) {
  const auto table = table_of(sample::quiet_run());
  EXPECT_TRUE(has(table, "Other tools here would print"));
  EXPECT_TRUE(has(line_with(table, "perf bench sched pipe"), "2 x S1 without data (usecs/op)")) << table;
  EXPECT_TRUE(has(line_with(table, "lat_ctx -s KIB 2"), "  –  ")) << table;
  auto sample = sample::quiet_run();
  for (auto& point : sample.run.points) point.placement = {Placement::Kind::two_cpus, 0, 1};
  EXPECT_FALSE(has(table_of(sample), "Other tools")) << "two CPUs measure wake-up latency";
}

TEST(Table, thePapersMethodIsNamedAndHasNoPrecision) {
  auto sample = sample::quiet_run();
  sample.run.plan.methods = {Method::paper};
  for (auto& point : sample.run.points) point.method = Method::paper;
  for (auto& estimate : sample.estimates.points) {
    estimate.state = EstimateState::paper;
    estimate.flags = {Flag::stalled};
  }
  sample.estimates.points[1].stalls = {{SetAside::stalled, 2}};
  const auto table = table_of(sample);
  EXPECT_TRUE(has(table, "the paper's method · rmw")) << table;
  EXPECT_TRUE(has(table, "stalled: 2 stalls in the rounds")) << table;
  EXPECT_FALSE(has(table, "Precise:")) << table;
  EXPECT_FALSE(has(table, "those pairs are set aside")) << table;
}

} // namespace
} // namespace switchscope
