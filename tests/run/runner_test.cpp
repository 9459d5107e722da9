#include "engine/run/run_clock.h"
#include "engine/run/schedule.h"
#include "tests/run/visits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>

using namespace switchscope;
using namespace switchscope::testing;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

class FakeClock : public RunClock {
public:
  std::int64_t now_ns() override { return now_ns_; }
  std::string utc_text() override { return "2026-11-30T19:22:00.000Z"; }
  void wait(std::int64_t ns, const StopFlag&) override {
    now_ns_ += ns;
    waited_ns += ns;
  }
  void pass(std::int64_t ns) { now_ns_ += ns; }
  std::int64_t waited_ns = 0;

private:
  std::int64_t now_ns_ = 5'000'000'000;
};

// A visit takes its duration and 10 ms; what comes of it is decided by the test.
class FakeLink : public WorkerLink {
public:
  explicit FakeLink(FakeClock& clock) : clock_(clock) {}
  Hello open() override { return {}; }
  Facts describe() override { return {}; }
  VisitOutcome measure(const VisitRequest& request) override {
    requests.push_back(request);
    clock_.pass(request.duration_ns + 10'000'000);
    return decide(request);
  }
  void stop_now() override {}
  void close() override {}

  std::vector<VisitRequest> requests;
  std::function<VisitOutcome(const VisitRequest&)> decide = [](const VisitRequest&) { return visit_with_pairs(3); };

private:
  FakeClock& clock_;
};

class RunSweep : public ::testing::Test {
protected:
  RunSweep() {
    task.run.points.resize(5);
    for (std::size_t i = 0; i < 5; ++i) task.run.points[i].array_bytes = static_cast<std::int64_t>(i) * 65536;
    for (auto& point : task.run.points) point.placement = {Placement::Kind::same_cpu, 1, 1};
    task.run.plan.seed = 42;
    task.run.plan.budget_s = 3;
  }

  RunEnded perform() {
    return run_sweep(
        task, link, imprecision_of,
        [this](const RunEvent& event) {
          events.push_back(event);
          if (on_event) on_event(event);
        },
        *stop, clock, points_to_add);
  }

  // Size 1 MiB and up, once there are `after` visits, until `most` are added.
  void add_points_after(std::size_t after, int most) {
    points_to_add = [this, after, left = most](const std::vector<Visit>& so_far) mutable -> std::vector<Point> {
      if (so_far.size() < after || left == 0) return {};
      Point point = task.run.points.back();
      point.array_bytes = (1 << 20) * left--;
      return {point};
    };
  }

  std::vector<Visit> visits() const {
    std::vector<Visit> found;
    for (const auto& event : events)
      if (const auto* ended = std::get_if<VisitEnded>(&event)) found.push_back(ended->visit);
    return found;
  }

  std::vector<PassEnded> passes() const {
    std::vector<PassEnded> found;
    for (const auto& event : events)
      if (const auto* ended = std::get_if<PassEnded>(&event)) found.push_back(*ended);
    return found;
  }

  std::map<int, int> visits_by_point() const {
    std::map<int, int> counts;
    for (const auto& visit : visits()) ++counts[visit.point_index];
    return counts;
  }

  void stop_after(int count, StopFlag::Level level) {
    on_event = [this, count, level](const RunEvent& event) {
      if (std::holds_alternative<VisitEnded>(event) && static_cast<int>(visits().size()) == count) stop->raise(level);
    };
  }

  // The run as a store would give it back.
  void resume_with(const RunEnded& ended) {
    task.earlier = visits();
    task.run.measuring_s = ended.measuring_s;
    task.run.throttle_wait_s = ended.throttle_wait_s;
    for (const auto& event : events)
      if (const auto* session = std::get_if<SessionEnded>(&event)) task.run.sessions = {session->session};
    events.clear();
    on_event = nullptr;
    stop = std::make_unique<StopFlag>();
  }

