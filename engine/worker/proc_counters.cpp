#include "engine/worker/proc_counters.h"

#include "engine/worker/file_descriptor.h"

#include <algorithm>
#include <charconv>
#include <fcntl.h>

namespace switchscope {
namespace {

// Cuts the first line off and returns it.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// Cuts the first word off and returns it; empty at the end of the line.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

template <class Number> std::optional<Number> number_of(std::string_view word, int base = 10) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

bool is_wanted(int cpu, const std::vector<int>& cpus) {
  return cpus.empty() || std::find(cpus.begin(), cpus.end(), cpu) != cpus.end();
}

} // namespace

std::string file_text(const char* path) {
  std::string text;
  const FileDescriptor file(open(path, O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return text;
  char chunk[16384];
  for (ssize_t got; (got = read(file.get(), chunk, sizeof chunk)) > 0;)
    text.append(chunk, static_cast<std::size_t>(got));
  return text;
}

std::optional<std::int64_t> number_after(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (!line.starts_with(name) || line.substr(name.size(), 1) != ":") continue;
    line.remove_prefix(name.size() + 1);
    return number_of<std::int64_t>(take_word(line));
  }
  return std::nullopt;
}

std::int64_t steal_ticks(std::string_view proc_stat, const std::vector<int>& cpus) {
  std::int64_t ticks = 0;
  while (!proc_stat.empty()) {
    std::string_view line = take_line(proc_stat);
    const std::string_view head = take_word(line);
    if (!head.starts_with("cpu")) continue;
    const auto cpu = number_of<int>(head.substr(3)); // "cpu" alone is the sum of all
    if (!cpu || !is_wanted(*cpu, cpus)) continue;
    for (int column = 0; column < 7; ++column) (void)take_word(line);
    ticks += number_of<std::int64_t>(take_word(line)).value_or(0);
  }
  return ticks;
}

std::optional<std::int64_t> busy_ticks(std::string_view proc_stat, int cpu) {
  const std::string wanted = "cpu" + std::to_string(cpu);
  while (!proc_stat.empty()) {
    std::string_view line = take_line(proc_stat);
    if (take_word(line) != wanted) continue;
    std::int64_t ticks = 0;
    for (int column = 0; column < 7; ++column) { // user nice system idle iowait irq softirq
      const std::int64_t value = number_of<std::int64_t>(take_word(line)).value_or(0);
      if (column != 3 && column != 4) ticks += value;
    }
    return ticks;
  }
  return std::nullopt;
}

std::int64_t interrupt_count(std::string_view proc_interrupts, const std::vector<int>& cpus) {
  std::string_view header = take_line(proc_interrupts);
  std::vector<bool> wanted; // by column: offline CPUs have none
  for (std::string_view word; !(word = take_word(header)).empty();)
    wanted.push_back(word.starts_with("CPU") && is_wanted(number_of<int>(word.substr(3)).value_or(-1), cpus));
  std::int64_t count = 0;
  while (!proc_interrupts.empty()) {
    std::string_view line = take_line(proc_interrupts);
    if (!take_word(line).ends_with(":")) continue;
    for (const bool counts : wanted) {
      const auto value = number_of<std::int64_t>(take_word(line));
      if (!value) break; // ERR and MIS have one number only
      if (counts) count += *value;
    }
  }
  return count;
}

std::string_view mapping_at(std::string_view smaps, std::uintptr_t address) {
  std::string_view rest = smaps;
  const char* begin = nullptr;
  while (!rest.empty()) {
    const char* const line_begin = rest.data();
    std::string_view line = take_line(rest);
    const std::string_view range = take_word(line);
    const std::size_t dash = range.find('-');
    if (dash == std::string_view::npos) continue;
    const auto from = number_of<std::uintptr_t>(range.substr(0, dash), 16);
    const auto to = number_of<std::uintptr_t>(range.substr(dash + 1), 16);
    if (!from || !to) continue;
    if (begin != nullptr) return {begin, static_cast<std::size_t>(line_begin - begin)};
    if (*from <= address && address < *to) begin = line_begin;
  }
  if (begin == nullptr) return {};
  return {begin, static_cast<std::size_t>(smaps.data() + smaps.size() - begin)};
}

std::string user_name(std::string_view passwd, unsigned user_id) {
  const std::string id = std::to_string(user_id);
  while (!passwd.empty()) { // name:password:id:...
    const std::string_view line = take_line(passwd);
    const std::size_t name_end = line.find(':');
    const std::size_t password_end = name_end == std::string_view::npos ? name_end : line.find(':', name_end + 1);
    if (password_end == std::string_view::npos) continue;
    const std::string_view rest = line.substr(password_end + 1);
    if (rest.substr(0, rest.find(':')) == id) return std::string(line.substr(0, name_end));
  }
  return "user " + id;
}

} // namespace switchscope
