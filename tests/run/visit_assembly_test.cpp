#include "engine/run/visit_assembly.h"

#include <gtest/gtest.h>

#include <variant>

using namespace switchscope;

namespace {

VisitOutcome outcome_with(bool checksum_ok) {
  VisitAssembly assembly(7);
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
