#include "app/cli/wording.h"

#include <gtest/gtest.h>

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
