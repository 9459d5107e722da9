#include "engine/machine/translation.h"

#include <gtest/gtest.h>

using namespace switchscope;

namespace {

constexpr std::int64_t page_2m = 2 << 20;

std::vector<TranslationReach> reaches(const std::string& tlb) {
  Facts facts;
  facts.calls["tlb"] = tlb;
  return translation_from(facts);
}

// "L1 data 64x4096, ..."
std::string text(const std::string& tlb) {
  std::string listed;
  for (const auto& reach : reaches(tlb))
    listed += (listed.empty() ? "" : ", ") + ("L" + std::to_string(reach.level)) + " " + reach.kind + " " +
              std::to_string(reach.entries) + "x" + std::to_string(reach.page_bytes / 1024);
  return listed;
}

TEST(Translation, OfAnAmdProcessor) { // Zen 3
  EXPECT_EQ(text("80000005:ff40ff40,ff40ff40,20080140,20080140 80000006:5c002200,68004200,02006140,00009140 "
                 "80000019:f040f040,60400000,00000000,00000000"),
            "L1 data 64x4, L1 data 64x2048, L1 data 64x1048576, L2 data 2048x4, L2 data 3072x2048, L2 data "
            "64x1048576");
}

TEST(Translation, OfAnIntelProcessorWithLeaf18) { // Ice Lake
  EXPECT_EQ(text("2:00feff01,000000f0,00000000,00000000 18.0:00000003,00000000,00000000,00000000 "
                 "18.1:00000000,00080007,00000001,00004122 18.2:00000000,00040001,00000010,00000021 "
                 "18.3:00000000,00080003,00000080,00000143"),
            "L1 data 64x4, L2 unified 1024x4, L2 unified 1024x2048");
}

TEST(Translation, OfAnOlderIntelProcessor) { // like Haswell
  EXPECT_EQ(text("2:76036301,00f0b5ff,00000000,00c10000"),
            "L1 data 64x4, L1 data 32x2048, L1 data 4x1048576, L2 unified 1024x4, L2 unified 1024x2048");
}

TEST(Translation, IsAbsentWhereNothingIsTold) {
  for (const char* told : {"", "80000005:00000000,00000000,00000000,00000000", "nonsense", "2:xyz", ":",
                           "80000005:ff40ff40,ff40ff40,20080140", "2:80000001,80000000,80000000,80000000",
                           "80000005:gg40ff40,ff40ff40,20080140,20080140"})
    EXPECT_TRUE(reaches(told).empty()) << told;
}

TEST(Translation, SwitchedOffIsAbsent) {
  EXPECT_EQ(text("80000006:00002200,08004200,00000000,00000000"), ""); // no ways
}

TEST(Translation, ReachIsEntriesTimesPage) {
  EXPECT_EQ((TranslationReach{1, "data", 64, page_2m}.reach_bytes()), 128 * (std::int64_t{1} << 20));
}

} // namespace
