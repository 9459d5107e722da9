// Points in time as they are stored and shown: UTC, so that runs from several machines sort together.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace switchscope {

// "2026-11-30T19:22:00.123Z": ISO 8601 with exactly three decimals, truncated; as text it sorts by time. Any thread.
[[nodiscard]] std::string utc_text(std::chrono::system_clock::time_point);
[[nodiscard]] std::string utc_now_text();
// Such a text back, to the second; absent when it is none.
[[nodiscard]] std::optional<std::chrono::sys_seconds> parse_utc(const std::string&);

} // namespace switchscope
