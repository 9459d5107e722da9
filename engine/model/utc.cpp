#include "engine/model/utc.h"

#include <array>
#include <cstdio>

namespace switchscope {

std::string utc_text(std::chrono::system_clock::time_point when) {
  // Calendar arithmetic instead of gmtime: no shared buffer and no C locale.
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(when);
  const auto day = std::chrono::floor<std::chrono::days>(milliseconds);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss time{milliseconds - day};

  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
  return text.data();
}

std::optional<std::chrono::sys_seconds> parse_utc(const std::string& text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int hours = 0;
  int minutes = 0;
  int seconds = 0;
  if (std::sscanf(text.c_str(), "%4d-%2u-%2uT%2d:%2d:%2d", &year, &month, &day, &hours, &minutes, &seconds) != 6)
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(hours) + std::chrono::minutes(minutes) +
         std::chrono::seconds(seconds);
}

std::string utc_now_text() {
  return utc_text(std::chrono::system_clock::now());
}

} // namespace switchscope
