#include "engine/machine/fact_text.h"

#include <gtest/gtest.h>

using namespace switchscope;

TEST(CpuListIn, ReadsRangesAndSingles) {
  EXPECT_EQ(cpu_list_in("0-3,8"), (std::vector<int>{0, 1, 2, 3, 8}));
  EXPECT_EQ(cpu_list_in(" 5 \n"), std::vector<int>{5});
  EXPECT_EQ(cpu_list_in("3,1-2,2"), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(cpu_list_in(""), std::vector<int>{});
}

TEST(CpuListIn, RefusesWhatNoKernelWrites) {
  for (const char* text :
       {"a", "0-", "-3", "3-1", "0,,2", "1,", "0-4000000000", "65536", "(null)", "0-65535,0-65535,0-65535"})
    EXPECT_EQ(cpu_list_in(text), std::nullopt) << text;
}

TEST(CpuListText, IsTheReverse) {
  for (const char* text : {"", "0", "0-3", "0-3,8", "1,3,5-6"}) EXPECT_EQ(cpu_list_text(*cpu_list_in(text)), text);
}

TEST(CacheSizeIn, ReadsTheKernelsUnits) {
  EXPECT_EQ(cache_size_in("48K"), 48 * 1024);
  EXPECT_EQ(cache_size_in("32M"), 32 * 1024 * 1024);
  EXPECT_EQ(cache_size_in("512"), 512);
  for (const char* text : {"", "K", "0K", "-4K", "48KB", "abc", "9223372036854775807G", "1e3K"})
    EXPECT_EQ(cache_size_in(text), std::nullopt) << text;
}

TEST(NumberIn, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(number_in("950000\n"), 950000);
  EXPECT_EQ(number_in("-1"), -1);
  for (const char* text : {"", "12a", "1.5", "0x10", "99999999999999999999"})
    EXPECT_EQ(number_in(text), std::nullopt) << text;
}

TEST(DecimalIn, RefusesWhatIsNotFinite) {
  EXPECT_EQ(decimal_in("0.25"), 0.25);
  for (const char* text : {"nan", "inf", "", "1,5"}) EXPECT_EQ(decimal_in(text), std::nullopt) << text;
}

TEST(FieldOf, FindsTheFirstLineOfThatName) {
  const char* text = "processor\t: 0\nmodel\t\t: 2\nmodel name\t: AMD EPYC\nempty\t:\nmodel\t: 3";
  EXPECT_EQ(field_of(text, "model name"), "AMD EPYC");
  EXPECT_EQ(field_of(text, "model"), "2");
  EXPECT_EQ(field_of(text, "empty"), "");
  EXPECT_EQ(field_of(text, "absent"), "");
}

TEST(SelectedWord, IsTheOneInBrackets) {
  EXPECT_EQ(selected_word("always [madvise] never", '[', ']'), "madvise");
  EXPECT_EQ(selected_word("none voluntary (full)", '(', ')'), "full");
  EXPECT_EQ(selected_word("always [madvise never", '[', ']'), "");
  EXPECT_EQ(selected_word("", '[', ']'), "");
}
