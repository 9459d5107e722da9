#include "app/cli/wording.h"

#include "app/cli/columns.h"
#include "engine/model/quantity.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace switchscope {

namespace {

constexpr std::string_view between = " · ";

std::string order_words(const Point& point) {
  if (point.is_direct()) return {};
  std::string words{name_of(point.pattern)};
  if (point.pattern == Pattern::random) return words;
  words += ' ' + bytes_text(point.stride_bytes);
  // A stride of one element visits the elements in their order, whatever the pattern.
  return point.stride_bytes == element_bytes ? words + " (sequential)" : words;
}

std::string placement_words(const Placement& placement) {
  switch (placement.kind) {
  case Placement::Kind::same_cpu:
    return "CPU " + text_of(placement);
  case Placement::Kind::two_cpus:
    return "CPUs " + text_of(placement) + " (wake-up latency)";
  case Placement::Kind::free:
    return "free to move";
  case Placement::Kind::automatic:
    return "CPU not chosen";
  }
  return {};
}

std::string method_words(Method method) {
  switch (method) {
  case Method::paired:
    return "paired";
  case Method::paper:
    return "the paper's method";
  }
  return {};
}

std::string tasks_words(TaskKind tasks) {
  switch (tasks) {
  case TaskKind::process:
    return "processes";
  case TaskKind::thread:
    return "threads";
  }
  return {};
}

enum Axis : std::size_t { method, access, order, placement, pages, kernel, tasks, mechanism, axis_count };
using AxisWords = std::array<std::string, axis_count>;

AxisWords axis_words(const Point& point) {
  AxisWords words;
  words[method] = method_words(point.method);
  if (!point.is_direct()) words[access] = name_of(point.access);
  words[order] = order_words(point);
  words[placement] = placement_words(point.placement);
  words[pages] = pages_words(point.pages);
  words[kernel] = name_of(point.kernel);
  words[tasks] = tasks_words(point.tasks);
  words[mechanism] = name_of(point.mechanism);
  return words;
}

// Paired blocks of two processes over a pipe are what nearly every run measures: said only when it is something else.
bool goes_without_saying(std::size_t axis, const std::string& words) {
  return (axis == tasks && words == tasks_words(TaskKind::process)) ||
         (axis == method && words == method_words(Method::paired)) ||
         (axis == mechanism && words == name_of(Mechanism::pipe));
}

} // namespace

CurveGroups group_curves(const std::vector<Point>& points) {
  std::array<bool, axis_count> varies{};
  AxisWords shared;
  for (const auto& point : points) {
    const auto words = axis_words(point);
    for (std::size_t axis = 0; axis < axis_count; ++axis) {
      if (words[axis].empty()) continue; // has no meaning for this point
      if (shared[axis].empty())
        shared[axis] = words[axis];
      else if (shared[axis] != words[axis])
        varies[axis] = true;
    }
  }

  CurveGroups groups;
  std::vector<std::string> fixed;
  for (std::size_t axis = 0; axis < axis_count; ++axis)
    if (!varies[axis] && !goes_without_saying(axis, shared[axis])) fixed.push_back(shared[axis]);
  groups.fixed = joined(fixed, between);

  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto words = axis_words(points[i]);
    std::vector<std::string> label;
    for (std::size_t axis = 0; axis < axis_count; ++axis)
      if (varies[axis]) label.push_back(words[axis]);
    const auto text = joined(label, between);
    auto& kind = points[i].is_direct() ? groups.direct : groups.curves;
    const auto found =
        std::find_if(kind.begin(), kind.end(), [&](const CurvePoints& curve) { return curve.label == text; });
    if (found == kind.end())
      kind.push_back({text, {i}});
    else
      found->points.push_back(i);
  }
  for (auto& curve : groups.curves)
    std::stable_sort(curve.points.begin(), curve.points.end(),
                     [&](std::size_t a, std::size_t b) { return points[a].array_bytes < points[b].array_bytes; });
  return groups;
}

std::string policy_words(Policy policy, int priority) {
  switch (policy) {
  case Policy::automatic:
    return "policy auto";
  case Policy::fifo:
    return "FIFO " + std::to_string(priority);
  case Policy::round_robin:
    return "RR " + std::to_string(priority);
  case Policy::other:
    return "ordinary scheduling";
  }
  return {};
}

std::string pages_words(PageMode pages) {
  switch (pages) {
  case PageMode::base_4k:
    return "4 KiB pages";
  case PageMode::transparent_huge:
    return "transparent huge pages";
  case PageMode::hugetlb:
    return "hugetlb pages";
  }
  return {};
}

