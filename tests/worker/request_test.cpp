#include "engine/worker/scheduling.h"
#include "engine/worker/visit.h"

#include <gtest/gtest.h>

#include <functional>

namespace switchscope {
namespace {

VisitRequest good_request() {
  VisitRequest request;
  request.point.array_bytes = 4096;
  request.point.stride_bytes = 128;
  request.point.placement = {Placement::Kind::same_cpu, 1, 1};
  return request;
}

TEST(Request, ThatMakesSenseHasNoProblem) {
  EXPECT_EQ(request_problem(good_request()), "");
  VisitRequest direct = good_request();
  direct.point.array_bytes = direct.point.stride_bytes = 0;
  EXPECT_EQ(request_problem(direct), "");
  VisitRequest random = good_request();
  random.point.pattern = Pattern::random;
  random.point.stride_bytes = 0;
  EXPECT_EQ(request_problem(random), "");
}

TEST(Request, ThatMakesNoneIsRefusedWithASentence) {
  const std::pair<std::function<void(VisitRequest&)>, const char*> cases[] = {
      {[](VisitRequest& r) { r.point.array_bytes = -8; }, "-8 bytes"},
      {[](VisitRequest& r) { r.point.array_bytes = 4097; }, "4097 bytes"},
      {[](VisitRequest& r) { r.point.stride_bytes = 0; }, "stride of 0"},
      {[](VisitRequest& r) { r.point.stride_bytes = 12; }, "stride of 12"},
      {[](VisitRequest& r) { r.point.stride_bytes = 8192; }, "stride of 8192"},
      {[](VisitRequest& r) { r.point.placement = {}; }, "--cpu"},
      {[](VisitRequest& r) { r.duration_ns = 0; }, "longer than 0"},
      {[](VisitRequest& r) { r.min_pairs = 0; }, "1 pair"},
      {[](VisitRequest& r) { r.block_ns = 0; }, "block"},
      {[](VisitRequest& r) { r.kind = VisitKind::known_addition; }, "known-addition takes no data"},
      {[](VisitRequest& r) { r.added_ns = 250; }, "give --kind known-addition"},
      {[](VisitRequest& r) { r.max_priority = 0; }, "between 1 and 99"},
      {[](VisitRequest& r) { r.l2_bytes = -1; }, "L2"},
      {[](VisitRequest& r) { r.deadline_ns = -1; }, "deadline"},
  };
  for (const auto& [spoil, expected] : cases) {
    VisitRequest request = good_request();
    spoil(request);
    EXPECT_NE(request_problem(request).find(expected), std::string::npos)
        << "expected " << expected << " in: " << request_problem(request);
  }
}

TEST(Request, AnAdditionIsBelowAMillisecondAndCountsNothing) {
  VisitRequest request = good_request();
  request.point.array_bytes = request.point.stride_bytes = 0;
  request.kind = VisitKind::known_addition;
  request.added_ns = 999'999;
  EXPECT_EQ(request_problem(request), "");
  request.added_ns = 1'000'000;
  EXPECT_NE(request_problem(request).find("not between 0 and 999999"), std::string::npos);
  request.added_ns = -1;
  EXPECT_NE(request_problem(request).find("not between 0 and 999999"), std::string::npos);
  request.added_ns = 0;
  request.counters = true;
  EXPECT_NE(request_problem(request).find("counts no events"), std::string::npos);
}

TEST(Request, TheFirstDeadlineGivesTimeToPrepareTheArrays) {
  VisitRequest request = good_request();
  request.duration_ns = 100'000'000;
  EXPECT_EQ(first_deadline_ns(request), 2'500'000'000 + 512 * 2000);
  request.deadline_ns = 5;
  EXPECT_EQ(first_deadline_ns(request), 5);
}

TEST(Priority, IsWhatWasAskedOrTheLimit) {
  EXPECT_EQ(allowed_priority(50, true, 0), 50);
  EXPECT_EQ(allowed_priority(50, false, 99), 50);
  EXPECT_EQ(allowed_priority(50, false, 7), 7);
  EXPECT_EQ(allowed_priority(50, false, 0), 0);
  EXPECT_EQ(allowed_priority(50, false, ~std::uint64_t{0}), 50); // unlimited
}

} // namespace
} // namespace switchscope
