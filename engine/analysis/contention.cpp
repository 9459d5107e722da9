#include "engine/analysis/contention.h"

#include "engine/analysis/intervals.h"
#include "engine/analysis/reading.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace switchscope {
namespace {

// A clean side smaller than this is not believed: a few probes whose dependent chain was interrupted read too high.
constexpr double least_clean_share = 0.02;
constexpr std::size_t least_clean_probes = 6; // one pair's

// Where a side begins: a twentieth of each side may lie inside the gap, for probes that began alone and ended shared.
constexpr double edge_share = 0.05;

struct Gap {
  double low = 0;  // where the contended side ends
  double high = 0; // where the clean side begins
  std::size_t cut = 0;
  [[nodiscard]] double ratio() const { return (high - low) / high; }
};

Gap gap_at(std::span<const double> ascending, std::size_t cut) {
  const auto below = ascending.first(cut);
  const auto above = ascending.subspan(cut);
  const auto edge = [](std::size_t count) {
    return static_cast<std::size_t>(edge_share * static_cast<double>(count - 1));
  };
  return {below[below.size() - 1 - edge(below.size())], above[edge(above.size())], cut};
}

// The topmost accepted gap. With three levels (alone, half shared, shared) the first cut may lie between the lower two,
// so the upper side is looked at again until it has no gap.
std::optional<Gap> topmost_gap(std::span<const double> ascending, double least_ratio) {
  const auto at_least_above =
      std::max(least_clean_probes,
               static_cast<std::size_t>(std::ceil(least_clean_share * static_cast<double>(ascending.size()))));
  std::optional<Gap> accepted;
  std::size_t from = 0;
  for (;;) {
    const auto side = ascending.subspan(from);
    const std::size_t cut = otsu_cut(side, at_least_above);
    if (cut == 0) return accepted;
    const Gap gap = gap_at(side, cut);
    if (gap.ratio() <= least_ratio) return accepted;
    accepted = gap;
    from += cut;
  }
}

} // namespace

std::size_t otsu_cut(std::span<const double> ascending, std::size_t at_least_above) {
  const std::size_t count = ascending.size();
  if (count < at_least_above + 1) return 0;
  double total = 0;
  for (const double value : ascending) total += value;
  double below = 0;
  double widest = 0;
  std::size_t cut = 0;
  for (std::size_t i = 1; i + at_least_above <= count; ++i) {
    below += ascending[i - 1];
    if (ascending[i] <= ascending[i - 1]) continue; // equal values stay on one side
    const auto count_below = static_cast<double>(i);
    const auto count_above = static_cast<double>(count - i);
    const double difference = (total - below) / count_above - below / count_below;
    const double between = count_below * count_above * difference * difference;
    if (between > widest) {
      widest = between;
      cut = i;
    }
  }
  return cut;
}

ContentionSplit contention_split(std::span<const Probe> probes, double gap_ratio,
                                 const std::optional<StoredLevel>& stored) {
  std::vector<double> adds;
  adds.reserve(probes.size());
  for (const Probe& probe : probes)
    if (is_read(probe.adds_per_cycle)) adds.push_back(probe.adds_per_cycle);
  std::sort(adds.begin(), adds.end());

  ContentionSplit split;
  if (const auto gap = topmost_gap(adds, gap_ratio);
      gap && (!stored ||
              gap->high >= stored->split_adds_per_cycle)) { // else this run never had the core to itself, gap or not
    split.source = ContentionSplit::Source::this_run;
    split.split_adds_per_cycle = std::midpoint(gap->low, gap->high);
  } else if (stored) {
    split.source = ContentionSplit::Source::stored;
    split.split_adds_per_cycle = stored->split_adds_per_cycle;
  } else {
    return split;
  }

  const auto first_clean = std::lower_bound(adds.begin(), adds.end(), split.split_adds_per_cycle);
  if (first_clean != adds.end()) split.clean_adds_per_cycle = median_of({first_clean, adds.end()});
  if (!adds.empty())
    split.contended_share = static_cast<double>(first_clean - adds.begin()) / static_cast<double>(adds.size());

  std::vector<double> clean_trips;
  for (const Probe& probe : probes)
    if (probe.adds_per_cycle >= split.split_adds_per_cycle && is_read(probe.self_pipe_ns))
      clean_trips.push_back(probe.self_pipe_ns);
  if (clean_trips.size() >= least_clean_probes)
    split.clean_self_pipe_ns = median_of(std::move(clean_trips));
  else if (stored)
    split.clean_self_pipe_ns = stored->clean_self_pipe_ns;
  return split;
}

} // namespace switchscope
