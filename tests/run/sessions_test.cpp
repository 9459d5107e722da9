// Sessions of a run in a clock of the test's own: each with its own passes and budget, the machine free between them.
#include "engine/run/run_clock.h"
#include "tests/run/visits.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>

using namespace switchscope;
using namespace switchscope::testing;

namespace {

class FakeClock : public RunClock {
public:
  std::int64_t now_ns() override { return now_ns_; }
  std::string utc_text() override { return std::to_string(now_ns_ / 1'000'000'000); }
  void wait(std::int64_t ns, const StopFlag&) override { now_ns_ += ns; }
  void pass(std::int64_t ns) { now_ns_ += ns; }

private:
  std::int64_t now_ns_ = 0;
};

// A visit takes its duration and 10 ms. What was asked of it is kept as words.
class FakeLink : public WorkerLink {
public:
  explicit FakeLink(FakeClock& clock) : clock_(clock) {}
  Hello open() override {
    log += " open";
    if (cannot_open) throw WorkerProblem(WorkerProblem::Kind::missing, "There is no worker any more.");
    return {};
  }
  Facts describe() override { return {}; }
  VisitOutcome measure(const VisitRequest& request) override {
    clock_.pass(request.duration_ns + 10'000'000);
    if (fails) return VisitFailure{"crashed", "The worker crashed."};
    return visit_with_pairs(3);
  }
  void stop_now() override {}
  void close() override { log += " close"; }

  std::string log;
  bool cannot_open = false;
  bool fails = false;

private:
  FakeClock& clock_;
};

class RunSessions : public ::testing::Test {
protected:
  RunSessions() {
    task.run.points.resize(3);
    for (std::size_t i = 0; i < 3; ++i) {
      task.run.points[i].array_bytes = static_cast<std::int64_t>(i) * 65536;
      task.run.points[i].placement = {Placement::Kind::same_cpu, 1, 1};
      task.run.points[i].policy = Policy::other;
    }
    task.run.plan.seed = 42;
    task.run.plan.budget_s = 2;
    task.run.plan.sessions = 3;
    task.run.plan.session_interval_s = 60;
  }

  RunEnded perform() {
    return run_sweep(
        task, link, imprecision_of,
        [this](const RunEvent& event) {
          events.push_back(event);
          if (on_event) on_event(event);
        },
        *stop, clock);
  }

  template <class Kind> std::vector<Kind> told() const {
    std::vector<Kind> found;
    for (const auto& event : events)
      if (const auto* of_kind = std::get_if<Kind>(&event)) found.push_back(*of_kind);
    return found;
  }

  // The run as a store would give it back.
  void resume_with(const RunEnded& ended) {
    for (const auto& visit : told<VisitEnded>()) task.earlier.push_back(visit.visit);
    task.run.measuring_s = ended.measuring_s;
    for (const auto& session : told<SessionEnded>()) {
      auto& stored = task.run.sessions;
      if (!stored.empty() && stored.back().number == session.session.number) stored.pop_back();
      stored.push_back(session.session);
    }
    events.clear();
    on_event = nullptr;
    link.log.clear();
    stop = std::make_unique<StopFlag>();
  }

  FakeClock clock;
  FakeLink link{clock};
  RunTask task;
  std::unique_ptr<StopFlag> stop = std::make_unique<StopFlag>();
  std::vector<RunEvent> events;
  std::function<void(const RunEvent&)> on_event;
  std::vector<std::map<int, int>> asked; // visits by session, of each question about the precision
  ImprecisionOf imprecision_of = [this](const std::vector<Visit>& so_far) {
    std::map<int, int> by_session;
    for (const auto& visit : so_far) ++by_session[visit.session];
    asked.push_back(by_session);
    return std::vector<double>(task.run.points.size(), 2);
  };
};

} // namespace

TEST_F(RunSessions, EachHasItsFirstPassAndItsBudget) {
  const RunEnded ended = perform();
  EXPECT_EQ(ended.state, RunState::completed);
  const auto sessions = told<SessionEnded>();
  ASSERT_EQ(sessions.size(), 3u);
  double sum_s = 0;
  for (int number = 0; number < 3; ++number) {
    const Session& session = sessions[static_cast<std::size_t>(number)].session;
    EXPECT_EQ(session.number, number);
    EXPECT_GE(session.measuring_s, 2);
    EXPECT_LT(session.measuring_s, 2.22) << "at most one visit over";
    EXPECT_EQ(session.finished_at, std::to_string(60 * number + 2));
    sum_s += session.measuring_s;
  }
  EXPECT_NEAR(ended.measuring_s, sum_s, 1e-9) << "the time between sessions is not measured";
  std::map<int, std::string> first_passes;
  for (const auto& visit : told<VisitEnded>())
    if (visit.visit.pass == 0) first_passes[visit.visit.session] += std::to_string(visit.visit.point_index);
  ASSERT_EQ(first_passes.size(), 3u);
  for (const auto& [session, points] : first_passes) EXPECT_EQ(points.size(), 3u) << session;
}

TEST_F(RunSessions, EachBeginsItsIntervalAfterTheOneBefore) {
  perform();
  std::vector<std::string> began;
  for (const auto& session : told<SessionStarted>()) began.push_back(session.session.started_at);
  EXPECT_EQ(began, (std::vector<std::string>{"0", "60", "120"}));
}

TEST_F(RunSessions, OneThatTookLongerIsFollowedAtOnce) {
  task.run.plan.session_interval_s = 1;
  perform();
  EXPECT_TRUE(told<SessionWaiting>().empty());
  ASSERT_EQ(told<SessionStarted>().size(), 3u);
  EXPECT_EQ(told<SessionStarted>()[1].session.started_at, "2");
}

TEST_F(RunSessions, TheWaitIsToldAndTheMachineIsLetGo) {
  on_event = [this](const RunEvent& event) {
    if (std::holds_alternative<SessionWaiting>(event)) link.log += " wait";
    if (const auto* started = std::get_if<SessionStarted>(&event))
      link.log += " session" + std::to_string(started->session.number);
  };
  task.run.plan.sessions = 2;
  perform();
  EXPECT_EQ(link.log, " session0 close wait wait wait wait wait wait open session1");
  EXPECT_EQ(told<SessionWaiting>().front().session, 1);
  EXPECT_EQ(told<SessionWaiting>().front().sessions, 2);
  EXPECT_NEAR(told<SessionWaiting>().front().seconds, 58, 0.2);
}

TEST_F(RunSessions, ThePrecisionIsAskedOfOneSessionOnly) {
  perform();
  ASSERT_FALSE(asked.empty());
  for (const auto& by_session : asked) EXPECT_LE(by_session.size(), 1u);
}

TEST_F(RunSessions, VisitsAreNumberedOverAllOfThem) {
  perform();
  int next = 0;
  for (const auto& visit : told<VisitEnded>()) EXPECT_EQ(visit.visit.sequence, next++);
  for (const auto& visit : told<VisitStarted>()) EXPECT_LE(visit.session, 2);
}

TEST_F(RunSessions, StoppedWhileOneIsWaitedForItGoesOnWithThatOne) {
  on_event = [this](const RunEvent& event) {
    if (std::holds_alternative<SessionWaiting>(event)) stop->raise(StopFlag::now);
  };
  const RunEnded first = perform();
  EXPECT_EQ(first.state, RunState::cancelled);
  EXPECT_EQ(told<SessionStarted>().size(), 1u);
  EXPECT_TRUE(told<SessionEnded>().front().session.finished_at);
  resume_with(first);
  EXPECT_EQ(perform().state, RunState::completed);
  const auto sessions = told<SessionStarted>();
  ASSERT_EQ(sessions.size(), 2u);
  EXPECT_EQ(sessions[0].session.number, 1);
  EXPECT_EQ(sessions[1].session.number, 2);
}

TEST_F(RunSessions, StoppedInOneItGoesOnWithTheRestOfItsBudget) {
  on_event = [this](const RunEvent& event) {
    const auto* ended = std::get_if<VisitEnded>(&event);
    if (ended != nullptr && ended->visit.session == 1 && ended->session_measuring_s > 0.5)
      stop->raise(StopFlag::after_visit);
  };
  const RunEnded first = perform();
  EXPECT_EQ(first.state, RunState::cancelled);
  const Session cut = told<SessionEnded>().back().session;
  EXPECT_EQ(cut.number, 1);
  EXPECT_FALSE(cut.finished_at);
  resume_with(first);
  const RunEnded second = perform();
  EXPECT_EQ(second.state, RunState::completed);
  EXPECT_EQ(told<SessionStarted>().front().session, cut) << "with what it has used so far";
  const Session whole = told<SessionEnded>().front().session;
  EXPECT_EQ(whole.number, 1);
  EXPECT_LT(whole.measuring_s, 2.22);
  EXPECT_EQ(told<SessionEnded>().size(), 2u);
  EXPECT_NEAR(second.measuring_s,
              first.measuring_s + whole.measuring_s - cut.measuring_s + told<SessionEnded>().back().session.measuring_s,
              1e-9);
}

TEST_F(RunSessions, ANewOneLeavesTheUnfinishedOneAsItIs) {
  on_event = [this](const RunEvent& event) {
    if (std::holds_alternative<VisitEnded>(event)) stop->raise(StopFlag::after_visit);
  };
  resume_with(perform());
  task.new_session = true;
  task.run.plan.sessions = 2;
  EXPECT_EQ(perform().state, RunState::completed);
  ASSERT_EQ(told<SessionStarted>().size(), 1u);
  EXPECT_EQ(told<SessionStarted>().front().session.number, 1);
}

TEST_F(RunSessions, NothingIsMeasuredWhereAllHaveEnded) { // killed just before its end was told
  resume_with(perform());
  EXPECT_EQ(perform().state, RunState::completed);
  EXPECT_EQ(events.size(), 2u);
}

TEST_F(RunSessions, AWorkerThatIsGoneEndsTheRunWithWhatThereIs) {
  link.cannot_open = true;
  const RunEnded ended = perform();
  EXPECT_EQ(ended.state, RunState::incomplete);
  EXPECT_EQ(ended.reason, "There is no worker any more.");
  EXPECT_EQ(told<SessionEnded>().size(), 1u);
}

TEST_F(RunSessions, OneWithoutAnyDataDoesNotMakeAFailedRun) {
  on_event = [this](const RunEvent& event) {
    if (std::holds_alternative<SessionWaiting>(event)) link.fails = true;
  };
  const RunEnded ended = perform();
  EXPECT_EQ(ended.state, RunState::incomplete);
  EXPECT_EQ(ended.reason, "In session 2: No point could be measured. The worker crashed.");
  EXPECT_FALSE(told<SessionEnded>().back().session.finished_at);
}
