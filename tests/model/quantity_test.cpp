#include "engine/model/quantity.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace switchscope;

namespace {

constexpr std::int64_t kib = 1024, mib = 1024 * kib;

template <class T> std::string error_of(const Parsed<T>& parsed) {
  const auto* error = std::get_if<ParseError>(&parsed);
  return error != nullptr ? error->message : "(no error)";
}

struct Bytes {
  std::string text;
  std::int64_t bytes;
};

TEST(ParseBytes, ReadsWholeBytesInEveryUnit) {
  const Bytes cases[] = {{"0", 0},
                         {"4096", 4096},
                         {"4096B", 4096},
                         {"64KiB", 64 * kib},
                         {"64 KiB", 64 * kib},
                         {" 64kib ", 64 * kib},
                         {"1.5MiB", 1536 * kib},
                         {"0.5KiB", 512},
                         {"4.350000000000MB", 4'350'000},
                         {"1KB", 1000},
                         {"1MB", 1'000'000},
                         {"2GB", 2'000'000'000},
                         {"1GiB", 1024 * mib},
                         {"10TiB", 10 * 1024 * 1024 * mib},
                         {"10 TB", 10'000'000'000'000},
                         {"9007199254740992", 9'007'199'254'740'992}};
  for (const auto& [text, bytes] : cases) {
    const auto parsed = parse_bytes(text);
    ASSERT_TRUE(std::holds_alternative<std::int64_t>(parsed)) << text << ": " << error_of(parsed);
    EXPECT_EQ(std::get<std::int64_t>(parsed), bytes) << text;
  }
}

struct Refused {
  std::string text;
  std::string message;
};

TEST(ParseBytes, SaysWhatIsWrong) {
  const Refused cases[] = {
      {"", "A size is missing; write one such as 64KiB."},
      {"  ", "A size is missing; write one such as 64KiB."},
      {"-5KiB", "The size \"-5KiB\" is negative; write one such as 64KiB."},
      {"abc", "\"abc\" is not a size; write one such as 64KiB."},
      {"KiB", "\"KiB\" is not a size; write one such as 64KiB."},
      {".5KiB", "\".5KiB\" is not a size; write one such as 64KiB."},
      {"1.", "\"1.\" is not a size; write one such as 64KiB."},
      {"1.2.3", "\"1.2.3\" is not a size; write one such as 64KiB."},
      {"64XB", "The size \"64XB\" has the unknown unit \"XB\"; units are B, KiB, MiB, GiB, TiB, KB, MB, GB and TB."},
      {"64K", "The size \"64K\" has the unknown unit \"K\"; units are B, KiB, MiB, GiB, TiB, KB, MB, GB and TB."},
      {"1e3", "The size \"1e3\" has the unknown unit \"e3\"; units are B, KiB, MiB, GiB, TiB, KB, MB, GB and TB."},
      {"0.3B", "The size \"0.3B\" is not a whole number of bytes; write it in a smaller unit."},
      {"1.0000001GB", "The size \"1.0000001GB\" has more than six decimals; write it in a smaller unit."},
      {"9007199254740993", "The size \"9007199254740993\" is larger than 2^53 bytes; write a smaller one."},
      {"8192.5TiB", "The size \"8192.5TiB\" is larger than 2^53 bytes; write a smaller one."},
      {"99999999999999999999999",
       "The size \"99999999999999999999999\" is larger than 2^53 bytes; write a smaller one."},
      {"1\x1b[31m", "The size \"1\\x1b[31m\" has the unknown unit \"\\x1b[31m\"; units are B, KiB, MiB, GiB, TiB, KB, "
                    "MB, GB and TB."},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(parse_bytes(text)), message) << text;
}

struct List {
  std::string text;
  std::vector<std::int64_t> sizes;
};

TEST(ParseBytesList, ReadsListsRangesAndMixtures) {
  const List cases[] = {
      {"0", {0}},
      {"256KiB,64KiB,256KiB", {64 * kib, 256 * kib}},
      {"128..512:2", {128, 192, 256, 384, 512}},
      {"128..512:4", {128, 160 + 32, 256, 320, 384, 448, 512}},
      {"1KiB..2KiB:4", {1024, 1280, 1536, 1792, 2048}},
      {"1KiB..4KiB", {1024, 2048, 4096}},
      {"1KiB..5KiB", {1024, 2048, 4096, 5120}},
      {"1KiB..1KiB:8", {1024}},
      {"192..1000:1", {192, 384, 768, 1024}},
      {"1000..1000", {1024}},
      {"8..64", {8, 16, 32, 64}},
      {"1KiB .. 2KiB : 1 , 100", {100, 1024, 2048}},
      {"4KiB,1KiB..2KiB,1KiB", {1024, 2048, 4096}},
  };
  for (const auto& [text, sizes] : cases) {
    const auto parsed = parse_bytes_list(text);
    ASSERT_TRUE(std::holds_alternative<std::vector<std::int64_t>>(parsed)) << text << ": " << error_of(parsed);
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(parsed), sizes) << text;
  }
}

TEST(ParseBytesList, SaysWhatIsWrong) {
  const Refused cases[] = {
      {"", "A list of sizes is missing; write one such as 64KiB,256KiB."},
      {"64KiB,,1MiB", "The list \"64KiB,,1MiB\" has an empty item; write one such as 64KiB,256KiB."},
      {"64KiB,", "The list \"64KiB,\" has an empty item; write one such as 64KiB,256KiB."},
      {"1..", "The range \"1..\" has no end; write both, as in 1KiB..4MiB:2."},
      {"..4MiB", "The range \"..4MiB\" has no start; write both, as in 1KiB..4MiB:2."},
      {"..", "The range \"..\" has no start; write both, as in 1KiB..4MiB:2."},
      {"4MiB..1KiB", "The range \"4MiB..1KiB\" runs downwards; write the smaller size first, as in 1KiB..4MiB:2."},
      {"2KiB..1KiB", "The range \"2KiB..1KiB\" runs downwards; write the smaller size first, as in 1KiB..4MiB:2."},
      {"0..4MiB", "The range \"0..4MiB\" starts below 8 B, the size of one element; start it at 8 B or more."},
      {"-1KiB..4MiB", "The size \"-1KiB\" is negative; write one such as 64KiB."},
      {"1KiB..4MiB..8MiB", "The range \"1KiB..4MiB..8MiB\" has more than two ends; write two, as in 1KiB..4MiB:2."},
      {"1KiB..4MiB:0",
       "The range \"1KiB..4MiB:0\" asks for \"0\" points per octave; write a whole number from 1 to 64, "
       "as in 1KiB..4MiB:2."},
      {"1KiB..4MiB:65", "The range \"1KiB..4MiB:65\" asks for \"65\" points per octave; write a whole number from 1 to "
                        "64, as in 1KiB..4MiB:2."},
      {"1KiB..4MiB:",
       "The range \"1KiB..4MiB:\" asks for \"\" points per octave; write a whole number from 1 to 64, as "
       "in 1KiB..4MiB:2."},
      {"1KiB..4MiB:2.5", "The range \"1KiB..4MiB:2.5\" asks for \"2.5\" points per octave; write a whole number from 1 "
                         "to 64, as in 1KiB..4MiB:2."},
      {"64KiB,abc", "\"abc\" is not a size; write one such as 64KiB."},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(parse_bytes_list(text)), message) << text;
}

TEST(BytesBetween, ReachesTheLargestSizeWithoutOverflow) {
  const auto sizes = bytes_between(8, std::int64_t{1} << 53, 64);
  EXPECT_EQ(sizes.front(), 8);
  EXPECT_EQ(sizes.back(), std::int64_t{1} << 53);
  for (std::size_t i = 1; i < sizes.size(); ++i) ASSERT_LT(sizes[i - 1], sizes[i]);
}

struct Number {
  std::string text;
  double value;
};

TEST(ParseSeconds, ReadsEveryUnit) {
  const Number cases[] = {{"60s", 60},     {"500ms", 0.5},    {"10min", 600},  {"20us", 20e-6},
                          {"20µs", 20e-6}, {"100ns", 100e-9}, {" 1.5 s ", 1.5}};
  for (const auto& [text, seconds] : cases) {
    const auto parsed = parse_seconds(text);
    ASSERT_TRUE(std::holds_alternative<double>(parsed)) << text << ": " << error_of(parsed);
    EXPECT_DOUBLE_EQ(std::get<double>(parsed), seconds) << text;
  }
}

TEST(ParseSeconds, SaysWhatIsWrong) {
  const Refused cases[] = {
      {"", "A time is missing; write one such as 60s."},
      {"0s", "The time \"0s\" must be longer than 0; write one such as 60s."},
      {"-1s", "The time \"-1s\" is negative; write one such as 60s."},
      {"60", "The time \"60\" has no unit; write one such as 60s."},
      {"60h", "The time \"60h\" has the unknown unit \"h\"; units are ns, us, ms, s and min."},
      {"inf", "\"inf\" is not a time; write one such as 60s."},
      {"nan s", "\"nan s\" is not a time; write one such as 60s."},
      {"1.2.3s", "\"1.2.3s\" is not a time; write one such as 60s."},
      {std::string(400, '9') + "s", "\"" + std::string(60, '9') + "...\" is not a time; write one such as 60s."},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(parse_seconds(text)), message) << text;
}

TEST(ParseRatio, ReadsPercentAndPlain) {
  const Number cases[] = {{"2%", 0.02}, {"0.02", 0.02}, {"0.5 %", 0.005}, {"99.9%", 0.999}, {".5", 0.5}};
  for (const auto& [text, ratio] : cases) {
    const auto parsed = parse_ratio(text);
    ASSERT_TRUE(std::holds_alternative<double>(parsed)) << text << ": " << error_of(parsed);
    EXPECT_DOUBLE_EQ(std::get<double>(parsed), ratio) << text;
  }
}

TEST(ParseRatio, SaysWhatIsWrong) {
  const Refused cases[] = {
      {"", "A share is missing; write one such as 2%."},
      {"0", "The share \"0\" must lie between 0 and 1 (100%); write one such as 2% or 0.02."},
      {"2", "The share \"2\" must lie between 0 and 1 (100%); write one such as 2% or 0.02."},
      {"100%", "The share \"100%\" must lie between 0 and 1 (100%); write one such as 2% or 0.02."},
      {"-1%", "The share \"-1%\" must lie between 0 and 1 (100%); write one such as 2% or 0.02."},
      {"abc", "\"abc\" is not a share; write one such as 2% or 0.02."},
      {"2 percent", "\"2 percent\" is not a share; write one such as 2% or 0.02."},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(parse_ratio(text)), message) << text;
}

} // namespace
