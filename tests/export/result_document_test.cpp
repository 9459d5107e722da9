#include "engine/export/export.h"
#include "tests/export/golden.h"
#include "tests/export/sample_run.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace switchscope {
namespace {

using nlohmann::json;

json document_of(const sample::Sample& sample) {
  return result_document(sample.run, sample.visits, sample.estimates);
}

TEST(ResultDocument, hasTheFieldsOfTheContract) {
  expect_golden("export/quiet.json", document_of(sample::quiet_run()).dump(2) + "\n");
}

TEST(ResultDocument, tellsWhatWentWrong) {
  expect_golden("export/troubled.json", document_of(sample::troubled_run()).dump(2) + "\n");
}

TEST(ResultDocument, carriesTheSelftestBeforeTheRun) {
  const auto sample = sample::quiet_run();
  EXPECT_TRUE(document_of(sample).at("instrument_check").is_null());
  InstrumentCheck check;
  check.taken_at = "2026-11-30T19:22:00.123Z";
  check.checks = {{1000, 1000.5, 998.25, 986, 1010, 981, 1015, 5, 100, 23, CheckVerdict::passed}};
  check.verdict = CheckVerdict::failed;
  const json document = result_document(sample.run, sample.visits, sample.estimates, {}, check);
  EXPECT_EQ(document.at("instrument_check").at("verdict"), "failed");
  EXPECT_EQ(document.at("instrument_check").at("checks").at(0).at("read_ns"), 998.25);
}

TEST(ResultDocument, pointWithoutDataHasNoStrideAccessPatternOrIndirect) {
  const auto point = document_of(sample::quiet_run())["points"][0];
  EXPECT_EQ(point["array_bytes"], 0);
  for (const auto* field : {"stride_bytes", "access", "pattern", "indirect_ns"})
    EXPECT_TRUE(point[field].is_null()) << field;
  EXPECT_EQ(point["total_ns"]["estimate"], 2640.0);
}

TEST(ResultDocument, countersStandByTheirNames) {
  auto sample = sample::quiet_run();
  EXPECT_EQ(document_of(sample)["points"][1]["counters"], json::object());
  sample.estimates.points[1].counters = sample::counters(8123.4);
  EXPECT_EQ(document_of(sample)["points"][1]["counters"],
            json::parse(R"({"cycles": {"per_switch": 8123.4, "unit": "count", "visits": 1, "scheduled_share": 1.0},
                            "dtlb-misses": {"per_switch": -1.25, "unit": "count", "visits": 2, "scheduled_share": 0.75},
                            "package-joules": {"per_switch": 1.75e-5, "unit": "J", "visits": 1, "scheduled_share": 1.0}})"));
}

TEST(ResultDocument, randomOrderHasNoStride) {
  auto sample = sample::quiet_run();
  sample.run.points[1].pattern = Pattern::random;
  sample.run.points[1].stride_bytes = 0;
  const auto point = document_of(sample)["points"][1];
  EXPECT_TRUE(point["stride_bytes"].is_null());
  EXPECT_EQ(point["pattern"], "random");
  EXPECT_EQ(point["access"], "rmw");
}

TEST(ResultDocument, numbersAreNotRounded) {
  auto sample = sample::quiet_run();
  sample.estimates.points[1].total.estimate = 0.1 + 0.2;
  EXPECT_EQ(json::parse(document_of(sample).dump())["points"][1]["total_ns"]["estimate"].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(json::parse(document_of(sample).dump())["run"]["seed"].get<std::uint64_t>(), 18'000'000'000'000'000'001ull);
}

TEST(ResultDocument, numbersThatAreNoneAreNull) {
  auto sample = sample::quiet_run();
  sample.estimates.points[1].total.low = -std::numeric_limits<double>::infinity();
  sample.estimates.points[1].baseline_per_trip_ns = std::nan("");
  const auto point = document_of(sample)["points"][1];
  EXPECT_TRUE(point["total_ns"]["low"].is_null());
  EXPECT_TRUE(point["baseline_per_trip_ns"].is_null());
}

TEST(ResultDocument, failedPointCostsNullNotZero) {
  const auto point = document_of(sample::troubled_run())["points"][5];
  EXPECT_EQ(point["state"], "failed");
  EXPECT_EQ(point["total_ns"].dump(), R"({"ends":null,"estimate":null,"high":null,"low":null})");
  EXPECT_TRUE(point["switching_per_switch_ns"].is_null());
  EXPECT_EQ(point["failure"], "The worker was killed by signal 9 three times.");
  EXPECT_TRUE(point["placement"]["policy"]["obtained"].is_string()); // one visit of the sample did measure
}

TEST(ResultDocument, correctedPointKeepsItsRawValue) {
  const auto points = document_of(sample::troubled_run())["points"];
  EXPECT_EQ(points[4]["total_raw_ns"].dump(), R"({"ends":"interval","estimate":5100.0,"high":5500.0,"low":4700.0})");
  EXPECT_TRUE(points[3]["total_raw_ns"].is_null());
}

TEST(ResultDocument, saysWhereTheEndsAreARangeOnly) {
  const auto points = document_of(sample::troubled_run())["points"];
  EXPECT_EQ(points[1]["total_ns"]["ends"], "range");
  EXPECT_EQ(points[1]["indirect_ns"]["ends"], "range");
  EXPECT_EQ(points[3]["total_ns"]["ends"], "interval");
}

TEST(ResultDocument, saysWhyThereIsNoIndirectCost) {
  const auto points = document_of(sample::troubled_run())["points"];
  EXPECT_TRUE(points[2]["indirect_ns"].is_null());
  EXPECT_EQ(points[2]["indirect_absent_reason"], "its state is contended and that of the direct cost is clean.");
  EXPECT_TRUE(points[0]["indirect_absent_reason"].is_null()) << "without data there cannot be one";
  EXPECT_TRUE(points[2]["failure"].is_null());
}

TEST(ResultDocument, tellsCurvesOfWhichNoCliffCouldBeToldFromThoseWithoutOne) {
  const auto quiet = document_of(sample::quiet_run());
  EXPECT_EQ(quiet["not_judged"], json::array());
  EXPECT_FALSE(quiet["cliffs"].empty());
  const auto troubled = document_of(sample::troubled_run())["not_judged"]; // three sizes by read
  ASSERT_EQ(troubled.size(), 1u) << troubled;
  EXPECT_EQ(troubled[0]["curve"]["access"], "read");
  EXPECT_NE(troubled[0]["reason"].get<std::string>().find("at least 4 sizes"), std::string::npos);
}

TEST(ResultDocument, saysWhereTheAnswerDependsOnWhatWasSetAside) {
  const auto points = document_of(sample::troubled_run())["points"];
  EXPECT_EQ(points[3]["depends_on_set_aside"], true);
  EXPECT_EQ(points[4]["depends_on_set_aside"], false);
}

TEST(ResultDocument, directCostIsThatOfThePlansFirstPlacement) {
  auto sample = sample::quiet_run();
  auto second = sample::point(0);
  second.placement = {Placement::Kind::two_cpus, 0, 1};
  sample.run.points.insert(sample.run.points.begin() + 1, second);
  sample.estimates.points.insert(sample.estimates.points.begin() + 1,
                                 sample::estimate(1, EstimateState::contended, sample::interval(8000, 9000, 10000)));
  const auto document = document_of(sample);
  EXPECT_EQ(document["direct_ns"].dump(),
            R"({"ends":"interval","estimate":2640.0,"high":2670.0,"low":2610.0,"state":"clean"})");
  ASSERT_EQ(document["direct"].size(), 2u);
  EXPECT_EQ(document["direct"][1]["placement"]["cpus"], "0:1");
  EXPECT_EQ(document["direct"][1]["state"], "contended");
}

TEST(ResultDocument, obtainedIsMixedWhereVisitsDifferAndNullWithoutAny) {
  auto sample = sample::quiet_run();
  auto other = sample.visits[1];
  auto data = *other.data();
  data.report.policy = Policy::other;
  other.outcome = data;
  sample.visits.push_back(other);
  sample.visits[2].outcome = VisitFailure{"crashed", "It was killed."};
  const auto points = document_of(sample)["points"];
  EXPECT_EQ(points[1]["placement"]["policy"]["obtained"], "mixed");
  EXPECT_EQ(points[1]["placement"]["pages"]["obtained"], "4k");
  EXPECT_TRUE(points[2]["placement"]["policy"]["obtained"].is_null());
}

TEST(ResultDocument, runThatStillMeasuresIsIncomplete) {
  auto sample = sample::quiet_run();
  sample.run.state = RunState::running;
  EXPECT_EQ(document_of(sample)["run"]["state"], "incomplete");
}

TEST(ResultDocument, coreTypeIsThatOfThePlacement) {
  auto sample = sample::quiet_run();
  sample.run.before.cpus[0].core_type = "efficient";
  sample.run.before.cpus[1].core_type = "performance";
  sample.run.points[1].placement = {Placement::Kind::two_cpus, 1, 0};
  sample.run.points[2].placement = {Placement::Kind::free, -1, -1};
  const auto points = document_of(sample)["points"];
  EXPECT_EQ(points[0]["core_type"], "performance");
  EXPECT_EQ(points[1]["core_type"], "performance:efficient");
  EXPECT_TRUE(points[2]["core_type"].is_null());
  sample.run.before.cpus[0].core_type = "performance";
  const auto alike = document_of(sample)["points"];
  EXPECT_EQ(alike[1]["core_type"], "performance");
  EXPECT_EQ(alike[2]["core_type"], "performance");
}

} // namespace
} // namespace switchscope
