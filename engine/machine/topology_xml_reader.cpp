#include "engine/machine/topology_xml_reader.h"

#include "engine/machine/fact_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string_view>

// Not read by hwloc itself: its import trusts the text, and ends the program on XML that was damaged on its way.

namespace switchscope {
namespace {

constexpr int highest_cpu = 65535;
constexpr std::size_t deepest = 64; // hwloc nests about ten objects

struct Tag {
  std::string_view name;
  std::map<std::string_view, std::string_view> attributes;
  bool opens = true;
  bool closes = false; // also of "<name .../>"

  [[nodiscard]] std::string_view get(std::string_view attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? std::string_view{} : found->second;
  }
};

// The attributes of "type="PU" os_index="0""; absent when they are not of that form.
std::optional<std::map<std::string_view, std::string_view>> attributes_in(std::string_view text) {
  std::map<std::string_view, std::string_view> attributes;
  for (text = trimmed_text(text); !text.empty(); text = trimmed_text(text)) {
    const std::size_t start = text.find("=\"");
    if (start == std::string_view::npos) return std::nullopt;
    const std::size_t end = text.find('"', start + 2);
    if (end == std::string_view::npos) return std::nullopt;
    attributes[trimmed_text(text.substr(0, start))] = text.substr(start + 2, end - start - 2);
    text.remove_prefix(end + 1);
  }
  return attributes;
}

// Takes the next tag off the text; declarations are skipped. Absent at the end, and for what is no tag.
std::optional<Tag> next_tag(std::string_view& text) {
  for (;;) {
    const std::size_t start = text.find('<');
    if (start == std::string_view::npos) return std::nullopt;
    std::size_t end = start + 1; // a quoted value may hold '>'
    for (bool quoted = false; end < text.size() && (quoted || text[end] != '>'); ++end) quoted ^= text[end] == '"';
    if (end >= text.size()) return std::nullopt;
    std::string_view inside = text.substr(start + 1, end - start - 1);
    text.remove_prefix(end + 1);
    if (inside.starts_with('?') || inside.starts_with('!')) continue;
    Tag tag;
    if (inside.starts_with('/')) {
      tag.opens = false;
      tag.closes = true;
      inside.remove_prefix(1);
    } else if (inside.ends_with('/')) {
      tag.closes = true;
      inside.remove_suffix(1);
    }
    const std::size_t name_end = std::min(inside.find_first_of(" \t\r\n"), inside.size());
    tag.name = inside.substr(0, name_end);
    auto attributes = attributes_in(inside.substr(name_end));
    if (!attributes) return std::nullopt;
    tag.attributes = std::move(*attributes);
    return tag;
  }
}

// hwloc's sets: 32-bit words, the highest first, "0x00000001,,0x0000ffff"; an empty word is 0.
std::optional<std::vector<int>> cpus_in(std::string_view bitmap) {
  if (bitmap.empty()) return std::nullopt;
  std::vector<std::uint32_t> words;
  for (bool more = true; more;) {
    const std::size_t comma = bitmap.find(',');
    std::string_view word = bitmap.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) bitmap.remove_prefix(comma + 1);
    std::uint32_t bits = 0;
    if (!word.empty()) {
      if (!word.starts_with("0x")) return std::nullopt;
      word.remove_prefix(2);
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), bits, 16);
      if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt; // also "0xf...f", without end
    }
    words.push_back(bits);
    if (words.size() > (highest_cpu + 1) / 32) return std::nullopt;
  }
  std::vector<int> cpus;
  for (std::size_t i = 0; i < words.size(); ++i)
    for (int bit = 0; bit < 32; ++bit)
      if ((words[words.size() - 1 - i] >> bit) & 1u) cpus.push_back(static_cast<int>(i) * 32 + bit);
  return cpus;
}

std::set<int> set_of(const Tag& tag, std::string_view attribute) {
  const auto cpus = cpus_in(tag.get(attribute)).value_or(std::vector<int>());
  return {cpus.begin(), cpus.end()};
}

