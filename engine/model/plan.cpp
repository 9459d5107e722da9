#include "engine/model/plan.h"

#include "engine/model/in_quotes.h"
#include "engine/model/quantity.h"

#include <algorithm>
#include <cmath>

namespace switchscope {
namespace {

constexpr std::int64_t max_bytes = std::int64_t{1} << 53;
constexpr double max_combinations = 100'000;
constexpr double max_seconds = 30.0 * 24 * 3600; // also keeps every time in nanoseconds far below 2^63
constexpr int max_sessions = 1000;
constexpr int max_added = 1000;
constexpr std::size_t max_name_bytes = 200;

using Problems = std::vector<PlanProblem>;

bool is_direct_only(const Plan& plan) {
  return plan.sizes_bytes == std::vector<std::int64_t>{0};
}

bool uses_stride(const Plan& plan) {
  return std::any_of(plan.patterns.begin(), plan.patterns.end(), [](Pattern p) { return p != Pattern::random; });
}

bool uses_random(const Plan& plan) {
  return std::find(plan.patterns.begin(), plan.patterns.end(), Pattern::random) != plan.patterns.end();
}

template <class T> bool has_repeats(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) != values.end();
}

template <class T> void check_list(Problems& problems, const std::string& field, const std::vector<T>& values) {
  if (values.empty()) problems.push_back({field, "The list of --" + field + " is empty; name at least one."});
  if (has_repeats(values))
    problems.push_back({field, "The list of --" + field + " names something twice; name it once."});
}

void check_sizes(Problems& problems, const Plan& plan) {
  check_list(problems, "size", plan.sizes_bytes);
  const bool holds_zero = std::find(plan.sizes_bytes.begin(), plan.sizes_bytes.end(), 0) != plan.sizes_bytes.end();
  if (holds_zero && !is_direct_only(plan))
    problems.push_back({"size", "Size 0 stands in a list with other sizes; leave it out, the direct cost is measured "
                                "in every run, or give --size 0 alone to measure nothing else."});
  const std::int64_t step = uses_random(plan) ? line_bytes : element_bytes;
  for (const std::int64_t bytes : plan.sizes_bytes) {
    if (bytes < 0)
      problems.push_back({"size", "The size " + bytes_text(bytes) + " is negative; write one such as 64KiB."});
    else if (bytes > max_bytes)
      problems.push_back(
          {"size", "The size " + bytes_text(bytes) + " is larger than 2^53 bytes; write a smaller one."});
    else if (bytes % step != 0)
      problems.push_back({"size", "The size " + bytes_text(bytes) + " is not a multiple of " +
                                      (step == line_bytes ? "64 B, the cache line that the random pattern visits"
                                                          : "8 B, the size of one element") +
                                      "; write " + bytes_text(bytes / step * step + step) + " instead."});
  }
}

void check_strides(Problems& problems, const Plan& plan) {
  if (is_direct_only(plan)) {
    if (!plan.strides_bytes.empty())
      problems.push_back(
          {"stride", "Size 0 touches no data, so it takes no stride; leave --stride out, or give a size."});
    return;
  }
  if (!uses_stride(plan)) {
    if (!plan.strides_bytes.empty())
      problems.push_back(
          {"stride", "The random pattern takes no stride; leave --stride out, or add --pattern strided."});
    return;
  }
  check_list(problems, "stride", plan.strides_bytes);
  for (const std::int64_t bytes : plan.strides_bytes)
    if (bytes < element_bytes || bytes % element_bytes != 0 || bytes > max_bytes)
      problems.push_back({"stride", "The stride " + bytes_text(bytes) +
                                        " is not a multiple of 8 B, the size of one element, from 8 B to 2^53 bytes; "
                                        "write one such as 128B."});
}

void check_placements(Problems& problems, const Plan& plan) {
  std::vector<std::string> texts;
  for (const Placement& placement : plan.placements) {
    texts.push_back(text_of(placement));
    if (parse_placement(texts.back()) != placement)
      problems.push_back({"cpu", "The placement " + texts.back() +
                                     " names no CPUs; write a number such as 1, a pair such as 0:1, free or auto."});
  }
  check_list(problems, "cpu", texts);
}

void check_time(Problems& problems, const Plan& plan) {
  if (plan.budget_s && !(*plan.budget_s > 0))
    problems.push_back({"budget", "The budget must be longer than 0; write one such as 60s."});
  if (plan.budget_s && *plan.budget_s > max_seconds)
    problems.push_back({"budget", "The budget is longer than 30 days; write a shorter one."});
  if (plan.precision_ratio && !(*plan.precision_ratio > 0 && *plan.precision_ratio < 1))
    problems.push_back({"precision", "The precision must lie between 0 and 1 (100%); write one such as 2%."});
  if (plan.sessions < 1 || plan.sessions > max_sessions)
    problems.push_back({"sessions", "The number of sessions must lie between 1 and 1000."});
  if (!(plan.session_interval_s >= 0 && plan.session_interval_s <= max_seconds))
    problems.push_back({"every", "The time between sessions must lie between 0 and 30 days; write one such as 10min."});
  if (plan.session_interval_s > 0 && plan.sessions == 1)
    problems.push_back({"every", "A time between sessions needs more than one session; add --sessions 2 or more."});
}

// The kernels of a method's points.
const std::vector<Kernel>& kernels_of(const Plan& plan, Method method) {
  static const std::vector<Kernel> own{Kernel::scalar};
  return method == Method::paper ? own : plan.kernels;
}

void check_methods(Problems& problems, const Plan& plan) {
  check_list(problems, "method", plan.methods);
  if (std::find(plan.methods.begin(), plan.methods.end(), Method::paper) == plan.methods.end()) return;
  if (std::find(plan.tasks.begin(), plan.tasks.end(), TaskKind::thread) != plan.tasks.end())
    problems.push_back({"tasks", "The paper's method switches between processes and knows no threads; leave --tasks "
                                 "thread out, or use --method paired."});
  if (std::any_of(plan.patterns.begin(), plan.patterns.end(), [](Pattern p) { return p != Pattern::strided; }))
    problems.push_back({"pattern", "The paper's method knows the pattern strided only; give --pattern strided, or use "
                                   "--method paired."});
  if (!is_paper_only(plan)) return;
  if (plan.budget_s)
    problems.push_back({"budget", "The paper's method always makes three rounds and takes no budget; leave --budget "
                                  "out, or use --method paired."});
  if (plan.precision_ratio)
    problems.push_back({"precision", "The paper's method has no interval, so it takes no precision; leave --precision "
                                     "out, or use --method paired."});
  if (plan.require.precision || plan.require.clean)
    problems.push_back({"require", "The paper's method has no interval and sets nothing aside, so neither precision "
                                   "nor clean can be required of it; leave them out, or use --method paired."});
}

void check_added_points(Problems& problems, const Plan& plan) {
  if (plan.max_added_points < 0 || plan.max_added_points > max_added)
    problems.push_back({"add-points", "The number of points to add must lie between 0 and 1000."});
  if (plan.edge_points_per_octave < 1 || plan.edge_points_per_octave > 64)
    problems.push_back({"edge-resolution", "The resolution of edges must lie between 1 and 64 points per octave."});
  if (plan.extend_to_bytes < 0 || plan.extend_to_bytes > max_bytes)
    problems.push_back({"extend_to_bytes", "The size to extend the sweep to must lie between 0 and 2^53 bytes."});
  if (plan.max_added_points > 0 && is_paper_only(plan))
    problems.push_back({"add-points", "The paper's method has no interval, so nothing tells where to add sizes; leave "
                                      "--add-points out, or use --method paired."});
}

double combinations_of(const Plan& plan) {
  const auto count = [](const auto& list) { return static_cast<double>(list.size()); };
  const double data = is_direct_only(plan) ? 1.0 : [&] {
    double stride_and_pattern = 0;
    for (const Pattern pattern : plan.patterns)
      stride_and_pattern += pattern == Pattern::random ? 1 : count(plan.strides_bytes);
    return count(plan.sizes_bytes) * count(plan.accesses) * stride_and_pattern;
  }();
  double kernels = 0;
  for (const Method method : plan.methods) kernels += count(kernels_of(plan, method));
  return data * count(plan.mechanisms) * count(plan.tasks) * kernels * count(plan.placements) * count(plan.pages);
}

void check_product(Problems& problems, const Plan& plan) {
  const double combinations = combinations_of(plan);
  if (combinations > max_combinations) {
    problems.push_back({"size", "The plan has more than 100,000 combinations; shorten its lists."});
    return;
  }
  if (is_direct_only(plan) || uses_random(plan)) return;
  const auto largest = std::max_element(plan.sizes_bytes.begin(), plan.sizes_bytes.end());
  const auto smallest = std::min_element(plan.strides_bytes.begin(), plan.strides_bytes.end());
  if (*smallest > *largest)
    problems.push_back(
        {"stride", "Every stride is larger than every array, so no combination is left; write strides of at most " +
                       bytes_text(*largest) + "."});
}

// The points with data of one (method, mechanism, tasks, kernel, placement, pages), in the order of the plan's lists.
void add_data_points(Expansion& expansion, const Plan& plan, const Point& direct) {
  const auto add = [&](Point point) {
    expansion.combinations += 1;
    if (point.stride_bytes > point.array_bytes)
      expansion.left_out += 1;
    else
      expansion.points.push_back(point);
  };
  for (const Access access : plan.accesses)
    for (const Pattern pattern : plan.patterns) {
      const std::vector<std::int64_t> no_stride{0};
      for (const std::int64_t stride : pattern == Pattern::random ? no_stride : plan.strides_bytes)
        for (const std::int64_t size : plan.sizes_bytes) {
          Point point = direct;
          point.access = access;
          point.pattern = pattern;
          point.stride_bytes = stride;
          point.array_bytes = size;
          add(point);
        }
    }
}

} // namespace

