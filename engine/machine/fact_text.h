// Reading the text of raw facts. Nothing here throws: what is not understood is absent.
#pragma once

#include "engine/protocol/messages.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace switchscope {

// The content of a file of the facts, of a call; empty when absent.
[[nodiscard]] std::string_view file_text(const Facts&, const std::string& path);
[[nodiscard]] std::string_view call_text(const Facts&, const std::string& key);
[[nodiscard]] bool has_file(const Facts&, const std::string& path);
[[nodiscard]] bool is_recorded(const Facts&); // the facts come from a recorded tree

[[nodiscard]] std::string_view trimmed_text(std::string_view);
[[nodiscard]] bool holds(std::string_view text, std::string_view part);
[[nodiscard]] std::string lower_case(std::string_view);
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view);

// The whole text as a decimal number; absent for anything else.
[[nodiscard]] std::optional<std::int64_t> number_in(std::string_view);
[[nodiscard]] std::optional<double> decimal_in(std::string_view);
// "0-3,8": sorted, without repeats; an empty text is an empty list. Absent when malformed, when a number is above
// 65535.
[[nodiscard]] std::optional<std::vector<int>> cpu_list_in(std::string_view);
[[nodiscard]] std::string cpu_list_text(const std::vector<int>& sorted); // the reverse
// "48K", "1024K", "32M": bytes; above 0.
[[nodiscard]] std::optional<std::int64_t> cache_size_in(std::string_view);

// The value of the first "name : value" line.
[[nodiscard]] std::string_view field_of(std::string_view text, std::string_view name);
// "always [madvise] never", "none voluntary (full)": the word in brackets.
[[nodiscard]] std::string_view selected_word(std::string_view text, char open, char close);

} // namespace switchscope
