// What goes into the store comes out of it, field by field, also after the file was closed.
#include "tests/store/samples.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

TEST(RoundTrip, EveryFieldOfARunUnderWay) {
  const TemporaryFolder folder;
  const auto run = sample_run();
  Store(folder / "a.db").append(RunStarted{run});
  EXPECT_EQ(Store(folder / "a.db").load_run(run.id), run);
}

TEST(RoundTrip, EveryFieldOfAnEndedRun) {
  const TemporaryFolder folder;
  auto run = sample_run();
  const RunEnded end = sample_end();
  {
    Store store(folder / "a.db");
    store.append(RunStarted{run});
    store.append(end);
  }
  run.state = end.state;
  run.finished_at = end.finished_at;
  run.measuring_s = end.measuring_s;
  run.throttle_wait_s = end.throttle_wait_s;
  run.after = end.after;
  EXPECT_EQ(Store(folder / "a.db", Store::Access::read_only).load_run(run.id), run);
  EXPECT_EQ(value_in(folder / "a.db", "SELECT end_reason || elapsed_s || throttle_wait_s FROM run"),
            "The worker was missing.40.251.125");
}

TEST(RoundTrip, EveryFieldOfVisitsInOrderOfSequence) {
  const TemporaryFolder folder;
  const auto run = sample_run();
  const std::vector<Visit> visits{sample_visit(0), failed_visit(1), sample_visit(2, 5), sample_visit(3, 0),
                                  sample_visit(4)};
  {
    Store store(folder / "a.db");
    store.append(RunStarted{run});
    for (const int sequence : {0, 4, 2, 1, 3})
      store.append(VisitEnded{visits[static_cast<std::size_t>(sequence)], 7.5 + sequence, 3.0});
  }
  const Store store(folder / "a.db");
  EXPECT_EQ(store.load_visits(run.id), visits);
  EXPECT_EQ(store.load_run(run.id).measuring_s, 10.5); // what the visit stored last said
}

TEST(RoundTrip, AMachineThatTellsNothing) {
  const TemporaryFolder folder;
  auto run = sample_run();
  run.before = Environment{};
  run.thresholds = Thresholds{};
  run.plan = Plan{};
  run.plan.sizes_bytes = {0};
  run.points = {Point{}};
  Visit visit = sample_visit(0);
  visit.point_index = 0;
  visit.request = VisitRequest{};
  std::get<VisitData>(visit.outcome).report = VisitReport{};
  {
    Store store(folder / "a.db");
    store.append(RunStarted{run});
    store.append(VisitEnded{visit, run.measuring_s, std::nullopt, run.throttle_wait_s});
  }
  const Store store(folder / "a.db");
  EXPECT_EQ(store.load_run(run.id), run);
  EXPECT_EQ(store.load_visits(run.id), std::vector<Visit>{visit});
}

TEST(RoundTrip, PointsOfBothMethods) {
  const TemporaryFolder folder;
  auto run = sample_run();
  Point by_paper = run.points.front();
  by_paper.method = Method::paper;
  run.points.push_back(by_paper);
  run.plan.methods = {Method::paired, Method::paper};
  {
    Store store(folder / "a.db");
    store.append(RunStarted{run});
  }
  EXPECT_EQ(Store(folder / "a.db").load_run(run.id), run);
}

TEST(RoundTrip, ANameThatIsNotUtf8DoesNotEndTheRun) {
  const TemporaryFolder folder;
  auto run = sample_run();
  run.before.host_name = "lab\xff";
  Store store(folder / "a.db");
  store.append(RunStarted{run});
  EXPECT_EQ(store.load_run(run.id).before.host_name, "lab\xef\xbf\xbd");
}

TEST(RoundTrip, EventsBetweenVisitsAreNotStored) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  store_run(store, sample_run(), 1);
  const auto before = store.load_run(sample_run().id);
  store.append(VisitStarted{1, 1, 0});
  store.append(PassEnded{0, 1, 1});
  EXPECT_EQ(store.load_run(before.id), before);
  EXPECT_EQ(store.load_visits(before.id).size(), 1U);
}

