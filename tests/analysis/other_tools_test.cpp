#include "engine/analysis/other_tools.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

struct Measured {
  Run run;
  RunEstimates estimates;

  // S1, S2 and their difference.
  void add(Point point, double switching_ns, double baseline_ns) {
    point.placement = {Placement::Kind::same_cpu, 1, 1};
    run.points.push_back(point);
    PointEstimate estimate;
    estimate.state = point.method == Method::paper ? EstimateState::paper : EstimateState::clean;
    estimate.switching_per_switch_ns = switching_ns;
    estimate.baseline_per_trip_ns = baseline_ns;
    estimate.total.estimate = switching_ns - baseline_ns;
    estimates.points.push_back(estimate);
  }
  [[nodiscard]] std::vector<OtherTool> tools() const { return other_tools(run, estimates); }
};

Point data_point(std::int64_t kib, std::int64_t stride, Access access) {
  Point point;
  point.array_bytes = kib * 1024;
  point.stride_bytes = stride;
  point.access = access;
  return point;
}

Point by_paper(Point point) {
  point.method = Method::paper;
  point.kernel = Kernel::scalar;
  return point;
}

const std::string no_read = "C2 = S1 - S2, read, stride 8 B: measure --access read --stride 8B";

TEST(OtherTools, FollowFromTheDirectCost) {
  Measured measured;
  measured.add(Point{}, 2500, 600);
  EXPECT_EQ(measured.tools(),
            (std::vector<OtherTool>{
                {"perf bench sched pipe", "usecs/op", "2 x S1 without data", 5000, EstimateState::clean},
                {"lat_ctx -s 0 2", "us a switch", "C1 = S1 - S2 without data", 1900, EstimateState::clean},
                {"measureSingle -n 0 -s 0", "time1, us a trip", "S2 without data", 600, EstimateState::clean},
                {"measureSwitch -n 0 -s 0", "time2, us a switch", "S1 without data", 2500, EstimateState::clean}}));
}

TEST(OtherTools, OfDataWhereTheRunHasTheirWalk) {
  Measured measured;
  measured.add(Point{}, 2500, 600);
  measured.add(data_point(64, 8, Access::read), 9000, 7000);
  measured.add(data_point(64, 128, Access::read_modify_write), 12'000, 8000);
  const auto tools = measured.tools();
  ASSERT_EQ(tools.size(), 7u);
  EXPECT_EQ(tools[2], (OtherTool{"lat_ctx -s 64 2", "us a switch", "C2 = S1 - S2, read, stride 8 B", 2000,
                                 EstimateState::clean}));
  EXPECT_EQ(tools[5], (OtherTool{"measureSingle -n 65536 -s 128", "time1, us a trip", "S2 of rmw, strided 128 B", 8000,
                                 EstimateState::clean}));
  EXPECT_EQ(tools[6], (OtherTool{"measureSwitch -n 65536 -s 128", "time2, us a switch", "S1 of rmw, strided 128 B",
                                 12'000, EstimateState::clean}));
}

TEST(OtherTools, SayWhatToMeasureWhereTheRunLacksIt) {
  Measured measured;
  measured.add(Point{}, 2500, 600);
  measured.add(data_point(64, 128, Access::read), 9000, 7000);
  const auto tools = measured.tools();
  EXPECT_EQ(tools[2], (OtherTool{"lat_ctx -s KIB 2", "us a switch", no_read, std::nullopt, std::nullopt}));
}

TEST(OtherTools, AuthorsFiguresComeFromTheirMethodAndTheOthersFromPairs) {
  Measured measured;
  measured.add(Point{}, 2500, 600);
  measured.add(by_paper(Point{}), 2400, 590);
  const auto tools = measured.tools();
  EXPECT_EQ(tools[0].value_ns, 5000);
  EXPECT_EQ(tools[1].value_ns, 1900);
  EXPECT_EQ(tools[2], (OtherTool{"measureSingle -n 0 -s 0", "time1, us a trip",
                                 "S2 without data, smallest of the rounds", 590, EstimateState::paper}));
  EXPECT_EQ(tools[3].value_ns, 2400);
}

TEST(OtherTools, LatCtxHidesWhatIsNotAboveZero) {
  Measured measured;
  measured.add(Point{}, 600, 700);
  EXPECT_EQ(measured.tools()[1], (OtherTool{"lat_ctx -s 0 2", "nothing, for it is not above 0",
                                            "C1 = S1 - S2 without data", -100, EstimateState::clean}));
}

TEST(OtherTools, AreOfOneCpuAndOfWhatWasMeasured) {
  Measured measured;
  measured.add(Point{}, 2500, 600);
  measured.run.points[0].placement = {Placement::Kind::two_cpus, 0, 1};
  EXPECT_TRUE(measured.tools().empty());
  measured.run.points[0].placement = {Placement::Kind::same_cpu, 1, 1};
  measured.estimates.points[0].state = EstimateState::failed;
  EXPECT_TRUE(measured.tools().empty());
}

TEST(OtherTools, ThreadsArePerfsWithT) {
  Measured measured;
  Point threads;
  threads.tasks = TaskKind::thread;
  measured.add(threads, 2000, 600);
  ASSERT_EQ(measured.tools().size(), 1u);
  EXPECT_EQ(measured.tools()[0].tool, "perf bench sched pipe -T");
}

} // namespace
} // namespace switchscope