bool is_paper_only(const Plan& plan) {
  return plan.methods == std::vector<Method>{Method::paper};
}

std::vector<PlanProblem> problems_of(const Plan& plan) {
  Problems problems;
  check_sizes(problems, plan);
  check_strides(problems, plan);
  check_list(problems, "access", plan.accesses);
  check_list(problems, "pattern", plan.patterns);
  check_placements(problems, plan);
  check_list(problems, "pages", plan.pages);
  check_list(problems, "mechanism", plan.mechanisms);
  check_list(problems, "tasks", plan.tasks);
  check_list(problems, "kernel", plan.kernels);
  check_time(problems, plan);
  check_methods(problems, plan);
  check_added_points(problems, plan);
  if (plan.require.fifo && (plan.policy == Policy::round_robin || plan.policy == Policy::other))
    problems.push_back(
        {"require", "The policy " + std::string(name_of(plan.policy)) +
                        " is asked for and fifo is required; leave out --policy, or fifo of --require."});
  if (plan.name.size() > max_name_bytes) problems.push_back({"name", "The name is longer than 200 bytes; shorten it."});
  if (!is_printable(plan.name))
    problems.push_back({"name", "The name " + in_quotes(plan.name) +
                                    " holds control characters or bytes that are not UTF-8; leave them out."});
  if (problems.empty()) check_product(problems, plan);
  return problems;
}

Expansion expand(const Plan& plan) {
  Expansion expansion;
  for (const Method method : plan.methods)
    for (const Mechanism mechanism : plan.mechanisms)
      for (const TaskKind tasks : plan.tasks)
        for (const Kernel kernel : kernels_of(plan, method))
          for (const Placement& placement : plan.placements)
            for (const PageMode pages : plan.pages) {
              Point direct;
              direct.method = method;
              direct.mechanism = mechanism;
              direct.tasks = tasks;
              direct.kernel = kernel;
              direct.placement = placement;
              direct.policy = plan.policy;
              direct.pages = pages;
              expansion.points.push_back(direct);
            }
  if (is_direct_only(plan)) return expansion;
  const std::vector<Point> direct_points = expansion.points;
  for (const Point& direct : direct_points) add_data_points(expansion, plan, direct);
  return expansion;
}

} // namespace switchscope
