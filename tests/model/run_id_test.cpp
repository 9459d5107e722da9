#include "engine/model/run_id.h"

#include "engine/model/utc.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>

namespace switchscope {
namespace {

TEST(RunId, Has26LowerCaseCharactersWithoutLookalikes) {
  const std::string id = new_run_id();
  EXPECT_EQ(id.size(), 26U);
  EXPECT_EQ(id.find_first_not_of("0123456789abcdefghjkmnpqrstvwxyz"), std::string::npos) << id;
}

TEST(RunId, NoTwoAreAlike) {
  std::set<std::string> ids;
  for (int i = 0; i < 10'000; ++i) ids.insert(new_run_id());
  EXPECT_EQ(ids.size(), 10'000U);
}

// Crockford base32 of 48 bits of time in 10 characters: 50 bits, the first two are zero.
std::int64_t milliseconds_in(const std::string& id) {
  const std::string digits = "0123456789abcdefghjkmnpqrstvwxyz";
  std::int64_t milliseconds = 0;
  for (const char c : id.substr(0, 10)) milliseconds = milliseconds * 32 + static_cast<std::int64_t>(digits.find(c));
  return milliseconds;
}

TEST(RunId, BeginsWithTheTime) {
  using std::chrono::milliseconds;
  const auto now = [] {
    return std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  };
  const auto before = now();
  const auto told = milliseconds_in(new_run_id());
  EXPECT_LE(before, told);
  EXPECT_LE(told, now());
}

TEST(Utc, IsIso8601WithThreeDecimals) {
  using namespace std::chrono;
  const auto at = [](auto since_1970) { return utc_text(system_clock::time_point(since_1970)); };
  EXPECT_EQ(at(seconds(0)), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(at(milliseconds(1'796'066'520'123)), "2026-11-30T19:22:00.123Z");
  EXPECT_EQ(at(microseconds(999'999)), "1970-01-01T00:00:00.999Z"); // truncated, never rounded into the next second
  EXPECT_EQ(at(seconds(951'782'400)), "2000-02-29T00:00:00.000Z");
  EXPECT_EQ(at(milliseconds(-1)), "1969-12-31T23:59:59.999Z");
}

} // namespace
} // namespace switchscope
