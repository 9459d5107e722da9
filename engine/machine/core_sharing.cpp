#include "engine/machine/core_sharing.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace switchscope {
namespace {

constexpr double fallen_ratio = 0.15;
constexpr double steady_ratio = 0.075;
constexpr double agreeing_ratio = 0.8;
constexpr int fewest_pairs = 6;
constexpr double most_others_ratio = 0.25;
constexpr double busy_ratio = 0.8;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Sharing verdict_of(const SharingSeries& series) {
  const std::size_t pairs = std::min(series.quiet.size(), series.busy.size());
  if (pairs < fewest_pairs) return Sharing::cannot_tell;
  int fallen = 0;
  int steady = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    const double fall = 1 - series.busy[i] / series.quiet[i];
    if (fall >= fallen_ratio) ++fallen;
    if (fall > -steady_ratio && fall < steady_ratio) ++steady;
  }
  const double enough = agreeing_ratio * static_cast<double>(pairs);
  if (fallen >= enough) return Sharing::shares;
  if (steady >= enough && series.others_busy_ratio <= most_others_ratio) return Sharing::does_not;
  return Sharing::cannot_tell;
}

} // namespace

CoreNeighbour neighbour_from(const SharingSeries& series) {
  return {series.cpu, verdict_of(series), median(series.quiet), median(series.busy),
          static_cast<int>(std::min(series.quiet.size(), series.busy.size()))};
}

CoreSharing sharing_from(const SharingLine& line, std::size_t asked, const std::string& taken_at) {
  CoreSharing sharing{line.cpu, taken_at, {}, 0};
  for (const SharingSeries& series : line.others) sharing.neighbours.push_back(neighbour_from(series));
  sharing.not_tried = static_cast<int>(asked - std::min(asked, line.others.size()));
  return sharing;
}

std::vector<int> sharing_candidates(const Environment& environment, int cpu) {
  const auto& cpus = environment.cpus;
  const auto chosen = std::find_if(cpus.begin(), cpus.end(), [&](const Cpu& each) { return each.number == cpu; });
  const auto half = static_cast<int>(cpus.size() / 2);
  std::vector<Cpu> others;
  std::copy_if(cpus.begin(), cpus.end(), std::back_inserter(others),
               [&](const Cpu& other) { return other.number != cpu && other.online && other.allowed; });
  const auto rank = [&](const Cpu& other) {
    const bool reported = chosen != cpus.end() && std::find(chosen->siblings.begin(), chosen->siblings.end(),
                                                            other.number) != chosen->siblings.end();
    const bool usual = other.number == (cpu ^ 1) || other.number == cpu + half || other.number == cpu - half;
    return std::tuple(is_busy(other), !reported, !usual, other.number);
  };
  std::sort(others.begin(), others.end(), [&](const Cpu& a, const Cpu& b) { return rank(a) < rank(b); });
  std::vector<int> numbers;
  for (const Cpu& other : others) numbers.push_back(other.number);
  return numbers;
}

const CoreSharing* sharing_of(const Environment& environment, int cpu) {
  for (const CoreSharing& sharing : environment.core_sharing)
    if (sharing.cpu == cpu) return &sharing;
  return nullptr;
}

std::vector<int> core_mates(const Environment& environment, int cpu) {
  std::set<int> mates;
  for (const Cpu& each : environment.cpus)
    if (each.number == cpu) mates.insert(each.siblings.begin(), each.siblings.end());
  for (const CoreSharing& sharing : environment.core_sharing)
    for (const CoreNeighbour& neighbour : sharing.neighbours) {
      if (neighbour.verdict != Sharing::shares) continue;
      if (sharing.cpu == cpu) mates.insert(neighbour.cpu);
      if (neighbour.cpu == cpu) mates.insert(sharing.cpu);
    }
  mates.erase(cpu);
  return {mates.begin(), mates.end()};
}

bool is_busy(const Cpu& cpu) {
  return cpu.busy_ratio.value_or(0) >= busy_ratio;
}

} // namespace switchscope
