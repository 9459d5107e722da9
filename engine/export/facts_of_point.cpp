#include "engine/export/facts_of_point.h"

#include <set>

namespace switchscope {

namespace {

void note(std::optional<std::string>& word, std::string_view seen) {
  if (!word)
    word = seen;
  else if (*word != seen)
    word = "mixed";
}

std::string type_of(int cpu, const Environment& environment) {
  for (const auto& each : environment.cpus)
    if (each.number == cpu) return each.core_type;
  return {};
}

} // namespace

std::vector<Obtained> obtained_by_point(std::size_t points, const std::vector<Visit>& visits) {
  std::vector<Obtained> obtained(points);
  for (const auto& visit : visits) {
    const auto* data = visit.data();
    if (!data || visit.request.counters) continue;
    auto& of_point = obtained.at(static_cast<std::size_t>(visit.point_index));
    note(of_point.policy, name_of(data->report.policy));
    note(of_point.pages, name_of(data->report.pages));
  }
  return obtained;
}

std::optional<std::string> core_type_of(const Placement& placement, const Environment& environment) {
  const auto told = [](std::string type) { return type.empty() ? std::nullopt : std::optional(std::move(type)); };
  switch (placement.kind) {
  case Placement::Kind::same_cpu:
    return told(type_of(placement.cpu_a, environment));
  case Placement::Kind::two_cpus: {
    const auto a = type_of(placement.cpu_a, environment);
    const auto b = type_of(placement.cpu_b, environment);
    if (a.empty() || b.empty()) return std::nullopt;
    return a == b ? a : a + ":" + b;
  }
  case Placement::Kind::automatic:
  case Placement::Kind::free: {
    std::set<std::string> types;
    for (const auto& cpu : environment.cpus)
      if (cpu.online && cpu.allowed) types.insert(cpu.core_type);
    return types.size() == 1 ? told(*types.begin()) : std::nullopt;
  }
  }
  return std::nullopt;
}

std::optional<std::string> interval_over(const PointEstimate& estimate) {
  if (estimate.state == EstimateState::failed) return std::nullopt;
  return estimate.sessions > 1 ? "sessions" : "visits";
}

} // namespace switchscope
