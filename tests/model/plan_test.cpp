#include "engine/model/plan.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

using namespace switchscope;

namespace {

Plan good() {
  Plan plan;
  plan.sizes_bytes = {64, 4096};
  plan.strides_bytes = {8, 128};
  plan.budget_s = 10;
  return plan;
}

Plan direct() {
  Plan plan;
  plan.sizes_bytes = {0};
  return plan;
}

std::string problems_text(const Plan& plan) {
  std::string text;
  for (const PlanProblem& problem : problems_of(plan))
    text += (text.empty() ? "" : " | ") + problem.field + ": " + problem.message;
  return text;
}

TEST(Problems, AreNoneForAPlanThatCanRun) {
  EXPECT_EQ(problems_text(good()), "");
  EXPECT_EQ(problems_text(direct()), "");
  Plan ten_tib = good(); // whether it fits is for the machine to say
  ten_tib.sizes_bytes = {std::int64_t{10} << 40};
  EXPECT_EQ(problems_text(ten_tib), "");
}

TEST(Problems, AreNoneForBothMethodsWithBudgetAndPrecision) {
  Plan plan = good();
  plan.methods = {Method::paired, Method::paper};
  plan.precision_ratio = 0.02;
  plan.require.precision = true;
  EXPECT_EQ(problems_text(plan), "");
  EXPECT_FALSE(is_paper_only(plan));
  plan = direct();
  plan.methods = {Method::paper};
  EXPECT_EQ(problems_text(plan), "");
  EXPECT_TRUE(is_paper_only(plan));
}

struct Broken {
  std::string problems;
  std::function<void(Plan&)> change;
};

TEST(Problems, NameThePartAndWhatToDo) {
  const Broken cases[] = {
      {"size: The list of --size is empty; name at least one.", [](Plan& p) { p.sizes_bytes = {}; }},
      {"size: Size 0 stands in a list with other sizes; leave it out, the direct cost is measured in every run, or "
       "give "
       "--size 0 alone to measure nothing else.",
       [](Plan& p) {
         p.sizes_bytes = {0, 64};
       }},
      {"stride: Size 0 touches no data, so it takes no stride; leave --stride out, or give a size.",
       [](Plan& p) { p.sizes_bytes = {0}; }},
      {"size: The size −8 B is negative; write one such as 64KiB.",
       [](Plan& p) {
         p.sizes_bytes = {-8, 4096};
       }},
      {"size: The size 100 B is not a multiple of 8 B, the size of one element; write 104 B instead.",
       [](Plan& p) {
         p.sizes_bytes = {100, 4096};
       }},
      {"size: The size 72 B is not a multiple of 64 B, the cache line that the random pattern visits; write 128 B "
       "instead.",
       [](Plan& p) {
         p.sizes_bytes = {72}, p.patterns = {Pattern::strided, Pattern::random};
       }},
      {"size: The size 9223372036854775800 B is larger than 2^53 bytes; write a smaller one.",
       [](Plan& p) { p.sizes_bytes = {9223372036854775800}; }},
      {"size: The list of --size names something twice; name it once.",
       [](Plan& p) {
         p.sizes_bytes = {64, 64}, p.strides_bytes = {8};
       }},
      {"stride: The list of --stride is empty; name at least one.", [](Plan& p) { p.strides_bytes = {}; }},
      {"stride: The stride 4 B is not a multiple of 8 B, the size of one element, from 8 B to 2^53 bytes; write one "
       "such "
       "as 128B.",
       [](Plan& p) {
         p.strides_bytes = {4, 8};
       }},
      {"stride: The stride 12 B is not a multiple of 8 B, the size of one element, from 8 B to 2^53 bytes; write one "
       "such as 128B.",
       [](Plan& p) { p.strides_bytes = {12}; }},
      {"stride: The stride 0 B is not a multiple of 8 B, the size of one element, from 8 B to 2^53 bytes; write one "
       "such "
       "as 128B.",
       [](Plan& p) { p.strides_bytes = {0}; }},
      {"stride: The stride −8 B is not a multiple of 8 B, the size of one element, from 8 B to 2^53 bytes; write one "
       "such as 128B.",
       [](Plan& p) { p.strides_bytes = {-8}; }},
      {"stride: The random pattern takes no stride; leave --stride out, or add --pattern strided.",
       [](Plan& p) { p.patterns = {Pattern::random}; }},
      {"stride: Every stride is larger than every array, so no combination is left; write strides of at most 4 KiB.",
       [](Plan& p) {
         p.strides_bytes = {8192, 16384};
       }},
      {"access: The list of --access is empty; name at least one.", [](Plan& p) { p.accesses = {}; }},
      {"access: The list of --access names something twice; name it once.",
       [](Plan& p) {
         p.accesses = {Access::read, Access::write, Access::read};
       }},
      {"cpu: The list of --cpu is empty; name at least one.", [](Plan& p) { p.placements = {}; }},
      {"cpu: The list of --cpu names something twice; name it once.",
       [](Plan& p) {
         p.placements = {Placement{}, Placement{}};
       }},
      {"cpu: The placement -1 names no CPUs; write a number such as 1, a pair such as 0:1, free or auto.",
       [](Plan& p) {
         p.placements = {Placement{Placement::Kind::same_cpu, -1, -1}};
       }},
      {"pages: The list of --pages is empty; name at least one.", [](Plan& p) { p.pages = {}; }},
      {"mechanism: The list of --mechanism is empty; name at least one.", [](Plan& p) { p.mechanisms = {}; }},
      {"tasks: The list of --tasks is empty; name at least one.", [](Plan& p) { p.tasks = {}; }},
      {"kernel: The list of --kernel is empty; name at least one.", [](Plan& p) { p.kernels = {}; }},
      {"budget: The budget must be longer than 0; write one such as 60s.", [](Plan& p) { p.budget_s = 0; }},
      {"budget: The budget must be longer than 0; write one such as 60s.", [](Plan& p) { p.budget_s = -1; }},
      {"budget: The budget is longer than 30 days; write a shorter one.", [](Plan& p) { p.budget_s = 1e9; }},
      {"precision: The precision must lie between 0 and 1 (100%); write one such as 2%.",
       [](Plan& p) { p.precision_ratio = 0; }},
      {"precision: The precision must lie between 0 and 1 (100%); write one such as 2%.",
       [](Plan& p) { p.precision_ratio = 1; }},
      {"budget: The paper's method always makes three rounds and takes no budget; leave --budget out, or use --method "
       "paired.",
       [](Plan& p) { p.methods = {Method::paper}; }},
      {"precision: The paper's method has no interval, so it takes no precision; leave --precision out, or use "
       "--method "
       "paired.",
       [](Plan& p) { p.methods = {Method::paper}, p.budget_s.reset(), p.precision_ratio = 0.02; }},
      {"method: The list of --method is empty; name at least one.", [](Plan& p) { p.methods = {}; }},
      {"method: The list of --method names something twice; name it once.",
       [](Plan& p) {
         p.methods = {Method::paired, Method::paired};
       }},
      {"tasks: The paper's method switches between processes and knows no threads; leave --tasks thread out, or use "
       "--method paired.",
       [](Plan& p) {
         p.methods = {Method::paired, Method::paper}, p.tasks = {TaskKind::process, TaskKind::thread};
       }},
      {"pattern: The paper's method knows the pattern strided only; give --pattern strided, or use --method paired.",
       [](Plan& p) {
         p.methods = {Method::paper, Method::paired}, p.patterns = {Pattern::strided, Pattern::sparse};
       }},
      {"require: The paper's method has no interval and sets nothing aside, so neither precision nor clean can be "
       "required of it; leave them out, or use --method paired.",
       [](Plan& p) { p.methods = {Method::paper}, p.budget_s.reset(), p.require.clean = true; }},
      {"require: The policy other is asked for and fifo is required; leave out --policy, or fifo of --require.",
       [](Plan& p) { p.policy = Policy::other, p.require.fifo = true; }},
      {"require: The policy rr is asked for and fifo is required; leave out --policy, or fifo of --require.",
       [](Plan& p) { p.policy = Policy::round_robin, p.require.fifo = true; }},
      {"sessions: The number of sessions must lie between 1 and 1000.", [](Plan& p) { p.sessions = 0; }},
      {"add-points: The number of points to add must lie between 0 and 1000.",
       [](Plan& p) { p.max_added_points = -1; }},
      {"edge-resolution: The resolution of edges must lie between 1 and 64 points per octave.",
       [](Plan& p) { p.edge_points_per_octave = 0; }},
      {"extend_to_bytes: The size to extend the sweep to must lie between 0 and 2^53 bytes.",
       [](Plan& p) { p.extend_to_bytes = -1; }},
      {"add-points: The paper's method has no interval, so nothing tells where to add sizes; leave --add-points out, "
       "or use --method paired.",
       [](Plan& p) { p.max_added_points = 1, p.methods = {Method::paper}, p.budget_s.reset(); }},
      {"every: The time between sessions must lie between 0 and 30 days; write one such as 10min.",
       [](Plan& p) { p.sessions = 2, p.session_interval_s = -1; }},
      {"every: A time between sessions needs more than one session; add --sessions 2 or more.",
       [](Plan& p) { p.session_interval_s = 600; }},
      {"name: The name is longer than 200 bytes; shorten it.", [](Plan& p) { p.name = std::string(201, 'x'); }},
      {"name: The name \"a\\x0ab\" holds control characters or bytes that are not UTF-8; leave them out.",
       [](Plan& p) { p.name = "a\nb"; }},
      {"size: The plan has more than 100,000 combinations; shorten its lists.",
       [](Plan& p) {
         for (int i = 1; i <= 400; ++i) p.sizes_bytes.push_back(8192 * i), p.strides_bytes.push_back(8192 * i);
       }},
      {"budget: The budget must be longer than 0; write one such as 60s. | sessions: The number of sessions must lie "
       "between 1 and 1000.",
       [](Plan& p) { p.budget_s = 0, p.sessions = -3; }},
  };
  for (const Broken& broken : cases) {
    Plan plan = good();
    broken.change(plan);
    EXPECT_EQ(problems_text(plan), broken.problems);
  }
}

std::vector<std::string> keys_of(const Plan& plan) {
  std::vector<std::string> keys;
  for (const Point& point : expand(plan).points) keys.push_back(key_of(point));
  return keys;
}

TEST(Expand, LeavesOutStridesLargerThanTheArrayAndCountsThem) {
  const Expansion expansion = expand(good());
  EXPECT_EQ(expansion.combinations, 4);
  EXPECT_EQ(expansion.left_out, 1);
  EXPECT_EQ(keys_of(good()),
            (std::vector<std::string>{"paired/pipe/process/vector/auto/auto/4k/0/strided/0/rmw",
                                      "paired/pipe/process/vector/auto/auto/4k/64/strided/8/rmw",
                                      "paired/pipe/process/vector/auto/auto/4k/4096/strided/8/rmw",
                                      "paired/pipe/process/vector/auto/auto/4k/4096/strided/128/rmw"}));
}

TEST(Expand, KeepsAStrideAsLargeAsTheArray) {
  Plan plan = good();
  plan.sizes_bytes = {128};
  plan.strides_bytes = {128};
  EXPECT_EQ(expand(plan).left_out, 0);
  EXPECT_EQ(expand(plan).points.size(), 2u);
}

TEST(Expand, GivesTheDirectCostAlone) {
  EXPECT_EQ(keys_of(direct()), std::vector<std::string>{"paired/pipe/process/vector/auto/auto/4k/0/strided/0/rmw"});
  EXPECT_EQ(expand(direct()).combinations, 0);
}

TEST(Expand, ThePapersMethodHasItsOwnKernelOnce) {
  Plan plan = good();
  plan.sizes_bytes = {64};
  plan.strides_bytes = {8};
  plan.methods = {Method::paired, Method::paper};
  plan.kernels = {Kernel::vector, Kernel::scalar};
  EXPECT_EQ(keys_of(plan), (std::vector<std::string>{"paired/pipe/process/vector/auto/auto/4k/0/strided/0/rmw",
                                                     "paired/pipe/process/scalar/auto/auto/4k/0/strided/0/rmw",
                                                     "paper/pipe/process/scalar/auto/auto/4k/0/strided/0/rmw",
                                                     "paired/pipe/process/vector/auto/auto/4k/64/strided/8/rmw",
                                                     "paired/pipe/process/scalar/auto/auto/4k/64/strided/8/rmw",
                                                     "paper/pipe/process/scalar/auto/auto/4k/64/strided/8/rmw"}));
  plan.methods = {Method::paper};
  plan.kernels = {Kernel::vector};
  EXPECT_EQ(keys_of(plan), (std::vector<std::string>{"paper/pipe/process/scalar/auto/auto/4k/0/strided/0/rmw",
                                                     "paper/pipe/process/scalar/auto/auto/4k/64/strided/8/rmw"}));
}

TEST(Expand, TakesRandomOncePerSize) {
  Plan plan = good();
  plan.patterns = {Pattern::strided, Pattern::random};
  const Expansion expansion = expand(plan);
  EXPECT_EQ(expansion.combinations, 6);
  EXPECT_EQ(expansion.left_out, 1);
  int random = 0;
  for (const Point& point : expansion.points)
    if (point.pattern == Pattern::random) {
      ++random;
      EXPECT_EQ(point.stride_bytes, 0);
    }
  EXPECT_EQ(random, 2);
}

TEST(Expand, PutsADirectPointOfEachConditionFirst) {
  Plan plan = good();
  plan.policy = Policy::fifo;
  plan.accesses = {Access::read, Access::write};
  plan.tasks = {TaskKind::process, TaskKind::thread};
  plan.kernels = {Kernel::scalar, Kernel::vector};
  plan.placements = {
      {Placement::Kind::same_cpu, 1, 1}, {Placement::Kind::two_cpus, 0, 1}, {Placement::Kind::free, -1, -1}};
  plan.pages = {PageMode::base_4k, PageMode::transparent_huge};
  const Expansion expansion = expand(plan);
  const std::size_t conditions = 2 * 2 * 3 * 2;
  ASSERT_EQ(expansion.points.size(), conditions + conditions * 2 * 3);
  EXPECT_EQ(expansion.combinations, 24 * 2 * 4);
  EXPECT_EQ(expansion.left_out, 24 * 2);
  std::set<std::string> keys;
  for (std::size_t i = 0; i < expansion.points.size(); ++i) {
    EXPECT_EQ(expansion.points[i].is_direct(), i < conditions);
    EXPECT_EQ(expansion.points[i].policy, Policy::fifo);
    keys.insert(key_of(expansion.points[i]));
  }
  EXPECT_EQ(keys.size(), expansion.points.size());
  for (const Point& point : expansion.points) EXPECT_TRUE(keys.contains(key_of(direct_point_of(point))));
}

} // namespace
