#include "engine/analysis/contention.h"

#include <gtest/gtest.h>

#include <numeric>

namespace switchscope {
namespace {

const double gap_ratio = Thresholds{}.contention_gap_ratio;

using Source = ContentionSplit::Source;

// `count` probes evenly spread between two readings of adds per cycle.
void add_probes(std::vector<Probe>& probes, int count, double from, double to, double self_pipe_ns) {
  for (int i = 0; i < count; ++i)
    probes.push_back({3.2, from + (to - from) * i / std::max(1, count - 1), self_pipe_ns});
}

TEST(OtsuCut, FallsBetweenTheTwoGroups) {
  EXPECT_EQ(otsu_cut(std::vector<double>{1.6, 1.7, 1.8, 3.3, 3.4}, 1), 3U);
  EXPECT_EQ(otsu_cut(std::vector<double>{1.6, 3.3, 3.3, 3.4, 3.4}, 1), 1U);
}

TEST(OtsuCut, LeavesEnoughAbove) {
  EXPECT_EQ(otsu_cut(std::vector<double>{1, 1, 1, 1.1, 9}, 2), 3U);
}

TEST(OtsuCut, OfEqualValuesIsNone) {
  EXPECT_EQ(otsu_cut(std::vector<double>(10, 3.35), 1), 0U);
  EXPECT_EQ(otsu_cut({}, 1), 0U);
}

TEST(ContentionSplit, IsTheMiddleOfTheRunsOwnGap) {
  std::vector<Probe> probes;
  add_probes(probes, 100, 3.3, 3.4, 900);
  add_probes(probes, 100, 1.6, 2.3, 1200);
  const ContentionSplit split = contention_split(probes, gap_ratio, std::nullopt);
  EXPECT_EQ(split.source, Source::this_run);
  EXPECT_NEAR(split.split_adds_per_cycle, 2.8, 0.02);
  EXPECT_NEAR(split.clean_adds_per_cycle, 3.35, 0.01);
  EXPECT_EQ(split.clean_self_pipe_ns, 900);
  EXPECT_EQ(split.contended_share, 0.5);
}

TEST(ContentionSplit, SurvivesProbesInsideTheGap) { // shared for a part of the probe
  std::vector<Probe> probes;
  add_probes(probes, 1000, 3.3, 3.4, 900);
  add_probes(probes, 200, 1.6, 2.3, 1200);
  add_probes(probes, 20, 2.35, 3.25, 1000);
  const ContentionSplit split = contention_split(probes, gap_ratio, std::nullopt);
  EXPECT_EQ(split.source, Source::this_run);
  EXPECT_GT(split.split_adds_per_cycle, 2.3);
  EXPECT_LT(split.split_adds_per_cycle, 3.3);
}

TEST(ContentionSplit, OfAQuietRunIsUnknownWithoutAStoredOne) {
  std::vector<Probe> probes;
  add_probes(probes, 500, 3.2, 3.4, 900);
  EXPECT_EQ(contention_split(probes, gap_ratio, std::nullopt), ContentionSplit{});
}

TEST(ContentionSplit, OfAQuietRunIsTheStoredOne) {
  std::vector<Probe> probes;
  add_probes(probes, 500, 3.2, 3.4, 900);
  const ContentionSplit split = contention_split(probes, gap_ratio, StoredLevel{2.8, 0});
  EXPECT_EQ(split.source, Source::stored);
  EXPECT_EQ(split.split_adds_per_cycle, 2.8);
  EXPECT_EQ(split.clean_self_pipe_ns, 900);
  EXPECT_EQ(split.contended_share, 0);
}

TEST(ContentionSplit, OfARunThatWasNeverAloneIsTheStoredOneWithItsSelfPipe) {
  std::vector<Probe> probes;
  add_probes(probes, 300, 2.2, 2.3, 1200); // a gap of its own, but all below the split known from before
  add_probes(probes, 300, 1.5, 1.6, 1300);
  const ContentionSplit split = contention_split(probes, gap_ratio, StoredLevel{2.8, 910});
  EXPECT_EQ(split.source, Source::stored);
  EXPECT_EQ(split.clean_adds_per_cycle, 0);
  EXPECT_EQ(split.clean_self_pipe_ns, 910);
  EXPECT_EQ(split.contended_share, 1);
}

TEST(ContentionSplit, TakesTheTopmostOfSeveralGaps) {
  std::vector<Probe> probes;
  add_probes(probes, 50, 3.3, 3.4, 900); // alone
  add_probes(probes, 475, 2.2, 2.3, 1100);
  add_probes(probes, 475, 1.2, 1.3, 1300);
  const ContentionSplit split = contention_split(probes, gap_ratio, std::nullopt);
  EXPECT_NEAR(split.split_adds_per_cycle, 2.8, 0.05);
  EXPECT_NEAR(split.contended_share, 0.95, 1e-9);
}

TEST(ContentionSplit, DoesNotTakeAFewProbesThatReadTooHighForTheCleanSide) {
  const auto source_with = [](int ordinary, int too_high) { // the dependent chain was interrupted three times over
    std::vector<Probe> probes;
    add_probes(probes, ordinary, 3.3, 3.4, 900);
    add_probes(probes, too_high, 6, 7, 900);
    return contention_split(probes, gap_ratio, std::nullopt).source;
  };
  EXPECT_EQ(source_with(985, 15), Source::unknown); // less than 2 %
  EXPECT_EQ(source_with(975, 25), Source::this_run);
  EXPECT_EQ(source_with(60, 5), Source::unknown); // fewer than 6
  EXPECT_EQ(source_with(60, 6), Source::this_run);
}

TEST(ContentionSplit, NeedsAGapWiderThanTheThreshold) {
  std::vector<Probe> probes;
  add_probes(probes, 100, 3.3, 3.4, 900);
  add_probes(probes, 100, 2.6, 2.7, 1200); // gap of 18 %
  EXPECT_EQ(contention_split(probes, 0.15, std::nullopt).source, Source::this_run);
  EXPECT_EQ(contention_split(probes, 0.25, std::nullopt).source, Source::unknown);
}

TEST(ContentionSplit, OfNoOrUnreadProbesIsUnknown) {
  EXPECT_EQ(contention_split({}, gap_ratio, std::nullopt), ContentionSplit{});
  EXPECT_EQ(contention_split(std::vector<Probe>(100), gap_ratio, std::nullopt), ContentionSplit{});
}

} // namespace
} // namespace switchscope