  FakeClock clock;
  PointsToAdd points_to_add;
  FakeLink link{clock};
  RunTask task;
  std::unique_ptr<StopFlag> stop = std::make_unique<StopFlag>();
  std::vector<RunEvent> events;
  std::function<void(const RunEvent&)> on_event;
  // 20 / visits: precise from the 20th on.
  ImprecisionOf imprecision_of = [this](const std::vector<Visit>& so_far) {
    std::vector<double> imprecision(task.run.points.size(), infinite);
    std::map<int, int> counts;
    for (const auto& visit : so_far)
      if (visit.data() != nullptr) ++counts[visit.point_index];
    for (const auto& [point, count] : counts) // points may have been added
      imprecision.resize(std::max(imprecision.size(), static_cast<std::size_t>(point) + 1), infinite);
    for (const auto& [point, count] : counts)
      if (count >= 4) imprecision[static_cast<std::size_t>(point)] = 20.0 / count;
    return imprecision;
  };
};

} // namespace

TEST_F(RunSweep, UsesTheWholeBudgetAndStopsAfterTheVisitUnderWay) {
  const RunEnded ended = perform();
  EXPECT_EQ(ended.state, RunState::completed);
  EXPECT_EQ(ended.reason, "");
  EXPECT_GE(ended.measuring_s, 3);
  EXPECT_LT(ended.measuring_s, 3.21); // at most one visit of 200 ms and its 10 ms over it
  EXPECT_EQ(ended.finished_at, "2026-11-30T19:22:00.000Z");
}

TEST_F(RunSweep, TellsEverythingInOrder) {
  task.run.plan.budget_s = 0.01;
  perform();
  ASSERT_EQ(events.size(), 2u + 5 * 2 + 1 + 2);
  EXPECT_EQ(std::get<RunStarted>(events.front()).run, task.run);
  EXPECT_EQ(std::get<SessionStarted>(events[1]).session.started_at, "2026-11-30T19:22:00.000Z");
  for (std::size_t i = 0; i < 5; ++i) {
    const auto& started = std::get<VisitStarted>(events[2 + 2 * i]);
    const auto& visit = std::get<VisitEnded>(events[3 + 2 * i]).visit;
    EXPECT_EQ(started.sequence, static_cast<int>(i));
    EXPECT_EQ(visit.sequence, started.sequence);
    EXPECT_EQ(visit.point_index, started.point_index);
    EXPECT_EQ(visit.pass, 0);
    EXPECT_EQ(visit.started_at, "2026-11-30T19:22:00.000Z");
    EXPECT_EQ(visit.request, link.requests[i]);
  }
  EXPECT_EQ(std::get<PassEnded>(events[12]), (PassEnded{0, 0, 0}));
  EXPECT_EQ(std::get<SessionEnded>(events[13]).session.finished_at, "2026-11-30T19:22:00.000Z");
  EXPECT_EQ(std::get<RunEnded>(events[14]).state, RunState::completed);
}

TEST_F(RunSweep, TheFirstPassIsCompleteHoweverSmallTheBudget) {
  task.run.plan.budget_s = 0.01;
  const RunEnded ended = perform();
  EXPECT_EQ(visits_by_point().size(), 5u);
  EXPECT_EQ(visits().size(), 5u);
  EXPECT_DOUBLE_EQ(ended.measuring_s, 5 * 0.06);
}

TEST_F(RunSweep, StopsWhenPreciseAtTheEndOfAPass) {
  task.run.plan.budget_s.reset();
  task.run.plan.precision_ratio = 0.05;
  const RunEnded ended = perform();
  EXPECT_EQ(ended.state, RunState::completed);
  EXPECT_EQ(passes().back().points_precise, 5);
  for (const auto& [point, count] : visits_by_point()) EXPECT_GE(count, 20) << point;
  EXPECT_LT(ended.measuring_s, 60);
}

TEST_F(RunSweep, NeverStopsBeforeEightVisits) {
  imprecision_of = [this](const std::vector<Visit>&) { return std::vector<double>(task.run.points.size(), 0.01); };
  task.run.plan.budget_s.reset();
  task.run.plan.precision_ratio = 0.5;
  perform();
  for (const auto& [point, count] : visits_by_point()) EXPECT_GE(count, 8) << point;
  EXPECT_EQ(visits().size(), 60u); // precise at 8 visits each, and half as many again to be sure
}