TEST(RoundTrip, AddedPointsStandBehindThoseOfThePlan) {
  const TemporaryFolder folder;
  auto run = sample_run();
  Point added = run.points.back();
  added.array_bytes += 64;
  {
    Store store(folder / "a.db");
    store_run(store, run, 1);
    store.append(PointsAdded{static_cast<int>(run.points.size()), {added}});
    run.points.push_back(added);
    Visit visit = sample_visit(1);
    visit.point_index = static_cast<int>(run.points.size()) - 1;
    store.append(VisitEnded{visit, 20, std::nullopt});
    EXPECT_EQ(store.verify(), std::vector<std::string>{});
  }
  Store store(folder / "a.db");
  EXPECT_EQ(store.load_run(run.id).points, run.points);
  EXPECT_EQ(store.load_visits(run.id).back().point_index, static_cast<int>(run.points.size()) - 1);
  EXPECT_EQ(store.list().front().points, static_cast<int>(run.points.size()));
  store.append(RunStarted{store.load_run(run.id)}); // a resumption has them, too
}

TEST(RoundTrip, AddedPointsThatLeaveAGapAreRefusedWhole) {
  const TemporaryFolder folder;
  const auto run = sample_run();
  Store store(folder / "a.db");
  store.append(RunStarted{run});
  const PointsAdded wrong{static_cast<int>(run.points.size()) + 1, {run.points.back()}};
  EXPECT_NE(problem_in([&] { store.append(wrong); }).find("another number"), std::string::npos);
  EXPECT_EQ(store.load_run(run.id).points, run.points);
}

TEST(RoundTrip, AReopenedRunIsRunningAgainAndKeepsItsVisits) {
  const TemporaryFolder folder;
  auto run = sample_run();
  {
    Store store(folder / "a.db");
    store_run(store, run, 2);
    store.append(sample_end());
  }
  Store store(folder / "a.db");
  auto again = store.load_run(run.id);
  store.append(RunStarted{again});
  store.append(VisitEnded{sample_visit(2), 40.0, std::nullopt, 2.5});
  again.state = RunState::running;
  again.finished_at.reset();
  again.measuring_s = 40.0;
  again.throttle_wait_s = 2.5;
  EXPECT_EQ(store.load_run(run.id), again);
  EXPECT_EQ(store.load_visits(run.id).size(), 3U);
  EXPECT_EQ(store.list().size(), 1U);
}

TEST(RoundTrip, ARunThatWasKilledKeepsTheTimesOfItsLastVisit) {
  const TemporaryFolder folder;
  const auto run = sample_run();
  {
    Store store(folder / "a.db");
    store.append(RunStarted{run});
    EXPECT_EQ(value_in(folder / "a.db", "SELECT measuring_s || ' ' || elapsed_s || ' ' || throttle_wait_s FROM run"),
              "12.75 13.0 0.25");
    store.append(VisitEnded{sample_visit(0), 20.5, std::nullopt, 1.25});
  }
  EXPECT_EQ(value_in(folder / "a.db", "SELECT measuring_s || ' ' || elapsed_s || ' ' || throttle_wait_s FROM run"),
            "20.5 21.75 1.25");
  EXPECT_EQ(Store(folder / "a.db").load_run(run.id).throttle_wait_s, 1.25); // where a resumption goes on counting
}

TEST(RoundTrip, EachResumptionKeepsTheMachineItMet) {
  const TemporaryFolder folder;
  const auto run = sample_run();
  Environment second = run.before;
  second.kernel_release = "6.18.1";
  Environment third = run.before;
  third.host_name = "lab-8";
  {
    Store store(folder / "a.db");
    store_run(store, run, 1);
    EXPECT_TRUE(store.load_resumptions(run.id).empty());
    store.append(RunStarted{run, second});
    store.append(sample_end());
    store.append(RunStarted{run, third});
  }
  const Store store(folder / "a.db");
  const auto resumptions = store.load_resumptions(run.id);
  ASSERT_EQ(resumptions.size(), 2U);
  EXPECT_EQ(resumptions[0].environment, second);
  EXPECT_EQ(resumptions[1].environment, third);
  EXPECT_LE(resumptions[0].started_at, resumptions[1].started_at);
  EXPECT_EQ(resumptions[0].started_at.size(), run.started_at.size());
  EXPECT_EQ(store.load_run(run.id).before, run.before);
  EXPECT_EQ(store.load_run(run.id).after, sample_end().after);
}

