#include "engine/model/presets.h"

#include "engine/model/quantity.h"

#include <algorithm>
#include <utility>

namespace switchscope {
namespace {

constexpr std::int64_t kib = 1024;
constexpr std::int64_t mib = 1024 * kib;
// Where a machine does not tell its caches, a sweep begins with this reach and goes on until a cliff is found.
constexpr std::int64_t smallest_unknown = 16 * kib;
constexpr std::int64_t first_reach_unknown = 2 * mib;
constexpr std::int64_t largest_unknown = 64 * mib;

using Sizes = std::vector<std::int64_t>;

Sizes to_lines(Sizes sizes) {
  for (std::int64_t& bytes : sizes) bytes = std::max<std::int64_t>(64, (bytes + 32) / 64 * 64);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

Sizes sweep(std::int64_t first, std::int64_t last, int per_octave) {
  return to_lines(bytes_between(std::max<std::int64_t>(64, first), last, per_octave));
}

Sizes in_kib(Sizes sizes) {
  for (std::int64_t& size : sizes) size *= kib;
  return sizes;
}

std::optional<std::int64_t> known(std::optional<std::int64_t> bytes) {
  return bytes && *bytes > 0 ? bytes : std::nullopt;
}

Plan plan_with(Sizes sizes, Sizes strides, double budget_s) {
  Plan plan;
  plan.sizes_bytes = std::move(sizes);
  plan.strides_bytes = std::move(strides);
  plan.budget_s = budget_s;
  return plan;
}

// Where no size is known, sizes are also added beyond the last one.
void add_points(Plan& plan, int most, bool size_is_known) {
  plan.max_added_points = size_is_known ? most : 2 * most;
  if (!size_is_known) plan.extend_to_bytes = largest_unknown;
}

Plan l2_cliff(const CacheSizes& caches) {
  const auto c = known(caches.l2_bytes);
  Plan plan = plan_with(c ? sweep(*c / 32, 4 * *c, 3) : sweep(smallest_unknown, first_reach_unknown, 3), {128}, 60);
  plan.accesses = {Access::read, Access::read_modify_write};
  add_points(plan, 16, c.has_value());
  return plan;
}

Plan quick(const CacheSizes& caches) {
  const auto l2 = known(caches.l2_bytes);
  const std::int64_t c = l2.value_or(mib);
  Plan plan = plan_with(to_lines({c / 16, c / 8, c / 4, c / 2, 3 * c / 4, c, 3 * c / 2, 2 * c}), {128}, 10);
  add_points(plan, 6, l2.has_value());
  return plan;
}

Plan direct(const CacheSizes&) {
  return plan_with({0}, {}, 10);
}

Plan paper_figure_1(const CacheSizes&) {
  Plan plan = plan_with(in_kib({1, 2, 4, 8, 16, 32, 64, 128, 192, 256, 384, 512, 1024, 2048}), {8}, 60);
  plan.accesses = {Access::read, Access::write, Access::read_modify_write};
  plan.kernels = {Kernel::scalar};
  return plan;
}

Plan paper_figure_2(const CacheSizes&) {
  Plan plan = plan_with(in_kib({32, 128, 256, 384, 512, 2048}), {8, 16, 32, 64, 128}, 60);
  plan.kernels = {Kernel::scalar};
  return plan;
}

Plan stride(const CacheSizes& caches) {
  const auto l2 = known(caches.l2_bytes);
  Sizes sizes = in_kib({16, 128, 1024, 8192, 65536});
  if (l2) sizes = to_lines({*l2 / 4, *l2 / 2, 3 * *l2 / 4, *l2, 2 * *l2});
  Plan plan = plan_with(std::move(sizes), {8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096}, 120);
  plan.patterns = {Pattern::strided, Pattern::sparse};
  return plan;
}

Plan memory_mountain(const CacheSizes& caches) {
  const auto l2 = known(caches.l2_bytes);
  const auto last_level = known(caches.last_level_bytes);
  const std::int64_t first = l2 ? *l2 / 32 : smallest_unknown;
  const std::int64_t last = last_level ? std::min(largest_unknown, 4 * *last_level) : largest_unknown;
  return plan_with(sweep(first, std::max(first, last), 1), {8, 16, 32, 64, 128, 256, 512, 1024}, 180);
}

Plan paper_vs_paired(const CacheSizes&) {
  Plan plan = plan_with({384 * kib}, {128}, 10);
  plan.kernels = {Kernel::scalar};
  plan.methods = {Method::paired, Method::paper};
  plan.sessions = 5; // one repeat each, the methods in turn
  return plan;
}

struct Entry {
  Preset preset;
  Plan (*plan)(const CacheSizes&);
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {{"l2-cliff", "The cliff at the L2 cache: L2/32 to 4 L2, 3 sizes per octave, stride 128 B, read and rmw; 60 s"},
       l2_cliff},
      {{"quick", "A first look: 8 sizes from L2/16 to 2 L2, stride 128 B, rmw; 10 s"}, quick},
      {{"direct", "The direct cost alone, without data; 10 s"}, direct},
      {{"paper-figure-1", "The paper's Figure 1: 14 sizes from 1 KiB to 2 MiB, read, write and rmw, stride 8 B; 60 s"},
       paper_figure_1},
      {{"paper-figure-2", "The paper's Figure 2: 6 sizes from 32 KiB to 2 MiB, strides 8 B to 128 B, rmw; 60 s"},
       paper_figure_2},
      {{"stride",
        "The effect of the stride: 5 sizes from L2/4 to 2 L2, strides 8 B to 4 KiB, strided and sparse; 2 min"},
       stride},
      {{"memory-mountain",
        "The whole memory: L2/32 to 4 times the last level (at most 64 MiB), strides 8 B to 1 KiB; 3 min"},
       memory_mountain},
      {{"paper-vs-paired",
        "The paper's method and ours in turn, five repeats of C1 and of 384 KiB, stride 128 B; about 90 s"},
       paper_vs_paired},
  };
  return all;
}

} // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = [] {
    std::vector<Preset> listed;
    for (const Entry& entry : entries()) listed.push_back(entry.preset);
    return listed;
  }();
  return all;
}

std::optional<Plan> preset_plan(std::string_view name, const CacheSizes& caches) {
  for (const Entry& entry : entries())
    if (entry.preset.name == name) {
      Plan plan = entry.plan(caches);
      plan.preset = entry.preset.name;
      return plan;
    }
  return std::nullopt;
}

} // namespace switchscope
