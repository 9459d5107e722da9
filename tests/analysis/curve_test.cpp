#include "engine/analysis/curve.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

Point point(std::int64_t array_bytes, std::int64_t stride_bytes, Access access = Access::read_modify_write) {
  Point made;
  made.array_bytes = array_bytes;
  made.stride_bytes = stride_bytes;
  made.access = access;
  made.placement = {Placement::Kind::same_cpu, 1, 1};
  return made;
}

TEST(Curves, HoldPointsAlikeInAllButSizeSortedBySize) {
  const std::vector<Point> points{
      direct_point_of(point(1, 8)), point(4096, 8), point(1024, 8), point(1024, 128), point(2048, 8),
      point(1024, 8, Access::read)};
  const auto curves = curves_of(points);
  ASSERT_EQ(curves.size(), 3U);
  EXPECT_EQ(curves[0].point_indices, (std::vector{2, 4, 1}));
  EXPECT_EQ(curves[0].stride_bytes, 8);
  EXPECT_EQ(curves[0].direct_index, 0);
  EXPECT_EQ(curves[1].point_indices, (std::vector{3}));
  EXPECT_EQ(curves[1].stride_bytes, 128);
  EXPECT_EQ(curves[2].point_indices, (std::vector{5}));
  EXPECT_EQ(curves[2].access, Access::read);
}

TEST(Curves, AreApartForEveryOtherParameter) {
  std::vector<Point> points(9, point(1024, 128));
  points[1].pattern = Pattern::sparse;
  points[2].tasks = TaskKind::thread;
  points[3].kernel = Kernel::scalar;
  points[4].placement = {Placement::Kind::two_cpus, 0, 1};
  points[5].pages = PageMode::hugetlb;
  points[6].policy = Policy::other;
  points[7].access = Access::write;
  points[8].method = Method::paper;
  EXPECT_EQ(curves_of(points).size(), 9U);
}

TEST(Curves, WithoutDirectCostSayNone) {
  EXPECT_EQ(curves_of({point(1024, 8)}).at(0).direct_index, -1);
}

TEST(Curves, OfDirectCostsAloneAreNone) {
  EXPECT_TRUE(curves_of({direct_point_of(point(1, 8))}).empty());
  EXPECT_TRUE(curves_of({}).empty());
}

} // namespace
} // namespace switchscope