TEST(RoundTrip, SessionsAreKeptFromTheirBeginningToTheirEnd) {
  const TemporaryFolder folder;
  auto run = sample_run();
  Session third;
  third.number = 2;
  third.started_at = "2026-11-30T19:42:00.400Z";
  third.before = run.before;
  Visit visit = sample_visit(0);
  visit.session = 2;
  {
    Store store(folder / "a.db");
    store.append(RunStarted{run});
    store.append(SessionStarted{third, 3});
    store.append(SessionWaiting{3, 4, 600});
    store.append(VisitEnded{visit, 20.5, std::nullopt, 1.25, 7.5, 0.75});
  }
  run.sessions.push_back(third);
  run.sessions.back().measuring_s = 7.5;
  run.sessions.back().throttle_wait_s = 0.75;
  EXPECT_EQ(Store(folder / "a.db").load_run(run.id).sessions, run.sessions) << "as after a kill";
  {
    Store store(folder / "a.db");
    store.append(RunStarted{run});
    store.append(SessionStarted{run.sessions.back(), 3}); // taken up again
    third = run.sessions.back();
    third.measuring_s = 9;
    third.finished_at = "2026-11-30T19:43:00.400Z";
    third.after = run.before;
    store.append(SessionEnded{third});
  }
  run.sessions.back() = third;
  EXPECT_EQ(Store(folder / "a.db").load_run(run.id).sessions, run.sessions);
}

TEST(RoundTrip, ASessionThatIsAddedIsAskedForByThePlan) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  auto run = sample_run();
  store_run(store, run, 1);
  store.append(sample_end());
  run.plan.sessions = 4;
  store.append(RunStarted{run});
  EXPECT_EQ(store.load_run(run.id).plan.sessions, 4);
}

TEST(RoundTrip, ARunIsNotReopenedWithOtherPoints) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  auto run = sample_run();
  store_run(store, run, 1);
  store.append(sample_end());
  run.points.pop_back();
  EXPECT_NE(problem_in([&] { store.append(RunStarted{run}); }).find("cannot go on"), std::string::npos);
  EXPECT_EQ(store.load_run(run.id).state, RunState::incomplete); // as it was
}

TEST(RoundTrip, AVisitIsStoredOnce) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  const auto run = sample_run();
  store_run(store, run, 2);

  const std::string same = problem_in([&] { store.append(VisitEnded{sample_visit(1), 1, std::nullopt}); });
  EXPECT_NE(same.find("Visit 1 of this run is stored in"), std::string::npos) << same;
  EXPECT_EQ(store.load_visits(run.id).size(), 2U);
  EXPECT_EQ(store.list().front().visits, 2);
}

TEST(RoundTrip, AVisitOfAPointThatIsNotThereIsRefused) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  store_run(store, sample_run(), 0);
  Visit visit = sample_visit(0);
  visit.point_index = 2;
  EXPECT_NE(problem_in([&] { store.append(VisitEnded{visit, 1, std::nullopt}); }), "");
  EXPECT_TRUE(store.load_visits(sample_run().id).empty());
}

TEST(RoundTrip, ABlockThatCannotBeStoredLeavesNothingOfItsVisit) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  store_run(store, sample_run(), 0);
  Visit visit = sample_visit(0);
  std::get<VisitData>(visit.outcome).blocks.back().elapsed_ns = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(problem_in([&] { store.append(VisitEnded{visit, 1, std::nullopt}); }), "");
  EXPECT_TRUE(store.load_visits(sample_run().id).empty());
  EXPECT_TRUE(store.verify().empty());
}

