#include "engine/machine/translation.h"

#include "engine/machine/fact_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace switchscope {
namespace {

constexpr std::int64_t page_4k = 4096;
constexpr std::int64_t page_2m = std::int64_t{2} << 20;
constexpr std::int64_t page_1g = std::int64_t{1} << 30;

struct Registers {
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
};
using Leaves = std::map<std::string, Registers, std::less<>>; // "2", "18.1", "80000005"
using Reaches = std::vector<TranslationReach>;

// "18.1:00000000,00080001,00000010,00004121 ..."; a leaf that is not written so is passed over.
Leaves leaves_in(std::string_view text) {
  Leaves leaves;
  for (const std::string_view word : words_of(text)) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos || word.size() != colon + 36) continue;
    std::array<std::uint32_t, 4> values{};
    bool understood = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const char* begin = word.data() + colon + 1 + 9 * i;
      const auto [end, error] = std::from_chars(begin, begin + 8, values[i], 16);
      understood = understood && error == std::errc{} && end == begin + 8;
    }
    if (understood) leaves[std::string(word.substr(0, colon))] = {values[0], values[1], values[2], values[3]};
  }
  return leaves;
}

Registers leaf(const Leaves& leaves, std::string_view name) {
  const auto found = leaves.find(name);
  return found == leaves.end() ? Registers{} : found->second;
}

std::uint32_t bits(std::uint32_t value, unsigned high, unsigned low) {
  return (value >> low) & ((std::uint32_t{1} << (high - low + 1)) - 1);
}

void add(Reaches& reaches, int level, const char* kind, std::uint32_t entries, std::int64_t page_bytes) {
  const TranslationReach reach{level, kind, static_cast<int>(entries), page_bytes};
  if (entries > 0 && std::find(reaches.begin(), reaches.end(), reach) == reaches.end()) reaches.push_back(reach);
}

void read_amd(const Leaves& leaves, Reaches& reaches) {
  const Registers first = leaf(leaves, "80000005");
  add(reaches, 1, "data", bits(first.b, 23, 16), page_4k);
  add(reaches, 1, "data", bits(first.a, 23, 16), page_2m);
  const auto with_ways = [&](int level, std::uint32_t value, std::int64_t page_bytes) {
    if (bits(value, 31, 28) > 0) add(reaches, level, "data", bits(value, 27, 16), page_bytes); // 0 ways: switched off
  };
  const Registers second = leaf(leaves, "80000006");
  with_ways(2, second.b, page_4k);
  with_ways(2, second.a, page_2m);
  const Registers huge = leaf(leaves, "80000019");
  with_ways(1, huge.a, page_1g);
  with_ways(2, huge.b, page_1g);
}

// Deterministic address translation parameters.
void read_intel_18(const Leaves& leaves, Reaches& reaches) {
  for (const auto& [name, registers] : leaves) {
    if (!name.starts_with("18.")) continue;
    const std::uint32_t type = bits(registers.d, 4, 0);
    const bool data = type == 1 || type == 4; // 4: of loads only
    if (!data && type != 3) continue;
    const char* const kind = data ? "data" : "unified";
    const auto level = static_cast<int>(bits(registers.d, 7, 5));
    const std::uint32_t entries = bits(registers.b, 31, 16) * registers.c;
    if (level == 0 || entries > 1u << 20) continue;
    if (bits(registers.b, 0, 0) != 0) add(reaches, level, kind, entries, page_4k);
    if (bits(registers.b, 1, 1) != 0) add(reaches, level, kind, entries, page_2m);
    if (bits(registers.b, 3, 3) != 0) add(reaches, level, kind, entries, page_1g);
  }
}

struct Descriptor {
  std::uint8_t byte;
  int level;
  const char* kind;
  std::uint32_t entries_4k, entries_2m, entries_1g;
};

// Those of data translation in the table "Encoding of CPUID Leaf 2 Descriptors".
constexpr std::array descriptors{
    Descriptor{0x03, 1, "data", 64, 0, 0},          Descriptor{0x04, 1, "data", 0, 8, 0},
    Descriptor{0x05, 1, "data", 0, 32, 0},          Descriptor{0x56, 1, "data", 0, 16, 0},
    Descriptor{0x57, 1, "data", 16, 0, 0},          Descriptor{0x59, 1, "data", 16, 0, 0},
    Descriptor{0x5A, 1, "data", 0, 32, 0},          Descriptor{0x5B, 1, "data", 64, 64, 0},
    Descriptor{0x5C, 1, "data", 128, 128, 0},       Descriptor{0x5D, 1, "data", 256, 256, 0},
    Descriptor{0x63, 1, "data", 0, 32, 4},          Descriptor{0x64, 1, "data", 512, 0, 0},
    Descriptor{0x6B, 1, "data", 256, 0, 0},         Descriptor{0x6C, 1, "data", 0, 128, 0},
    Descriptor{0x6D, 1, "data", 0, 0, 16},          Descriptor{0xA0, 1, "data", 32, 0, 0},
    Descriptor{0xB3, 1, "data", 128, 0, 0},         Descriptor{0xB4, 1, "data", 256, 0, 0},
    Descriptor{0xBA, 1, "data", 64, 0, 0},          Descriptor{0xC0, 1, "data", 8, 8, 0},
    Descriptor{0xC1, 2, "unified", 1024, 1024, 0},  Descriptor{0xC2, 1, "data", 0, 16, 0},
    Descriptor{0xC3, 2, "unified", 1536, 1536, 16}, Descriptor{0xC4, 1, "data", 0, 32, 0},
    Descriptor{0xCA, 2, "unified", 512, 0, 0},
};

void read_intel_2(const Leaves& leaves, Reaches& reaches) {
  const Registers registers = leaf(leaves, "2");
  const std::uint32_t values[] = {registers.a & ~0xFFu, registers.b, registers.c, registers.d}; // al is a count
  for (const std::uint32_t value : values) {
    if (bits(value, 31, 31) != 0) continue; // holds no descriptors
    for (unsigned shift = 0; shift < 32; shift += 8)
      for (const Descriptor& known : descriptors)
        if (known.byte == bits(value, shift + 7, shift)) {
          add(reaches, known.level, known.kind, known.entries_4k, page_4k);
          add(reaches, known.level, known.kind, known.entries_2m, page_2m);
          add(reaches, known.level, known.kind, known.entries_1g, page_1g);
        }
  }
}

} // namespace

std::vector<TranslationReach> translation_from(const Facts& facts) {
  const Leaves leaves = leaves_in(call_text(facts, "tlb"));
  Reaches reaches;
  read_intel_18(leaves, reaches);
  if (reaches.empty()) read_intel_2(leaves, reaches);
  if (reaches.empty()) read_amd(leaves, reaches);
  std::stable_sort(reaches.begin(), reaches.end(), [](const TranslationReach& x, const TranslationReach& y) {
    return x.level != y.level ? x.level < y.level : x.page_bytes < y.page_bytes;
  });
  return reaches;
}

} // namespace switchscope
