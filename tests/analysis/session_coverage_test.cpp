// Why sessions are a level of their own: what all visits of a session share is not seen by an interval over its visits.
// 1,000 series of 5 sessions, seeds 1 to 1,000, not chosen.
#include "tests/analysis/synthetic.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace switchscope {
namespace {

using synthetic::Machine;

constexpr int series = 1000;
constexpr int sessions = 5;
constexpr int visits_each = 8;
constexpr double direct_ns = 1800;
constexpr double total_ns = 2700;

struct Held {
  int total = 0;
  int indirect = 0;
};

struct Coverage {
  Held over_sessions;
  Held pooled; // the same visits as if they were of one session
};

// Each session moves both costs by a common offset, and the one with data by another of its own.
std::vector<Visit> visits_of(double offset_sd_ns, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<> normal;
  std::vector<Visit> visits;
  for (int session = 0; session < sessions; ++session) {
    const double shared_ns = offset_sd_ns * normal(random);
    Machine direct;
    direct.cost_ns = direct_ns + shared_ns;
    direct.pairs_per_visit = 4;
    Machine data = direct;
    data.cost_ns = total_ns + shared_ns + offset_sd_ns * normal(random);
    for (Visit& visit :
         synthetic::visits_of(direct, data, visits_each, seed * sessions + static_cast<std::uint64_t>(session))) {
      visit.session = session;
      visit.sequence += 2 * visits_each * session;
      visits.push_back(std::move(visit));
    }
  }
  return visits;
}

void count(Held& held, const PointEstimate& point) {
  if (point.total.low <= total_ns && total_ns <= point.total.high) ++held.total;
  const double truth_ns = total_ns - direct_ns;
  if (point.indirect && point.indirect->low <= truth_ns && truth_ns <= point.indirect->high) ++held.indirect;
}

Coverage coverage_of(double offset_sd_ns) {
  Coverage coverage;
  for (std::uint64_t seed = 1; seed <= series; ++seed) {
    const auto run = synthetic::run_of(seed);
    auto visits = visits_of(offset_sd_ns, seed);
    count(coverage.over_sessions, estimate_run(run, visits).points[1]);
    for (Visit& visit : visits) visit.session = 0;
    count(coverage.pooled, estimate_run(run, visits).points[1]);
  }
  const auto percent = [](int held) { return 100.0 * held / series; };
  std::printf("offset %.0f ns: over sessions total %.1f %%, indirect %.1f %%; pooled total %.1f %%, indirect %.1f %%\n",
              offset_sd_ns, percent(coverage.over_sessions.total), percent(coverage.over_sessions.indirect),
              percent(coverage.pooled.total), percent(coverage.pooled.indirect));
  return coverage;
}

void expect_covered(int held) {
  EXPECT_GE(held, 920);
  EXPECT_LE(held, 980);
}

TEST(SessionCoverage, WithAnOffsetOnlyTheIntervalOverSessionsHolds) {
  const Coverage coverage = coverage_of(100);
  expect_covered(coverage.over_sessions.total);
  expect_covered(coverage.over_sessions.indirect);
  EXPECT_LT(coverage.pooled.total, 900) << "the reason why sessions are the outermost level";
  EXPECT_LT(coverage.pooled.indirect, 900);
}

TEST(SessionCoverage, WithoutAnOffsetBothHold) {
  const Coverage coverage = coverage_of(0);
  expect_covered(coverage.over_sessions.total);
  expect_covered(coverage.over_sessions.indirect);
  expect_covered(coverage.pooled.total);
}

// One long run: blocks of 0.5 % noise, visits 40 ns apart, sessions 100 ns.
TEST(SessionVariance, SharesComeBackFromALongRun) {
  std::vector<Visit> visits;
  std::mt19937_64 random(1);
  std::normal_distribution<> normal;
  Machine machine;
  machine.block_noise_ratio = 0.005;
  const int long_run = 200;
  for (int session = 0; session < long_run; ++session) {
    Machine data = machine;
    data.cost_ns = total_ns + 100 * normal(random);
    for (Visit& visit : synthetic::visits_of(machine, data, visits_each, static_cast<std::uint64_t>(session) + 1)) {
      visit.session = session;
      visit.sequence += 2 * visits_each * session;
      visits.push_back(std::move(visit));
    }
  }
  const auto variance = estimate_run(synthetic::run_of(), visits).points[1].variance;
  ASSERT_TRUE(variance);
  // S1 is 5,000 ns, S2 the mean of two of 2,300: 0.005^2 (5000^2 + 2300^2 / 2).
  const double within_ns2 = 0.005 * 0.005 * (5000.0 * 5000 + 2300.0 * 2300 / 2);
  const double sum_ns2 = within_ns2 + 40 * 40 + 100 * 100;
  EXPECT_NEAR(variance->share_of(variance->within_visits), within_ns2 / sum_ns2, 0.03);
  EXPECT_NEAR(variance->share_of(variance->between_visits), 40 * 40 / sum_ns2, 0.03);
  EXPECT_NEAR(variance->share_of(variance->between_sessions.value_or(0)), 100 * 100 / sum_ns2, 0.05);
}

} // namespace
} // namespace switchscope
