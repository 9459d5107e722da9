// The documents against docs/result.schema.json, by the validator of python3-jsonschema.
#include "engine/export/export.h"
#include "tests/export/golden.h"
#include "tests/export/sample_run.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <set>

namespace switchscope {
namespace {

using nlohmann::json;

const std::filesystem::path source_dir = SWITCHSCOPE_SOURCE_DIR;
const std::filesystem::path schema_file = source_dir / "docs/result.schema.json";

struct Verdict {
  int exit_code = -1;
  std::string says;
};

Verdict validate(const json& document) {
  std::string name = (std::filesystem::temp_directory_path() / "result-XXXXXX").string();
  const int descriptor = mkstemp(name.data());
  close(descriptor);
  std::ofstream(name) << document.dump();
  const auto command = "/usr/bin/python3 '" + (source_dir / "tests/export/validate.py").string() + "' '" +
                       schema_file.string() + "' '" + name + "' 2>&1";
  Verdict verdict;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer{};
  while (const auto got = fread(buffer.data(), 1, buffer.size(), pipe)) verdict.says.append(buffer.data(), got);
  const int status = pclose(pipe);
  verdict.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  std::filesystem::remove(name);
  return verdict;
}

class ResultSchema : public testing::Test {
protected:
  void SetUp() override {
    // Where Debian and Ubuntu put it for /usr/bin/python3; asking Python would cost each test a second start.
    if (!std::filesystem::exists("/usr/lib/python3/dist-packages/jsonschema"))
      GTEST_SKIP() << "python3-jsonschema is not installed, so the documents cannot be validated";
  }
  static json document_of(const sample::Sample& sample) {
    return result_document(sample.run, sample.visits, sample.estimates);
  }
  static void expect_refused(const json& document, const std::string& about) {
    const auto verdict = validate(document);
    EXPECT_EQ(verdict.exit_code, 1) << verdict.says;
    EXPECT_NE(verdict.says.find(about), std::string::npos) << verdict.says;
  }
};

TEST_F(ResultSchema, holdsForAQuietRun) {
  const auto verdict = validate(document_of(sample::quiet_run()));
  EXPECT_EQ(verdict.exit_code, 0) << verdict.says;
}

TEST_F(ResultSchema, holdsForATroubledRun) {
  const auto verdict = validate(document_of(sample::troubled_run()));
  EXPECT_EQ(verdict.exit_code, 0) << verdict.says;
}

TEST_F(ResultSchema, holdsForThePapersMethodAndRandomOrderAndNothingMeasured) {
  auto sample = sample::quiet_run();
  sample.run.plan.methods = {Method::paper};
  for (auto& point : sample.run.points) point.method = Method::paper;
  sample.estimates.points[0].stalls = {{SetAside::throttled, 3}, {SetAside::stalled, 1}};
  sample.estimates.interval_method.clear();
  sample.run.points[1].pattern = Pattern::random;
  sample.run.points[1].stride_bytes = 0;
  for (auto& estimate : sample.estimates.points) estimate.state = EstimateState::paper;
  sample.estimates.points[2] = {};
  sample.visits.clear();
  const auto verdict = validate(document_of(sample));
  EXPECT_EQ(verdict.exit_code, 0) << verdict.says;
}

TEST_F(ResultSchema, holdsForEveryFlagAndEveryReason) {
  auto sample = sample::quiet_run();
  auto& estimate = sample.estimates.points[1];
  for (const auto& [flag, word] : Names<Flag>::table) estimate.flags.push_back(flag);
  for (int reason = 1; reason <= static_cast<int>(SetAside::other_state); ++reason)
    estimate.set_aside[static_cast<SetAside>(reason)] = 3;
  const auto verdict = validate(document_of(sample));
  EXPECT_EQ(verdict.exit_code, 0) << verdict.says;
}

TEST_F(ResultSchema, refusesAFieldThatIsNotInTheContract) {
  auto document = document_of(sample::quiet_run());
  document["points"][1]["median_ns"] = 1;
  expect_refused(document, "median_ns");
}

TEST_F(ResultSchema, refusesAMissingField) {
  auto document = document_of(sample::quiet_run());
  document["points"][1].erase("total_all_blocks_ns");
  expect_refused(document, "total_all_blocks_ns");
}

TEST_F(ResultSchema, refusesAnUnknownFlag) {
  auto document = document_of(sample::quiet_run());
  document["points"][1]["flags"] = {"odd"};
  expect_refused(document, "odd");
}

TEST_F(ResultSchema, refusesAnAccessWithoutData) {
  auto document = document_of(sample::quiet_run());
  document["points"][0]["access"] = "read";
  expect_refused(document, "points[0].access");
}

TEST_F(ResultSchema, refusesARawValueOfAPointThatIsNotCorrected) {
  auto document = document_of(sample::troubled_run());
  document["points"][1]["total_raw_ns"] = document["points"][4]["total_raw_ns"];
  expect_refused(document, "points[1].total_raw_ns");
}

TEST_F(ResultSchema, refusesACostOfAFailedPoint) {
  auto document = document_of(sample::troubled_run());
  document["points"][5]["total_ns"]["estimate"] = 0;
  expect_refused(document, "points[5].total_ns.estimate");
}

TEST(ResultSchemaText, listsExactlyTheFlagsOfTheProgram) {
  const auto schema = json::parse(text_of_file(schema_file));
  std::set<std::string> ours;
  for (const auto& [flag, word] : Names<Flag>::table) ours.insert(std::string(word));
  EXPECT_EQ(schema["$defs"]["flag"]["enum"].get<std::set<std::string>>(), ours);
}

} // namespace
} // namespace switchscope
