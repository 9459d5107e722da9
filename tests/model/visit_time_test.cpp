#include "engine/model/visit_time.h"

#include <gtest/gtest.h>

using namespace switchscope;

namespace {

VisitRequest request_of(std::int64_t array_bytes, std::int64_t stride_bytes, Pattern pattern) {
  VisitRequest request;
  request.point.array_bytes = array_bytes;
  request.point.stride_bytes = stride_bytes;
  request.point.pattern = pattern;
  request.duration_ns = 100'000'000;
  return request;
}

} // namespace

TEST(VisitTime, WithoutDataItIsTheDuration) {
  const VisitRequest direct = request_of(0, 0, Pattern::strided);
  EXPECT_EQ(planned_ns(direct), 100'000'000);
  EXPECT_EQ(watchdog_ns(direct), 2'500'000'000); // planned x 5 + 2 s
}

TEST(VisitTime, LargeArraysHaveTimeForTheirPairs) {
  // 8 Mi elements at 20 ns: 168 ms a traversal, 28 for each of three pairs and 20 besides.
  EXPECT_EQ(planned_ns(request_of(64 << 20, 128, Pattern::strided)), 8'388'608LL * 20 * (28 * 3 + 20));
  EXPECT_EQ(planned_ns(request_of(64 << 20, 0, Pattern::random)), 8'388'608LL * 20 * (28 * 3 + 20));
}

TEST(VisitTime, SparseVisitsFewElementsButFillsAll) {
  EXPECT_EQ(planned_ns(request_of(64 << 20, 4096, Pattern::sparse)), 100'000'000 + 8'388'608LL * 20 * 20);
}

TEST(VisitTime, TheWatchdogAllowsThePreparationThatTheWorkerAllows) {
  const VisitRequest large = request_of(1 << 30, 4096, Pattern::sparse);
  EXPECT_GE(watchdog_ns(large), (std::int64_t{1} << 30) / 8 * 2000); // 2 us an element, as engine/worker/visit.cpp
  EXPECT_GE(watchdog_ns(request_of(2 << 20, 128, Pattern::strided)), 4'000'000'000);
}

TEST(VisitTime, TheWorkerEndsAVisitBeforeTheWatchdogDoes) {
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{64} << 20, std::int64_t{1} << 60})
    for (const Method method : {Method::paired, Method::paper}) {
      VisitRequest request = request_of(bytes, 128, Pattern::strided);
      request.point.method = method;
      EXPECT_EQ(last_deadline_ns(request), watchdog_ns(request) - 500'000'000) << bytes;
      EXPECT_GT(last_deadline_ns(request), request.duration_ns) << bytes;
    }
}

TEST(VisitTime, APairUsuallyTakesItsTraversalsOrItsBlocks) {
  VisitRequest request = request_of(16 << 20, 128, Pattern::strided);
  EXPECT_EQ(usual_pair_ns(request), 2'097'152LL * 5 * 28); // 294 ms: three of them do not fit into a period
  request.point.array_bytes = 65536;
  EXPECT_EQ(usual_pair_ns(request), 14'400'000); // three blocks of 4 ms and a fifth
}

TEST(VisitTime, ARoundOfThePapersMethodHasTimeForItsTrips) {
  VisitRequest round = request_of(2 << 20, 128, Pattern::strided);
  round.point.method = Method::paper;
  // 262,144 elements at 20 ns, three traversals for each of 10,000 trips, 60 us beside them, 20 traversals besides.
  EXPECT_EQ(planned_ns(round), 10'000LL * (3 * 262'144 * 20 + 60'000) + 262'144LL * 20 * 20);
  EXPECT_GT(watchdog_ns(round), 5 * 10'000LL * 3 * 262'144 * 20) << "no less than the worker's own bound";
  round.duration_ns = 1;
  EXPECT_EQ(planned_ns(round), 10'000LL * (3 * 262'144 * 20 + 60'000) + 262'144LL * 20 * 20);
}
