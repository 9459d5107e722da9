#include "engine/model/in_quotes.h"
#include "engine/model/quantity.h"

#include <gtest/gtest.h>

#include <limits>

using namespace switchscope;

namespace {

TEST(BytesText, UsesTheLargestUnitThatStaysWhole) {
  const std::pair<std::int64_t, std::string> cases[] = {{0, "0 B"},
                                                        {96, "96 B"},
                                                        {1000, "1000 B"},
                                                        {1024, "1 KiB"},
                                                        {393'216, "384 KiB"},
                                                        {1 << 20, "1 MiB"},
                                                        {3 << 19, "1536 KiB"},
                                                        {1 << 30, "1 GiB"},
                                                        {-8, "−8 B"},
                                                        {std::int64_t{10} << 40, "10 TiB"},
                                                        {std::int64_t{1} << 53, "8192 TiB"}};
  for (const auto& [bytes, text] : cases) EXPECT_EQ(bytes_text(bytes), text);
}

TEST(SecondsText, ReadsLikeAClock) {
  const std::pair<double, std::string> cases[] = {{0, "0 s"},
                                                  {0.4, "0.4 s"},
                                                  {0.02, "20.0 ms"},
                                                  {1, "1 s"},
                                                  {9.94, "9.9 s"},
                                                  {9.96, "10 s"},
                                                  {55, "55 s"},
                                                  {59.4, "59 s"},
                                                  {59.6, "1 min 00 s"},
                                                  {125, "2 min 05 s"},
                                                  {3599, "59 min 59 s"},
                                                  {3600, "1 h 00 min"},
                                                  {3659.9, "1 h 01 min"},
                                                  {-5, "−5 s"},
                                                  {std::numeric_limits<double>::infinity(), "unknown"}};
  for (const auto& [seconds, text] : cases) EXPECT_EQ(seconds_text(seconds), text) << seconds;
}

TEST(CostText, HasThreeSignificantDigits) {
  const std::pair<double, std::string> cases[] = {
      {0, "0 ns"},          {7430, "7.43 µs"},      {-120, "−120 ns"},
      {12.345, "12.3 ns"},  {1.2345, "1.23 ns"},    {999.4, "999 ns"},
      {999.6, "1.00 µs"},   {12'345, "12.3 µs"},    {123'456, "123 µs"},
      {999'600, "1.00 ms"}, {1'234'567, "1.23 ms"}, {-30'000, "−30.0 µs"},
      {2.5e9, "2.50 s"},    {1.5e13, "15000 s"},    {std::numeric_limits<double>::quiet_NaN(), "not measured"}};
  for (const auto& [ns, text] : cases) EXPECT_EQ(cost_text(ns), text) << ns;
}

struct Case {
  double estimate, low, high;
  std::string text;
};

TEST(IntervalText, RoundsToTheSecondDigitOfTheHalfWidth) {
  const Case cases[] = {
      {7430, 7310, 7550, "7.43 µs (7.31 to 7.55)"},
      {7434, 7314, 7554, "7.43 µs (7.31 to 7.55)"},
      {2650, 2643.4, 2656.6, "2.6500 µs (2.6434 to 2.6566)"},
      {7430, 5430, 9430, "7.4 µs (5.4 to 9.4)"},
      {-120, -340, 100, "−120 ns (−340 to 100)"},
      {512.3, 502.1, 522.7, "512 ns (502 to 523)"},
      {-2, -1500, 1500, "0 ns (−1500 to 1500)"},
      {500, -700, 1700, "500 ns (−700 to 1700)"},
      {30'000, 18'000, 42'000, "30 µs (18 to 42)"},
      {250'000, 100'000, 400'000, "250 µs (100 to 400)"},
      {1e6, 0.9e6, 1.1e6, "1.00 ms (0.90 to 1.10)"},
      {999.8, 899.8, 1099.8, "1.00 µs (0.90 to 1.10)"},
      {7430, 7330.6, 7529.4, "7.430 µs (7.331 to 7.529)"},
      {7430, 7330.01, 7529.99, "7.43 µs (7.33 to 7.53)"},
      {7430, 7430, 7430, "7.43 µs (7.43 to 7.43)"},
      {0, 0, 0, "0 ns (0 to 0)"},
      {-0.3, -12.3, 11.7, "0 ns (−12 to 12)"},
      {1, -std::numeric_limits<double>::infinity(), 1, "not measured"},
  };
  for (const auto& [estimate, low, high, text] : cases) EXPECT_EQ(interval_text(estimate, low, high), text);
}

TEST(InQuotes, IsShortAndHarmless) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "\"\""},
      {"plain µs", "\"plain µs\""},
      {"a\nb\x1b[1m\x7f", "\"a\\x0ab\\x1b[1m\\x7f\""},
      {"\xff\xc3", "\"\\xff\\xc3\""},
      {"\xc2\x85", "\"\\xc2\\x85\""},          // a control character of two bytes
      {"\xe0\x80\x80", "\"\\xe0\\x80\\x80\""}, // overlong
      {"\xed\xa0\x80", "\"\\xed\\xa0\\x80\""}, // a surrogate
      {"\xf0\x9f\x90\xa7", "\"\xf0\x9f\x90\xa7\""},
      {std::string(61, 'x'), "\"" + std::string(60, 'x') + "...\""},
      {std::string(59, 'x') + "µ", "\"" + std::string(59, 'x') + "µ\""},
  };
  for (const auto& [text, shown] : cases) EXPECT_EQ(in_quotes(text), shown);
}

TEST(InShellQuotes, IsOneWordOfAShell) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "''"},
      {"/data/a-b_1.db", "/data/a-b_1.db"},
      {"two words", "'two words'"},
      {"$HOME", "'$HOME'"},
      {"it's", "'it'\\''s'"},
      {"a;b", "'a;b'"},
  };
  for (const auto& [word, quoted] : cases) EXPECT_EQ(in_shell_quotes(word), quoted);
}

} // namespace