TEST_F(RunSweep, PrecisionAloneIsCappedAtSixtySeconds) {
  imprecision_of = [this](const std::vector<Visit>&) { return std::vector<double>(task.run.points.size(), 50); };
  task.run.plan.budget_s.reset();
  task.run.plan.precision_ratio = 0.05;
  const RunEnded ended = perform();
  EXPECT_GE(ended.measuring_s, 60);
  EXPECT_LT(ended.measuring_s, 60.5);
  EXPECT_EQ(ended.state, RunState::completed);
}

TEST_F(RunSweep, EachPointIsCountedOnceAtTheEndOfTheSecondPassWhereTheMachineCanCount) {
  task.run.before.hardware_counters = "yes";
  perform();
  std::map<int, int> counted;
  bool of_a_counting_end = false;
  for (const auto& visit : visits()) {
    if (visit.pass != 1) {
      EXPECT_FALSE(visit.request.counters) << visit.sequence;
      continue;
    }
    EXPECT_GE(visit.request.counters, of_a_counting_end) << "after all others of the pass";
    of_a_counting_end = visit.request.counters;
    if (visit.request.counters) ++counted[visit.point_index];
  }
  EXPECT_EQ(counted, (std::map<int, int>{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}}));
}

TEST_F(RunSweep, AnEnergyMeterIsReadLikewiseAndWithoutEitherNothingIsCounted) {
  const auto counting = [this] {
    const auto all = visits();
    events.clear();
    return std::count_if(all.begin(), all.end(), [](const Visit& visit) { return visit.request.counters; });
  };
  task.run.before.hardware_counters = "No such file or directory";
  perform();
  EXPECT_EQ(counting(), 0);
  task.run.before.package_energy = "yes";
  perform();
  EXPECT_EQ(counting(), 5);
}

TEST_F(RunSweep, ACountingVisitThatFailsIsNotTriedAgainAndCostsThePointNothing) {
  task.run.before.hardware_counters = "yes";
  link.decide = [](const VisitRequest& request) -> VisitOutcome {
    if (request.counters) return VisitFailure{"crashed", "It crashed."};
    return visit_with_pairs(3);
  };
  const RunEnded ended = perform();
  EXPECT_EQ(ended.state, RunState::completed);
  const auto counting =
      std::count_if(link.requests.begin(), link.requests.end(), [](const auto& r) { return r.counters; });
  EXPECT_EQ(counting, 5);
  for (const auto& pass : passes()) EXPECT_EQ(pass.points_failed, 0);
  EXPECT_FALSE(visits().back().request.counters);
}

TEST_F(RunSweep, CountingVisitsAreNoneOfTheEightThatPrecisionNeeds) {
  task.run.before.hardware_counters = "yes";
  imprecision_of = [this](const std::vector<Visit>&) { return std::vector<double>(task.run.points.size(), 0.01); };
  task.run.plan.budget_s.reset();
  task.run.plan.precision_ratio = 0.5;
  perform();
  EXPECT_EQ(visits().size(), 65u);
}

TEST_F(RunSweep, AResumedRunCountsThePointsThatWereNotCounted) {
  task.run.before.hardware_counters = "yes";
  stop_after(12, StopFlag::after_visit); // 5 of pass 0, 5 of pass 1, 2 that count
  resume_with(perform());
  std::set<int> counted;
  for (const auto& visit : task.earlier)
    if (visit.request.counters) {
      EXPECT_TRUE(counted.insert(visit.point_index).second);
    }
  EXPECT_EQ(counted.size(), 2u);
  task.resumed_on = task.run.before;
  perform();
  for (const auto& visit : visits())
    if (visit.request.counters) {
      EXPECT_TRUE(counted.insert(visit.point_index).second) << visit.point_index;
    }
  EXPECT_EQ(counted.size(), 5u);
}

TEST_F(RunSweep, RequestsFollowFromTheRun) {
  task.run.before.caches = {Cache{2, "unified", 512 * 1024, 64, {0, 1}, "reported"}};
  perform();
  std::set<std::uint64_t> seeds;
  for (const auto& request : link.requests) {
    EXPECT_EQ(request.l2_bytes, 512 * 1024);
    EXPECT_EQ(request.deadline_ns, 0); // the worker knows its pilot
    EXPECT_EQ(request.min_pairs, 3);
    seeds.insert(request.seed);
  }
  EXPECT_EQ(seeds.size(), link.requests.size());
}

