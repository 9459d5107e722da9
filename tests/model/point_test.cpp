#include "engine/model/point.h"

#include <gtest/gtest.h>

#include <set>

using namespace switchscope;

namespace {

using Kind = Placement::Kind;

TEST(Placement, ReadsAndWritesTheSameTexts) {
  const std::pair<std::string, Placement> cases[] = {{"auto", {Kind::automatic, -1, -1}},
                                                     {"free", {Kind::free, -1, -1}},
                                                     {"1", {Kind::same_cpu, 1, 1}},
                                                     {"0:1", {Kind::two_cpus, 0, 1}},
                                                     {"255:0", {Kind::two_cpus, 255, 0}}};
  for (const auto& [text, placement] : cases) {
    EXPECT_EQ(parse_placement(text), placement) << text;
    EXPECT_EQ(text_of(placement), text);
  }
  EXPECT_EQ(parse_placement("1:1"), (Placement{Kind::same_cpu, 1, 1}));
}

TEST(Placement, RefusesEverythingElse) {
  for (const std::string text :
       {"", ":", "1:", ":1", "-1", "-0", "+1", "1 ", "1:2:3", "a", "AUTO", "1,2", "99999999999"})
    EXPECT_EQ(parse_placement(text), std::nullopt) << text;
}

Point hero() {
  Point point;
  point.array_bytes = 393'216;
  point.stride_bytes = 128;
  point.placement = {Kind::same_cpu, 1, 1};
  point.policy = Policy::fifo;
  return point;
}

TEST(PointKey, NamesEveryParameter) {
  EXPECT_EQ(key_of(hero()), "paired/pipe/process/vector/1/fifo/4k/393216/strided/128/rmw");
  EXPECT_EQ(key_of(Point{}), "paired/pipe/process/vector/auto/auto/4k/0/strided/0/rmw");
}

TEST(PointKey, DiffersWhereverPointsDiffer) {
  std::vector<Point> points(11, hero());
  points[1].array_bytes = 64;
  points[2].stride_bytes = 8;
  points[3].access = Access::read;
  points[4].pattern = Pattern::sparse;
  points[5].tasks = TaskKind::thread;
  points[6].kernel = Kernel::scalar;
  points[7].placement = {Kind::two_cpus, 1, 0};
  points[8].policy = Policy::other;
  points[9].pages = PageMode::hugetlb;
  points[10].method = Method::paper;
  std::set<std::string> keys;
  for (const Point& point : points) keys.insert(key_of(point));
  EXPECT_EQ(keys.size(), points.size());
}

TEST(DirectPoint, KeepsTheConditionsAndDropsTheData) {
  Point point = hero();
  point.access = Access::write;
  point.pattern = Pattern::sparse;
  point.tasks = TaskKind::thread;
  point.kernel = Kernel::scalar;
  point.pages = PageMode::hugetlb;
  point.method = Method::paper;
  EXPECT_EQ(key_of(direct_point_of(point)), "paper/pipe/thread/scalar/1/fifo/hugetlb/0/strided/0/rmw");
  EXPECT_TRUE(direct_point_of(point).is_direct());
}

} // namespace
