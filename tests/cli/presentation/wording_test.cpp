#include "app/cli/wording.h"

#include <gtest/gtest.h>

using switchscope::as_sentences;
using switchscope::explanation;
using switchscope::Flag;
using switchscope::rounded_bytes_text;

TEST(Wording, sizesAreWholeOrHaveThreeDigits) {
  EXPECT_EQ(rounded_bytes_text(96), "96 B");
  EXPECT_EQ(rounded_bytes_text(32 * 1024), "32 KiB");
  EXPECT_EQ(rounded_bytes_text(43712), "42.7 KiB");
  EXPECT_EQ(rounded_bytes_text(349504), "341 KiB");
  EXPECT_EQ(rounded_bytes_text(1536 * 1024), "1536 KiB");
  EXPECT_EQ(rounded_bytes_text(1398080), "1.3 MiB");
  EXPECT_EQ(rounded_bytes_text(1024 * 1024), "1 MiB");
}

TEST(Wording, halfSentencesAreMadeWhole) {
  EXPECT_EQ(as_sentences("another measurement holds this machine: wait"),
            "Another measurement holds this machine: wait.");
  EXPECT_EQ(as_sentences("It is whole."), "It is whole.");
  EXPECT_EQ(as_sentences("one thing\ntwo things"), "One thing.\nTwo things.");
  EXPECT_EQ(as_sentences("/tmp/x is a directory"), "/tmp/x is a directory.");
  EXPECT_EQ(as_sentences("switchscope-worker is missing."), "switchscope-worker is missing.");
  EXPECT_EQ(as_sentences(""), "");
}

// A contended point uses all its pairs.
TEST(Wording, pairsAreSetAsideOnlyWhereThereAreEnoughCleanOnes) {
  for (const Flag flag : {Flag::stalled, Flag::throttled})
    EXPECT_TRUE(explanation(flag).ends_with("; those pairs are set aside where there are enough clean ones"))
        << explanation(flag);
}
