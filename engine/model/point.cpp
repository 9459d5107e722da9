#include "engine/model/point.h"

#include <charconv>

namespace switchscope {
namespace {

std::optional<int> parse_cpu(std::string_view text) {
  int cpu = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cpu);
  if (error != std::errc{} || end != text.data() + text.size() || cpu < 0 || text.front() == '-') return std::nullopt;
  return cpu;
}

} // namespace

std::string text_of(const Placement& placement) {
  switch (placement.kind) {
  case Placement::Kind::automatic:
    return "auto";
  case Placement::Kind::same_cpu:
    return std::to_string(placement.cpu_a);
  case Placement::Kind::two_cpus:
    return std::to_string(placement.cpu_a) + ":" + std::to_string(placement.cpu_b);
  case Placement::Kind::free:
    return "free";
  }
  return "?";
}

std::optional<Placement> parse_placement(std::string_view text) {
  if (text == "auto") return Placement{};
  if (text == "free") return Placement{Placement::Kind::free, -1, -1};
  const std::size_t colon = text.find(':');
  const auto cpu_a = parse_cpu(text.substr(0, colon));
  const auto cpu_b = colon == std::string_view::npos ? cpu_a : parse_cpu(text.substr(colon + 1));
  if (!cpu_a || !cpu_b) return std::nullopt;
  return Placement{*cpu_a == *cpu_b ? Placement::Kind::same_cpu : Placement::Kind::two_cpus, *cpu_a, *cpu_b};
}

Point direct_point_of(const Point& point) {
  Point direct;
  direct.method = point.method;
  direct.mechanism = point.mechanism;
  direct.tasks = point.tasks;
  direct.kernel = point.kernel;
  direct.placement = point.placement;
  direct.policy = point.policy;
  direct.pages = point.pages;
  return direct;
}

std::string key_of(const Point& point) {
  std::string key;
  const auto add = [&key](std::string_view part) {
    if (!key.empty()) key += '/';
    key += part;
  };
  add(name_of(point.method));
  add(name_of(point.mechanism));
  add(name_of(point.tasks));
  add(name_of(point.kernel));
  add(text_of(point.placement));
  add(name_of(point.policy));
  add(name_of(point.pages));
  add(std::to_string(point.array_bytes));
  add(name_of(point.pattern));
  add(std::to_string(point.stride_bytes));
  add(name_of(point.access));
  return key;
}

} // namespace switchscope
