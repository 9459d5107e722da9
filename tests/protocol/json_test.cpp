#include "engine/protocol/json.h"

#include "golden.h"
#include "samples.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

using namespace switchscope;

namespace {

template <class T, class Read> void expect_round_trip(const T& value, Read read) {
  const nlohmann::json json = json_of(value);
  EXPECT_TRUE(read(json) == value) << json;
  EXPECT_TRUE(read(nlohmann::json::parse(json.dump())) == value) << json;
}

TEST(Json, BringsEveryValueBack) {
  expect_round_trip(samples::plan(), plan_from_json);
  expect_round_trip(Plan{}, plan_from_json);
  expect_round_trip(samples::environment(), environment_from_json);
  expect_round_trip(Environment{}, environment_from_json);
  expect_round_trip(samples::point(), point_from_json);
  expect_round_trip(samples::paper_point(), point_from_json);
  expect_round_trip(Point{}, point_from_json);
  expect_round_trip(samples::thresholds(), thresholds_from_json);
  expect_round_trip(Thresholds{}, thresholds_from_json);
  expect_round_trip(samples::request(), visit_request_from_json);
  expect_round_trip(VisitRequest{}, visit_request_from_json);
  expect_round_trip(samples::report(), visit_report_from_json);
  expect_round_trip(VisitReport{}, visit_report_from_json);
  expect_round_trip(samples::block(), block_from_json);
  expect_round_trip(samples::lone_block(), block_from_json);
  expect_round_trip(samples::visit(), visit_from_json);
  expect_round_trip(samples::failed_visit(), visit_from_json);
  expect_round_trip(samples::run(), run_from_json);
  expect_round_trip(switchscope::Run{}, run_from_json);
  expect_round_trip(samples::instrument_check(), instrument_check_from_json);
  expect_round_trip(InstrumentCheck{}, instrument_check_from_json);
  EXPECT_EQ(instrument_check_from_text(text_of(samples::instrument_check())), samples::instrument_check());
}

// A sample in which a field has its default would not show that the field is lost.
TEST(Json, SamplesDifferFromTheDefaultInEveryField) {
  const auto expect_all_differ = [](const nlohmann::json& sample, const nlohmann::json& fallback) {
    ASSERT_EQ(sample.size(), fallback.size());
    for (const auto& item : sample.items()) {
      if (item.key() == "schema" || item.key() == "mechanism" || item.key() == "mechanisms")
        continue;                           // one choice so far
      if (item.key() == "method") continue; // the other one forbids values that differ elsewhere; paper_point has it
      EXPECT_NE(item.value(), fallback.at(item.key())) << item.key();
    }
  };
  expect_all_differ(json_of(samples::plan()), json_of(Plan{}));
  expect_all_differ(json_of(samples::environment()), json_of(Environment{}));
  expect_all_differ(json_of(samples::environment())["cpus"][0], [] {
    Environment e;
    e.cpus.emplace_back();
    return json_of(e)["cpus"][0];
  }());
  expect_all_differ(json_of(samples::point()), json_of(Point{}));
  expect_all_differ(json_of(samples::thresholds()), json_of(Thresholds{}));
  expect_all_differ(json_of(samples::request()), json_of(VisitRequest{}));
  expect_all_differ(json_of(samples::report()), json_of(VisitReport{}));
  expect_all_differ(json_of(samples::block()), json_of(Block{}));
  expect_all_differ(json_of(samples::instrument_check()), json_of(InstrumentCheck{}));
  expect_all_differ(json_of(samples::run()), json_of(switchscope::Run{}));
}

TEST(Json, IsWrittenAsRecorded) {
  expect_golden("model.jsonl",
                {json_of(samples::plan()).dump(), json_of(Plan{}).dump(), json_of(samples::environment()).dump(),
                 json_of(Environment{}).dump(), json_of(samples::thresholds()).dump(), json_of(samples::visit()).dump(),
                 json_of(samples::failed_visit()).dump()});
}

TEST(RunEvents, ComeBackAsTheyWereWritten) {
  for (const RunEvent& event : samples::run_events())
    EXPECT_TRUE(run_event_from_text(encode(event)) == event) << encode(event);
}

TEST(RunEvents, AreWrittenAsRecorded) {
  std::vector<std::string> lines;
  for (const RunEvent& event : samples::run_events()) lines.push_back(encode(event));
  expect_golden("run_events.jsonl", lines);
}

template <class Read> std::string problem_of(Read read) {
  try {
    (void)read();
  } catch (const JsonProblem& problem) {
    return problem.what();
  }
  return "(no problem)";
}

TEST(Json, NamesTheFieldThatIsWrong) {
  const auto problem_with = [](const std::string& pointer, const nlohmann::json& value) {
    nlohmann::json json = json_of(samples::visit());
    json[nlohmann::json::json_pointer(pointer)] = value;
    return problem_of([&] { return visit_from_json(json); });
  };
  EXPECT_EQ(problem_with("/data/blocks/1/trips", 0),
            "The field \"data.blocks[1].trips\" must be a whole number of at least 1, not 0.");
  EXPECT_EQ(problem_with("/request/point/placement", "1:"),
            "The field \"request.point.placement\" must be a CPU such as \"1\", a pair such as \"0:1\", \"free\" or "
            "\"auto\", not \"1:\".");
  EXPECT_EQ(problem_with("/request/point/access", 3),
            "The field \"request.point.access\" must be read, write or rmw, not 3.");
  EXPECT_EQ(problem_with("/data/report/clock_ghz", std::numeric_limits<double>::infinity()),
            "The field \"data.report.clock_ghz\" must be a finite number, not null.");
  EXPECT_EQ(problem_with("/failure", nullptr), "The JSON value must hold either \"data\" or \"failure\".");
  nlohmann::json neither = json_of(samples::visit());
  neither.erase("data");
  EXPECT_EQ(problem_of([&] { return visit_from_json(neither); }),
            "The JSON value must hold either \"data\" or \"failure\".");
  EXPECT_EQ(problem_of([] { return point_from_json(nlohmann::json::array()); }),
            "The JSON value must be an object, not a list.");
  EXPECT_EQ(problem_of([] { return run_event_from_text(R"({"event":"lunch"})"); }),
            "The event \"lunch\" is unknown; known are run-started, session-waiting, session-started, visit-started, "
            "visit-ended, pass-ended, points-added, session-ended, run-ended.");
}

TEST(Json, NamesTheStoredLevelThatIsWrong) {
  nlohmann::json json = json_of(samples::thresholds());
  json["stored_levels"]["1"]["split_adds_per_cycle"] = 0;
  EXPECT_EQ(problem_of([&] { return thresholds_from_json(json); }),
            "The field \"stored_levels.1.split_adds_per_cycle\" must be a number above 0, not 0.");
  json["stored_levels"] = 2.5;
  EXPECT_EQ(problem_of([&] { return thresholds_from_json(json); }),
            "The field \"stored_levels\" must be an object, not 2.5.");
}

TEST(PlanText, HasADefaultForEveryField) {
  EXPECT_TRUE(plan_from_text(R"({"schema": 1})") == Plan{});
  Plan plan;
  plan.sizes_bytes = {65536};
  plan.placements = {{Placement::Kind::same_cpu, 1, 1}};
  plan.budget_s = 10;
  plan.require.fifo = true;
  EXPECT_TRUE(plan_from_text("{\"schema\": 1,\n \"sizes_bytes\": [65536], \"placements\": [\"1\"], \"budget_s\": 10,"
                             " \"precision_ratio\": null, \"require\": {\"fifo\": true}}") == plan);
}

TEST(PlanText, SaysWhatIsWrong) {
  const std::pair<std::string, std::string> cases[] = {
      {"",
       R"(The plan is empty; write one such as {"schema": 1, "sizes_bytes": [65536], "strides_bytes": [128], "budget_s": 10}.)"},
      {" \n\t",
       R"(The plan is empty; write one such as {"schema": 1, "sizes_bytes": [65536], "strides_bytes": [128], "budget_s": 10}.)"},
      {"sizes: 64KiB", "This is not JSON: it goes wrong at line 1, column 1."},
      {"{\n  \"schema\": 1,\n  \"name\": x\n}", "This is not JSON: it goes wrong at line 3, column 11."},
      {"{\n", "This is not JSON: it goes wrong at line 2, column 1."},
      {"[1]", "The JSON must be an object, as in {\"name\": ...}."},
      {"{}", "The field \"schema\" is missing; write \"schema\": 1."},
      {R"({"schema": 2, "axes": []})", "The field \"schema\" is 2; this version of Switchscope reads 1."},
      {R"({"schema": "1"})", "The field \"schema\" must be a whole number, not \"1\"."},
      {R"({"schema": 1, "size": [64]})",
       "The field \"size\" is unknown; fields here are schema, name, preset, sizes_bytes, strides_bytes, accesses, "
       "patterns, "
       "placements, pages, mechanisms, tasks, kernels, methods, policy, budget_s, precision_ratio, seed, sessions, "
       "session_interval_s, max_added_points, "
       "edge_points_per_octave, extend_to_bytes, require."},
      {R"({"schema": 1, "require": {"speed": true}})",
       "The field \"require.speed\" is unknown; fields here are precision, fifo, pages, clean."},
      {R"({"schema": 1, "sizes_bytes": 64})", "The field \"sizes_bytes\" must be a list, not 64."},
      {R"({"schema": 1, "sizes_bytes": [64, "64KiB"]})", "The field \"sizes_bytes[1]\" must be a whole number, "
                                                         "not \"64KiB\"."},
      {R"({"schema": 1, "accesses": ["read", "peek"]})",
       "The field \"accesses[1]\" must be read, write or rmw, not \"peek\"."},
      {R"({"schema": 1, "seed": -1})",
       "The field \"seed\" must be a whole number from 0 to 18446744073709551615, not -1."},
      {R"({"schema": 1, "budget_s": "60s"})", "The field \"budget_s\" must be a number, not \"60s\"."},
      {R"({"schema": 1, "name": null})", "The field \"name\" must be a text, not null."},
      {std::string(1'048'577, ' '), "The plan is 1048577 bytes long; a plan has at most 1 MiB."},
  };
  for (const auto& [text, problem] : cases)
    EXPECT_EQ(problem_of([&text_ = text] { return plan_from_text(text_); }), problem) << text.substr(0, 100);
}

} // namespace
