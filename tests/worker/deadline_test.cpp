// What a visit may take, from its request: deadlines and the priority.
#include "engine/model/visit_time.h"
#include "engine/worker/scheduling.h"
#include "engine/worker/visit.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

constexpr std::int64_t second = 1'000'000'000;

VisitRequest request_of(std::int64_t array_bytes) {
  VisitRequest request;
  request.point.array_bytes = array_bytes;
  request.point.stride_bytes = 128;
  return request;
}

TEST(Deadline, FollowsFromTheTimeToMeasure) {
  const VisitRequest large = request_of(64 << 20); // the watchdog allows 87 s for each 1 s of the worker's plan
  EXPECT_EQ(measuring_deadline_ns(large, 0.3e9, true, 0), 5 * 900'000'000LL + 2 * second);
  EXPECT_EQ(measuring_deadline_ns(large, 0.3e9, false, 0), 20 * 900'000'000LL + 2 * second);
}

TEST(Deadline, OfTheWorkerComesBeforeTheWatchdogHoweverSlowTheMachine) {
  for (const std::int64_t bytes : {0LL, 4096LL, 2LL << 20, 64LL << 20})
    for (const double pair_ns : {12e6, 400e6, 30e9})
      for (const bool real_time : {true, false})
        for (const std::int64_t spent_ns : {std::int64_t{0}, second, 1000 * second}) {
          const VisitRequest request = request_of(bytes);
          const std::int64_t deadline_ns = measuring_deadline_ns(request, pair_ns, real_time, spent_ns);
          EXPECT_GT(deadline_ns, 0) << "0 would be none at all";
          if (spent_ns >= last_deadline_ns(request)) continue;
          EXPECT_LT(spent_ns + deadline_ns, watchdog_ns(request)) << bytes << " " << pair_ns << " " << spent_ns;
        }
}

TEST(UnblockedTime, IsASecondForPairsAndTheDeadlineForARound) {
  EXPECT_EQ(unblocked_ns(VisitRequest{}), second);
  VisitRequest round = request_of(2 << 20);
  round.point.method = Method::paper;
  EXPECT_EQ(unblocked_ns(round), last_deadline_ns(round));
  EXPECT_GT(unblocked_ns(round), 10'000LL * 3 * 262'144 * 10);
  round.deadline_ns = 7;
  EXPECT_EQ(unblocked_ns(round), 7);
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
