#include "app/cli/resumption_text.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

using Notes = std::vector<std::string>;

const ResumedOn here{"2026-11-30T19:22:00.123Z", {}};
const ResumedOn elsewhere{"2026-11-30T20:22:00.123Z", {"CPU model A then, B now", "kernel 6.1 then, 6.2 now"}};

TEST(ResumptionText, saysHowOftenAndWhatWasDifferent) {
  const std::string different = " on another machine: CPU model A then, B now; kernel 6.1 then, 6.2 now";
  EXPECT_EQ(resumption_notes({}), Notes{});
  EXPECT_EQ(resumption_notes({here}), Notes{"Resumed once."});
  EXPECT_EQ(resumption_notes({here, here}), Notes{"Resumed 2 times."});
  EXPECT_EQ(resumption_notes({elsewhere}), Notes{"Resumed once," + different + "."});
  EXPECT_EQ(resumption_notes({here, elsewhere}), Notes{"Resumed 2 times; the last" + different + "."});
  EXPECT_EQ(resumption_notes({elsewhere, here, elsewhere}),
            Notes{"Resumed 3 times; number 1" + different + "; the last" + different + "."});
}

TEST(ResumptionText, manyDifferencesAreCountedAndNamesCannotDriveTheTerminal) {
  const ResumedOn far{"", {"a", "b", "c", "\x1b[31m", "e", "f"}};
  EXPECT_EQ(resumption_notes({far}),
            Notes{"Resumed once, on another machine: a; b; c; ?[31m; and 2 more differences."});
}

} // namespace
} // namespace switchscope
