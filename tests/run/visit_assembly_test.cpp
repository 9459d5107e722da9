#include "engine/run/visit_assembly.h"

#include <gtest/gtest.h>

#include <variant>

using namespace switchscope;

namespace {

VisitOutcome outcome_with(bool checksum_ok) {
  VisitAssembly assembly(7, Method::paired);
  for (const Phase phase : {Phase::baseline_a, Phase::switching, Phase::baseline_b}) {
    Block block;
    block.phase = phase;
    block.trips = 10;
    block.elapsed_ns = 1000;
    EXPECT_FALSE(assembly.take(BlockLine{7, block}));
  }
  VisitReport report;
  report.checksum_ok = checksum_ok;
  return assembly.take(Done{7, report}).value();
}

} // namespace

TEST(VisitAssembly, aVerifiedVisitIsItsBlocksAndReport) {
  const VisitOutcome outcome = outcome_with(true);
  ASSERT_TRUE(std::holds_alternative<VisitData>(outcome));
  EXPECT_EQ(std::get<VisitData>(outcome).blocks.size(), 3u);
}

TEST(VisitAssembly, aWrongChecksumIsAFailureAndNoNumber) {
  const VisitOutcome outcome = outcome_with(false);
  ASSERT_TRUE(std::holds_alternative<VisitFailure>(outcome));
  EXPECT_EQ(std::get<VisitFailure>(outcome).code, "checksum");
}

namespace {

VisitOutcome outcome_of_round(const std::vector<Phase>& phases, Method method) {
  VisitAssembly assembly(7, method);
  for (const Phase phase : phases) {
    Block block;
    block.phase = phase;
    block.trips = paper_trips;
    block.elapsed_ns = 1000;
    EXPECT_FALSE(assembly.take(BlockLine{7, block}));
  }
  VisitReport report;
  report.checksum_ok = true;
  return assembly.take(Done{7, report}).value();
}

} // namespace

TEST(VisitAssembly, aRoundOfThePapersMethodIsOneSingleAndOneSwitching) {
  using enum Phase;
  EXPECT_TRUE(std::holds_alternative<VisitData>(outcome_of_round({baseline_a, switching}, Method::paper)));
  EXPECT_TRUE(std::holds_alternative<VisitData>(outcome_of_round({switching, baseline_a}, Method::paper)));
  for (const auto& phases : std::vector<std::vector<Phase>>{
           {}, {switching}, {switching, switching}, {switching, baseline_b}, {baseline_a, switching, baseline_b}}) {
    const auto outcome = outcome_of_round(phases, Method::paper);
    ASSERT_TRUE(std::holds_alternative<VisitFailure>(outcome)) << phases.size();
    EXPECT_EQ(std::get<VisitFailure>(outcome).code, "incomplete");
  }
  EXPECT_TRUE(std::holds_alternative<VisitFailure>(outcome_of_round({baseline_a, switching}, Method::paired)));
}