TEST_F(RunSweep, TheSameSeedGivesTheSameRun) {
  perform();
  const auto first = link.requests;
  link.requests.clear();
  perform();
  EXPECT_EQ(link.requests, first);
  link.requests.clear();
  task.run.plan.seed = 43;
  perform();
  EXPECT_NE(link.requests, first);
}

TEST_F(RunSweep, RetriesTwiceThenLeavesThePointOut) {
  link.decide = [](const VisitRequest& request) -> VisitOutcome {
    if (request.point.array_bytes == 131072) return VisitFailure{"crashed", "It crashed."};
    return visit_with_pairs(3);
  };
  const RunEnded ended = perform();
  EXPECT_EQ(ended.state, RunState::completed);
  std::vector<int> attempts;
  for (const auto& visit : visits())
    if (visit.point_index == 2) {
      EXPECT_EQ(visit.failure()->code, "crashed");
      attempts.push_back(visit.attempt);
    } else {
      EXPECT_EQ(visit.attempt, 0);
    }
  EXPECT_EQ(attempts, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(passes().front().points_failed, 1);
  EXPECT_GE(ended.measuring_s, 3);
}

TEST_F(RunSweep, ASecondTryThatSucceedsIsAllIsWell) {
  int failures = 0;
  link.decide = [&](const VisitRequest& request) -> VisitOutcome {
    if (request.point.array_bytes == 131072 && failures++ == 0) return VisitFailure{"crashed", "It crashed."};
    return visit_with_pairs(3);
  };
  task.run.plan.budget_s = 0.01;
  perform();
  EXPECT_EQ(visits().size(), 6u);
  EXPECT_EQ(visits().back().attempt, 1); // at the end of the pass
  EXPECT_NE(visits().back().data(), nullptr);
  EXPECT_EQ(passes().front().points_failed, 0);
}

TEST_F(RunSweep, FailsWhenNoPointCanBeMeasured) {
  link.decide = [](const VisitRequest&) -> VisitOutcome { return VisitFailure{"policy", "Not allowed."}; };
  const RunEnded ended = perform();
  EXPECT_EQ(ended.state, RunState::failed);
  EXPECT_EQ(ended.reason, "No point could be measured. Not allowed.");
  EXPECT_EQ(visits().size(), 15u);
}

// As when the CPU leaves the cpuset: what was measured until then stands.
TEST_F(RunSweep, IsIncompleteWhenNoPointCanBeMeasuredAnyFurther) {
  int measured = 0;
  link.decide = [&](const VisitRequest&) -> VisitOutcome {
    if (measured < 5) return ++measured, visit_with_pairs(3);
    return VisitFailure{"cpu", "CPU 1 is outside the cpuset."};
  };
  const RunEnded ended = perform();
  EXPECT_EQ(ended.state, RunState::incomplete);
  EXPECT_EQ(ended.reason, "No point could be measured any further. CPU 1 is outside the cpuset.");
}

TEST_F(RunSweep, AWorkerThatCannotBeStartedAgainEndsTheRunAsIncomplete) {
  link.decide = [this](const VisitRequest&) -> VisitOutcome {
    if (link.requests.size() == 3) throw WorkerProblem(WorkerProblem::Kind::missing, "It is gone.");
    return visit_with_pairs(3);
  };
  const RunEnded ended = perform();
  EXPECT_EQ(ended.state, RunState::incomplete);
  EXPECT_EQ(ended.reason, "It is gone.");
  EXPECT_EQ(visits().size(), 2u);
  EXPECT_TRUE(std::holds_alternative<RunEnded>(events.back()));
}

TEST_F(RunSweep, StopAfterTheVisitKeepsIt) {
  stop_after(3, StopFlag::after_visit);
  const RunEnded ended = perform();
  EXPECT_EQ(ended.state, RunState::cancelled);
  EXPECT_EQ(visits().size(), 3u);
}

TEST_F(RunSweep, AVisitCutShortIsAsIfItHadNotBegun) {
  link.decide = [this](const VisitRequest&) -> VisitOutcome {
    if (link.requests.size() < 3) return visit_with_pairs(3);
    stop->raise(StopFlag::now);
    return VisitFailure{"stopped", "The visit was stopped by the user."};
  };
  const RunEnded ended = perform();
  EXPECT_EQ(ended.state, RunState::cancelled);
  EXPECT_EQ(visits().size(), 2u);
}

TEST_F(RunSweep, AResumedRunFinishesTheFirstPassThenSpendsTheRestOfTheBudget) {
  stop_after(3, StopFlag::after_visit);
  const RunEnded first = perform();
  const auto before = visits();
  resume_with(first);
  const std::int64_t resumed_at_ns = clock.now_ns() - clock.waited_ns;
  const RunEnded second = perform();
  EXPECT_EQ(second.state, RunState::completed);
  EXPECT_GE(second.measuring_s, 3);
  EXPECT_LT(second.measuring_s, 3.21);
  const double here_s = static_cast<double>(clock.now_ns() - clock.waited_ns - resumed_at_ns) * 1e-9;
  EXPECT_NEAR(second.measuring_s, first.measuring_s + here_s, 1e-9);
  const auto after = visits();
  std::set<int> sequences;
  std::set<int> in_first_pass;
  for (const auto* part : {&before, &after})
    for (const auto& visit : *part) {
      EXPECT_TRUE(sequences.insert(visit.sequence).second);
      if (visit.pass == 0) {
        EXPECT_TRUE(in_first_pass.insert(visit.point_index).second);
      }
    }
  EXPECT_EQ(in_first_pass.size(), 5u);
  EXPECT_EQ(*sequences.rbegin(), static_cast<int>(sequences.size()) - 1);
  EXPECT_EQ(after[0].pass, 0);
  EXPECT_EQ(after[1].pass, 0);
  EXPECT_EQ(after[2].pass, 1);
}

TEST_F(RunSweep, AResumedRunBeginsAPassOfItsOwn) {
  stop_after(12, StopFlag::after_visit); // 5 of pass 0, 5 of pass 1, 2 of pass 2
  const RunEnded first = perform();
  resume_with(first);
  perform();
  EXPECT_EQ(visits().front().pass, 3);
  EXPECT_EQ(visits().front().sequence, 12);
}

TEST_F(RunSweep, ResumingGivesAFailedPointANewChance) {
  link.decide = [](const VisitRequest& request) -> VisitOutcome {
    if (request.point.array_bytes == 131072) return VisitFailure{"memory", "It does not fit."};
    return visit_with_pairs(3);
  };
  stop_after(8, StopFlag::after_visit);
  const RunEnded first = perform();
  resume_with(first);
  link.decide = [](const VisitRequest&) { return visit_with_pairs(3); };
  perform();
  EXPECT_EQ(visits().front().point_index, 2);
  EXPECT_NE(visits().front().data(), nullptr);
}

TEST_F(RunSweep, ThrottleWaitsAreNotMeasuring) {
  link.decide = [](const VisitRequest& request) { return visit_with_pairs(3, request.duration_ns + 10'000'000); };
  const RunEnded ended = perform();
  EXPECT_GT(ended.throttle_wait_s, 0);
  EXPECT_DOUBLE_EQ(ended.throttle_wait_s, static_cast<double>(clock.waited_ns) * 1e-9);
  EXPECT_NEAR(ended.elapsed_s, ended.measuring_s + ended.throttle_wait_s, 1e-9);
  EXPECT_LT(ended.measuring_s, 3.21);
  EXPECT_LT(ended.measuring_s / ended.elapsed_s, 0.9); // 855 ms of each second, but for the first
}

// 8 MiB among small points: its three pairs take 440 ms, whatever duration is asked of it.
TEST_F(RunSweep, NoPeriodHoldsMoreRealTimeThanMayBeThoughVisitsAreBoundedByTheirPairs) {
  constexpr std::int64_t ms = 1'000'000;
  task.run.points.resize(20, task.run.points[1]);
  task.run.points.back().array_bytes = 8 << 20;
  task.run.plan.budget_s = 10;
  struct Stretch {
    std::int64_t from, to;
  };
  std::vector<Stretch> stretches;
  link.decide = [&](const VisitRequest& request) {
    const std::int64_t fifo_ns = request.point.array_bytes == 8 << 20 ? 440 * ms : request.duration_ns + 9 * ms;
    clock.pass(fifo_ns - request.duration_ns);
    stretches.push_back({clock.now_ns() - fifo_ns, clock.now_ns()});
    return visit_with_pairs(3, fifo_ns);
  };
  const RunEnded ended = perform();
  for (const auto& window : stretches) {
    std::int64_t held = 0;
    for (const auto& stretch : stretches)
      held +=
          std::max<std::int64_t>(0, std::min(stretch.to, window.to) - std::max(stretch.from, window.to - 1000 * ms));
    ASSERT_LE(held, 855 * ms) << "in the second before " << window.to;
  }
  EXPECT_GT(ended.measuring_s / ended.elapsed_s, 0.75) << "nor does it wait for more than that";
}

TEST_F(RunSweep, TimesAreSumsOverAllResumptions) {
  link.decide = [](const VisitRequest& request) { return visit_with_pairs(3, request.duration_ns + 10'000'000); };
  stop_after(18, StopFlag::after_visit);
  const RunEnded first = perform();
  EXPECT_GT(first.throttle_wait_s, 0);
  resume_with(first);
  task.resumed_on = Environment{};
  task.resumed_on->host_name = "elsewhere";
  const RunEnded second = perform();
  EXPECT_DOUBLE_EQ(second.throttle_wait_s, static_cast<double>(clock.waited_ns) * 1e-9);
  EXPECT_NEAR(second.elapsed_s, second.measuring_s + second.throttle_wait_s, 1e-9);
  EXPECT_GT(second.measuring_s, first.measuring_s);
  EXPECT_EQ(std::get<RunStarted>(events.front()).resumed_on, task.resumed_on);
  double waited_s = first.throttle_wait_s; // of the visit before: never less
  for (const auto& event : events)
    if (const auto* ended = std::get_if<VisitEnded>(&event)) {
      EXPECT_GE(ended->throttle_wait_s, waited_s);
      waited_s = ended->throttle_wait_s;
    }
  EXPECT_GT(waited_s, first.throttle_wait_s);
}

TEST_F(RunSweep, AResumedRunKeepsToTheLimitOfTheMachineAsItIsNow) {
  link.decide = [](const VisitRequest& request) { return visit_with_pairs(3, request.duration_ns + 10'000'000); };
  stop_after(5, StopFlag::after_visit);
  resume_with(perform());
  task.resumed_on = Environment{};
  task.resumed_on->rt_runtime_us = -1; // the limit was taken off before the machine was booted again
  const std::int64_t waited_before_ns = clock.waited_ns;
  perform();
  EXPECT_EQ(clock.waited_ns, waited_before_ns);
}

TEST_F(RunSweep, OrdinaryTasksDoNotWait) {
  for (auto& point : task.run.points) point.policy = Policy::other;
  EXPECT_EQ(perform().throttle_wait_s, 0);
}

TEST_F(RunSweep, TimeLeftShrinksToNothing) {
  perform();
  double before = infinite;
  for (const auto& event : events)
    if (const auto* ended = std::get_if<VisitEnded>(&event)) {
      ASSERT_TRUE(ended->seconds_left);
      EXPECT_LE(*ended->seconds_left, before + 1e-9);
      before = *ended->seconds_left;
    }
  EXPECT_EQ(before, 0);
}

TEST_F(RunSweep, WhatTheSinkThrowsPassesThrough) {
  on_event = [](const RunEvent& event) {
    if (std::holds_alternative<VisitEnded>(event)) throw std::runtime_error("disk full");
  };
  EXPECT_THROW(perform(), std::runtime_error);
  EXPECT_EQ(link.requests.size(), 1u);
}

TEST_F(RunSweep, AddsPointsAndVisitsThemAtOnce) {
  add_points_after(5, 1);
  EXPECT_EQ(perform().state, RunState::completed);
  const auto at = std::find_if(events.begin(), events.end(),
                               [](const RunEvent& e) { return std::holds_alternative<PointsAdded>(e); });
  ASSERT_NE(at, events.end());
  EXPECT_TRUE(std::holds_alternative<PassEnded>(*std::prev(at)));
  EXPECT_EQ(std::get<PointsAdded>(*at).first_index, 5);
  EXPECT_EQ(std::get<PointsAdded>(*at).points.at(0).array_bytes, 1 << 20);
  const auto& first = std::get<VisitEnded>(*std::next(at, 2)).visit;
  EXPECT_EQ(first.point_index, 5);
  EXPECT_EQ(first.pass, 1);
  EXPECT_EQ(first.request.duration_ns, quick_visit_ns);
  EXPECT_EQ(first.request.point.array_bytes, 1 << 20);
  EXPECT_GT(visits_by_point()[5], 1); // and is measured on with the others
}

TEST_F(RunSweep, AddsNoPointsInTheSecondHalfOfItsTime) {
  task.run.plan.budget_s = 0.5; // the first pass takes 0.3 s
  add_points_after(1, 3);
  EXPECT_EQ(perform().state, RunState::completed);
  for (const auto& event : events) EXPECT_FALSE(std::holds_alternative<PointsAdded>(event));
}

TEST_F(RunSweep, LaterSessionsMeasureTheAddedPointsAndAddNone) {
  task.run.plan.sessions = 2;
  points_to_add = [this, asked_in = std::set<int>()](const std::vector<Visit>& so_far) mutable -> std::vector<Point> {
    if (!asked_in.insert(so_far.back().session).second) return {};
    Point point = task.run.points.back();
    point.array_bytes = static_cast<std::int64_t>(asked_in.size()) << 20; // another one in each session
    return {point};
  };
  EXPECT_EQ(perform().state, RunState::completed);
  int session = -1;
  std::size_t points = 5;
  for (const auto& event : events) {
    if (const auto* started = std::get_if<SessionStarted>(&event)) session = started->session.number;
    if (const auto* added = std::get_if<PointsAdded>(&event)) {
      EXPECT_EQ(session, 0);
      points += added->points.size();
    }
  }
  EXPECT_GT(points, 5u);
  std::set<int> in_second;
  for (const auto& visit : visits())
    if (visit.session == 1) in_second.insert(visit.point_index);
  EXPECT_EQ(in_second.size(), points);
}

TEST_F(RunSweep, AResumedRunVisitsAddedPointsThatLackDataFirst) {
  add_points_after(5, 1);
  on_event = [this](const RunEvent& event) {
    if (std::holds_alternative<PointsAdded>(event)) stop->raise(StopFlag::after_visit);
  };
  const auto ended = perform();
  EXPECT_EQ(ended.state, RunState::cancelled);
  EXPECT_EQ(visits_by_point().count(5), 0u);
  resume_with(ended);
  Point added = task.run.points.back();
  added.array_bytes = 1 << 20;
  task.run.points.push_back(added); // as the store would give them back
  points_to_add = {};
  EXPECT_EQ(perform().state, RunState::completed);
  EXPECT_EQ(visits().at(0).point_index, 5);
}

namespace {

VisitOutcome round_of(std::int64_t fifo_ns) {
  VisitData data = visit_with_pairs(1, fifo_ns);
  data.blocks.pop_back();
  data.report.total_ns = fifo_ns;
  return data;
}

// Two paired points, then two by the paper's method, whose rounds take 10 s of real-time priority.
class PaperSweep : public RunSweep {
protected:
  PaperSweep() {
    task.run.points.resize(4);
    for (std::size_t i : {0u, 1u}) task.run.points[i + 2] = task.run.points[i];
    for (std::size_t i : {2u, 3u}) task.run.points[i].method = Method::paper;
    task.run.plan.methods = {Method::paired, Method::paper};
    link.decide = [this](const VisitRequest& request) -> VisitOutcome {
      if (request.point.method == Method::paired) return visit_with_pairs(3, 50'000'000);
      clock.pass(10'000'000'000);
      return round_of(10'000'000'000);
    };
  }
  void keep_only_paper() {
    task.run.points.erase(task.run.points.begin(), task.run.points.begin() + 2);
    task.run.plan.methods = {Method::paper};
    task.run.plan.budget_s.reset();
  }
};

} // namespace

TEST_F(PaperSweep, MakesThreeRoundsOnePerPassAndWaitsForNothing) {
  keep_only_paper();
  const RunEnded ended = perform();
  EXPECT_EQ(ended.state, RunState::completed);
  EXPECT_EQ(visits_by_point(), (std::map<int, int>{{0, 3}, {1, 3}}));
  std::map<std::pair<int, int>, int> by_pass;
  for (const auto& visit : visits()) ++by_pass[{visit.point_index, visit.pass}];
  EXPECT_EQ(by_pass.size(), 6u) << "one round in each of three passes";
  EXPECT_EQ(passes().size(), 3u);
  for (const auto& pass : passes()) EXPECT_EQ(pass.points_precise, 0);
  EXPECT_EQ(clock.waited_ns, 0);
}

TEST_F(PaperSweep, TellsHowLongTheRoundsStillTake) {
  keep_only_paper();
  perform();
  std::vector<double> left;
  for (const auto& event : events)
    if (const auto* ended = std::get_if<VisitEnded>(&event)) left.push_back(ended->seconds_left.value());
  ASSERT_EQ(left.size(), 6u);
  EXPECT_EQ(left.back(), 0);
  EXPECT_NEAR(left[4], 10, 0.1); // one more round of ten seconds
  EXPECT_NEAR(left[1], 40, 0.3);
}

TEST_F(PaperSweep, TheBudgetIsForThePairedPointsAndTheRoundsAreMadeBesideIt) {
  const RunEnded ended = perform();
  EXPECT_EQ(ended.state, RunState::completed);
  EXPECT_EQ(visits_by_point()[2], 3);
  EXPECT_EQ(visits_by_point()[3], 3);
  double paired_s = 0;
  for (const auto& visit : visits())
    if (visit.request.point.method == Method::paired) paired_s += 1e-9 * static_cast<double>(visit.request.duration_ns);
  EXPECT_GT(paired_s, 2); // of the budget of 3 s, less 10 ms a visit
  EXPECT_LT(paired_s, 3.3);
  EXPECT_GT(ended.measuring_s, 60);
}

TEST_F(PaperSweep, TheFirstPassBeginsWithThePairedPoints) {
  perform();
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(visits()[i].request.point.method, i < 2 ? Method::paired : Method::paper) << i;
}

TEST_F(PaperSweep, APairedVisitAfterARoundWaitsForTheLimit) {
  perform();
  EXPECT_GT(clock.waited_ns, 0);
}

TEST_F(PaperSweep, ResumedItMakesOnlyTheRoundsThatAreMissing) {
  keep_only_paper();
  stop_after(3, StopFlag::after_visit);
  const RunEnded stopped = perform();
  EXPECT_EQ(stopped.state, RunState::cancelled);
  resume_with(stopped);
  EXPECT_EQ(perform().state, RunState::completed);
  EXPECT_EQ(visits().size(), 3u);
}

TEST_F(PaperSweep, HasThreeRoundsInEachSession) {
  keep_only_paper();
  task.run.plan.sessions = 2;
  EXPECT_EQ(perform().state, RunState::completed);
  std::map<std::pair<int, int>, int> rounds;
  for (const auto& visit : visits()) ++rounds[{visit.session, visit.point_index}];
  EXPECT_EQ(rounds, (std::map<std::pair<int, int>, int>{{{0, 0}, 3}, {{0, 1}, 3}, {{1, 0}, 3}, {{1, 1}, 3}}));
}

TEST_F(PaperSweep, ARoundThatFailsIsTriedAgainAndThenThePointIsLeftOut) {
  keep_only_paper();
  int failures = 0;
  link.decide = [&](const VisitRequest& request) -> VisitOutcome {
    if (request.point.array_bytes == 0) return ++failures, VisitFailure{"crashed", "It crashed."};
    return round_of(1000);
  };
  EXPECT_EQ(perform().state, RunState::completed);
  EXPECT_EQ(failures, 3);
  EXPECT_EQ(visits_by_point()[1], 3);
}