std::optional<int> index_of(const Tag& tag) {
  const auto index = number_in(tag.get("os_index"));
  if (!index || *index < 0 || *index > 1'000'000) return std::nullopt;
  return static_cast<int>(*index);
}

std::optional<Cache> cache_of(const Tag& tag) {
  constexpr std::string_view unified = "0";
  constexpr std::string_view data = "1";
  constexpr std::int64_t largest = std::int64_t{1} << 50;
  const auto size = number_in(tag.get("cache_size")); // 0: hwloc knows the cache, but not its size
  const auto level = number_in(tag.get("depth"));
  const std::string_view kind = tag.get("cache_type");
  if (!size || *size <= 0 || *size > largest || !level || *level < 1 || *level > 9 || (kind != unified && kind != data))
    return std::nullopt;
  Cache cache;
  cache.level = static_cast<int>(*level);
  cache.kind = kind == data ? "data" : "unified";
  cache.size_bytes = *size;
  if (const auto line = number_in(tag.get("cache_linesize")); line && *line > 0 && *line <= 65536)
    cache.line_bytes = static_cast<int>(*line);
  cache.cpus = cpus_in(tag.get("cpuset")).value_or(std::vector<int>());
  cache.source = "reported";
  if (cache.cpus.empty()) return std::nullopt;
  return cache;
}

// What the objects around one say about the CPUs inside.
struct Surroundings {
  std::optional<int> core;
  std::optional<int> package;
  std::vector<int> siblings;
};

void read_cpu(const Tag& tag, const Surroundings& around, XmlTopology& read) {
  const auto cpu = index_of(tag);
  if (!cpu || *cpu > highest_cpu) return;
  if (around.core) read.core[*cpu] = *around.core;
  if (around.package) read.package[*cpu] = *around.package;
  if (std::binary_search(around.siblings.begin(), around.siblings.end(), *cpu)) read.siblings[*cpu] = around.siblings;
}

Surroundings read_object(const Tag& tag, Surroundings around, bool is_root, XmlTopology& read) {
  const std::string_view type = tag.get("type");
  if (is_root) {
    read.present = set_of(tag, "complete_cpuset");
    read.online = set_of(tag, "cpuset");
    read.allowed = set_of(tag, "allowed_cpuset");
  }
  if (type == "Package") around.package = index_of(tag);
  if (type == "Core") {
    around.core = index_of(tag);
    around.siblings = cpus_in(tag.get("cpuset")).value_or(std::vector<int>());
  }
  if (type.ends_with("Cache"))
    if (const auto cache = cache_of(tag)) read.caches.push_back(*cache);
  if (type == "PU") read_cpu(tag, around, read);
  return around;
}

} // namespace

std::optional<XmlTopology> read_topology_xml(const std::string& xml) {
  XmlTopology read;
  std::string_view text = xml;
  std::vector<Surroundings> objects; // those that are open, outermost first
  std::set<int> kind;                // CPUs of the open "cpukind"
  bool complete = false;
  while (const auto tag = next_tag(text)) {
    if (tag->name == "object" && tag->opens) {
      if (objects.size() >= deepest) return std::nullopt;
      const bool is_root = objects.empty();
      objects.push_back(read_object(*tag, is_root ? Surroundings{} : objects.back(), is_root, read));
    }
    if (tag->name == "object" && tag->closes) {
      if (objects.empty()) return std::nullopt;
      objects.pop_back();
    }
    if (tag->name == "cpukind" && tag->opens) kind = set_of(*tag, "cpuset");
    if (tag->name == "info" && tag->get("name") == "CoreType") {
      for (const int cpu : kind) read.intel_core_type[cpu] = tag->get("value");
      kind.clear();
    }
    if (tag->name == "cpukind" && tag->closes) kind.clear();
    if (tag->name == "topology" && tag->closes) complete = objects.empty();
  }
  if (!complete || read.online.empty()) return std::nullopt;
  return read;
}

} // namespace switchscope
