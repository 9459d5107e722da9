// One libFuzzer program per entry: SWITCHSCOPE_FUZZ_ENTRY names it.
#include "tests/fuzz/entries.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes seen as text
  switchscope::fuzz::SWITCHSCOPE_FUZZ_ENTRY(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