TEST(RoundTrip, AVisitBeforeARunIsRefused) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  EXPECT_NE(problem_in([&] { store.append(VisitEnded{sample_visit(0), 1, std::nullopt}); }), "");
  EXPECT_NE(problem_in([&] { store.append(sample_end()); }), "");
}

TEST(RoundTrip, ReasonsStandBesideTheRawBlocks) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  const auto run = sample_run();
  store_run(store, run, 2);
  const auto before = store.load_visits(run.id);
  EXPECT_EQ(value_in(folder / "a.db", "SELECT count(*) FROM block WHERE set_aside IS NULL"), "12");

  store.store_set_aside(run.id, 1, {SetAside::none, SetAside::contended});

  const std::string reason = "SELECT group_concat(set_aside, '|') FROM (SELECT set_aside FROM block JOIN visit ON "
                             "visit.row = block.visit WHERE sequence = 1 ORDER BY position)";
  EXPECT_EQ(value_in(folder / "a.db", reason), "|||contended|contended|contended");
  EXPECT_EQ(value_in(folder / "a.db", "SELECT count(*) FROM block WHERE set_aside IS NULL"), "6");
  EXPECT_EQ(store.load_visits(run.id), before);
  EXPECT_NE(problem_in([&] { store.store_set_aside(run.id, 9, {}); }).find("no visit 9"), std::string::npos);
}

TEST(RoundTrip, TheLevelOfACpuIsTheOneRememberedLast) {
  const TemporaryFolder folder;
  {
    Store store(folder / "a.db");
    EXPECT_FALSE(store.cpu_level("lab-7 EPYC", 1));
    store.remember_cpu_level("lab-7 EPYC", 1, {1.5, 2.5, 3.5, "2026-11-29T00:00:00.000Z"});
    store.remember_cpu_level("lab-7 EPYC", 1, {2.75, 3.35, 640.25, "2026-11-30T00:00:00.000Z"});
    store.remember_cpu_level("lab-7 EPYC", 2, {9, 9, 9, "2026-11-30T00:00:00.000Z"});
  }
  const auto level = Store(folder / "a.db").cpu_level("lab-7 EPYC", 1);
  ASSERT_TRUE(level);
  EXPECT_EQ(level->split_adds_per_cycle, 2.75);
  EXPECT_EQ(level->clean_adds_per_cycle, 3.35);
  EXPECT_EQ(level->clean_self_pipe_ns, 640.25);
  EXPECT_EQ(level->dated, "2026-11-30T00:00:00.000Z");
}

TEST(RoundTrip, TheCheckOfAMachineIsTheLastOneNotAfter) {
  const TemporaryFolder folder;
  const MachineCheck first{"selftest", "lab-7 EPYC", 1, "2026-11-29T00:00:00.000Z", "{\"a\":1}"};
  const MachineCheck second{"selftest", "lab-7 EPYC", 1, "2026-11-30T00:00:00.000Z", "{\"a\":2}"};
  {
    Store store(folder / "a.db");
    EXPECT_FALSE(store.last_check("selftest", "lab-7 EPYC", 1));
    store.remember_check(second);
    store.remember_check(first);
    store.remember_check({"selftest", "lab-7 EPYC", 2, "2026-11-30T01:00:00.000Z", "{}"});
    store.remember_check({"other", "lab-7 EPYC", 1, "2026-11-30T01:00:00.000Z", "{}"});
  }
  const Store store(folder / "a.db", Store::Access::read_only);
  EXPECT_EQ(store.last_check("selftest", "lab-7 EPYC", 1), second);
  EXPECT_EQ(store.last_check("selftest", "lab-7 EPYC", 1, "2026-11-30T00:00:00.000Z"), second);
  EXPECT_EQ(store.last_check("selftest", "lab-7 EPYC", 1, "2026-11-29T23:00:00.000Z"), first);
  EXPECT_FALSE(store.last_check("selftest", "lab-7 EPYC", 1, "2026-11-28T00:00:00.000Z"));
  EXPECT_FALSE(store.last_check("selftest", "lab-8 EPYC", 1));
}

} // namespace
} // namespace switchscope
