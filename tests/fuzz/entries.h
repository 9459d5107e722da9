// What must hold for any bytes. Each entry runs one decoder and aborts when a promise is broken; the fuzzers and the
// test over the stored corpus share them.
#pragma once

#include <string_view>

namespace switchscope::fuzz {

void decode_event(std::string_view bytes);     // decoded events survive encoding and decoding
void decode_command(std::string_view bytes);   // likewise
void plan_from_text(std::string_view bytes);   // likewise; a plan without problems can be expanded
void parse_bytes_list(std::string_view bytes); // lists are sorted, without repeats, and within their limits

} // namespace switchscope::fuzz
