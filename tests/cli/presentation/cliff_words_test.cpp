#include "app/cli/cliff_words.h"

#include "tests/export/sample_run.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

Cliff cliff() {
  Cliff cliff;
  cliff.from_bytes = cliff.from_low_bytes = 224 << 10;
  cliff.from_high_bytes = 256 << 10;
  cliff.to_bytes = 416 << 10;
  cliff.to_low_bytes = 384 << 10;
  cliff.to_high_bytes = 448 << 10;
  cliff.step_ns = 5500;
  cliff.step_low_ns = 4900;
  cliff.step_high_ns = 6100;
  cliff.level = "L2";
  cliff.cache_bytes = 512 << 10;
  return cliff;
}

TEST(CliffSentence, NamesTheCache) {
  EXPECT_EQ(
      cliff_sentence(cliff(), TaskKind::process),
      "The cost rises by 5.50 µs (4.90 to 6.10) between 224 KiB and 416 KiB per process: the L2 cache of 512 KiB.");
}

TEST(CliffSentence, SaysHowMuchATranslationCacheReaches) {
  Cliff translation = cliff();
  translation.level = "L2 dTLB";
  EXPECT_EQ(cliff_sentence(translation, TaskKind::thread),
            "The cost rises by 5.50 µs (4.90 to 6.10) between 224 KiB and 416 KiB per thread: the L2 dTLB, which "
            "translates 512 KiB.");
}

TEST(CliffSentence, GivesReasonsWhereNoLevelIsNear) {
  Cliff unknown = cliff();
  unknown.level.reset();
  unknown.cache_bytes.reset();
  unknown.to_high_bytes.reset();
  unknown.reasons = {"A neighbour.", "Page placement."};
  EXPECT_EQ(cliff_sentence(unknown, TaskKind::process),
            "The cost rises by 5.50 µs (4.90 to 6.10) between 224 KiB and 416 KiB per process, the largest size, where "
            "it may still be rising: no cache known here has that size. Likely: A neighbour. Or: Page placement.");
}

TEST(CliffSentences, AreOneForEachCurveThatWasSwept) {
  auto flat = sample::quiet_run();
  for (auto& estimate : flat.estimates.points) estimate.total = sample::interval(2600, 2700, 2800);
  EXPECT_EQ(cliff_sentences(flat.run, flat.estimates), std::vector<std::string>{"No cliff seen."});
  for (auto& estimate : flat.estimates.points) estimate.total.has_interval = false;
  ASSERT_EQ(cliff_sentences(flat.run, flat.estimates).size(), 1u);
  EXPECT_NE(cliff_sentences(flat.run, flat.estimates)[0].find("No cliff could be looked for"), std::string::npos);
  flat.run.points.resize(3); // no sweep, no sentence
  flat.estimates.points.resize(3);
  EXPECT_TRUE(cliff_sentences(flat.run, flat.estimates).empty());
}

TEST(CliffSentences, NameTheCurveWhereThereAreSeveral) {
  auto sample = sample::quiet_run();
  const std::size_t count = sample.run.points.size();
  for (std::size_t i = 1; i < count; ++i) {
    sample.run.points.push_back(sample.run.points[i]);
    sample.run.points.back().access = Access::read;
    sample.estimates.points.push_back(sample.estimates.points[i]);
    sample.estimates.points.back().total = sample::interval(2600, 2700, 2800);
  }
  const auto sentences = cliff_sentences(sample.run, sample.estimates);
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_EQ(sentences[0].rfind("rmw: The cost rises by ", 0), 0u) << sentences[0];
  EXPECT_EQ(sentences[1], "read: No cliff seen.");
}

} // namespace
} // namespace switchscope