std::string state_words(RunState state) {
  return state == RunState::not_ended ? "not ended" : std::string(name_of(state));
}

std::string short_words(const Point& point) {
  if (point.is_direct()) return "no data";
  return joined({rounded_bytes_text(point.array_bytes), std::string(name_of(point.access)), order_words(point)}, " ");
}

CostWords cost_words(const Interval& interval) {
  if (!interval.has_interval && interval.low == interval.high) return {cost_text(interval.estimate), {}};
  const auto text = interval_text(interval.estimate, interval.low, interval.high);
  const auto split = text.find(" (");
  if (split == std::string::npos) return {text, {}};
  CostWords words{text.substr(0, split), text.substr(split + 1)};
  if (interval.has_interval) return words;
  if (const auto to = words.ends.find(" to "); to != std::string::npos) words.ends.replace(to, 4, "…");
  words.ends.insert(1, "seen ");
  return words;
}

bool is_not_distinguishable_from_0(const Interval& interval) {
  return interval.has_interval && interval.holds_zero();
}

std::string short_word(Flag flag) {
  switch (flag) {
  case Flag::few_visits:
    return "few";
  case Flag::contended:
    return "contended";
  case Flag::contention_unknown:
    return "unknown";
  case Flag::throttled:
    return "throttled";
  case Flag::stalled:
    return "stalled";
  case Flag::count_off:
    return "count";
  case Flag::faulted:
    return "faulted";
  case Flag::migrated:
    return "migrated";
  case Flag::policy_fallback:
    return "policy";
  case Flag::pages_fallback:
    return "pages";
  case Flag::precision_not_reached:
    return "wide";
  case Flag::emulated:
    return "emulated";
  case Flag::failed:
    return "failed";
  }
  return {};
}

std::string explanation(Flag flag) {
  switch (flag) {
  case Flag::few_visits:
    return "too few visits to rely on; under 4 there is no interval";
  case Flag::contended:
    return "another tenant or the sibling hyperthread was busy";
  case Flag::contention_unknown:
    return "whether another tenant was busy could not be told";
  case Flag::throttled:
    return "the kernel stopped real-time tasks for a while; those pairs are set aside where there are enough clean "
           "ones";
  case Flag::stalled:
    return "steps that took more than 10 ms too long; those pairs are set aside where there are enough clean ones";
  case Flag::count_off:
    return "the kernel counted other switches than expected: do not trust the point";
  case Flag::faulted:
    return "page faults while measuring";
  case Flag::migrated:
    return "a task ran on another CPU than asked";
  case Flag::policy_fallback:
    return "the scheduling policy is not the one asked";
  case Flag::pages_fallback:
    return "the pages are not those asked";
  case Flag::precision_not_reached:
    return "the precision aimed at was not reached";
  case Flag::emulated:
    return "the processor is emulated: the figures say nothing about a real one";
  case Flag::failed:
    return "its last visits failed, so it was not measured any further";
  }
  return {};
}

std::string as_sentences(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const auto end = std::min(lines.find('\n'), lines.size());
    std::string line(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
    const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto word_end = std::find_if_not(line.begin(), line.end(), is_lower);
    if (word_end != line.begin() && word_end != line.end() && *word_end == ' ')
      line.front() = static_cast<char>(line.front() - 'a' + 'A');
    if (!line.empty() && std::string_view(".!?:").find(line.back()) == std::string_view::npos) line += '.';
    text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

std::string rounded_bytes_text(std::int64_t bytes) {
  constexpr std::int64_t kib = 1024;
  constexpr std::int64_t mib = kib * kib;
  if (bytes < kib || bytes % kib == 0) return bytes_text(bytes);
  const bool in_mib = bytes >= mib;
  const double value = static_cast<double>(bytes) / static_cast<double>(in_mib ? mib : kib);
  return fmt::format("{:.{}f} {}", value, value < 100 ? 1 : 0, in_mib ? "MiB" : "KiB");
}

std::string left_out_words(const Run& run) {
  if (run.left_out == 0) return {};
  return fmt::format("{} of {}", run.left_out, expand(run.plan).combinations);
}

std::string no_counters_text(const Environment& environment) {
  const std::string& told = environment.hardware_counters;
  if (told.empty() || told == "yes") return {};
  return fmt::format("No hardware counters here ({}), so cycles and cache misses per switch are not told.",
                     printable(told));
}

} // namespace switchscope
