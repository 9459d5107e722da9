#include "engine/run/recording.h"

#include "tests/run/visits.h"

#include <gtest/gtest.h>

#include <fstream>

using namespace switchscope;
using namespace switchscope::testing;

namespace {

std::vector<std::string> lines_of(const std::vector<WorkerEvent>& events) {
  std::vector<std::string> lines;
  for (const auto& event : events) lines.push_back(encode(event));
  return lines;
}

} // namespace

TEST(RecordedLink, PlaysAWholeConversation) {
  const auto visit = visit_with_pairs(2);
  std::vector<WorkerEvent> events{Hello{}, Waiting{"root"}, Ready{}, Facts{"", {{"/proc/version", "x"}}, {}}};
  for (const auto& block : visit.blocks) events.emplace_back(BlockLine{4, block});
  events.emplace_back(Done{4, visit.report});
  events.emplace_back(WorkerError{5, "memory", "It does not fit."});
  RecordedLink link(lines_of(events));
  EXPECT_EQ(link.open(), Hello{});
  EXPECT_EQ(link.describe().files.at("/proc/version"), "x");
  EXPECT_EQ(link.measure({}), VisitOutcome(visit));
  EXPECT_EQ(link.measure({}), VisitOutcome(VisitFailure{"memory", "It does not fit."}));
  EXPECT_EQ(std::get<VisitFailure>(link.measure({})).code, "crashed");
}

TEST(RecordedLink, RefusesIncompletePairsAndMixedVisits) {
  auto visit = visit_with_pairs(1);
  std::vector<WorkerEvent> events;
  events.emplace_back(BlockLine{1, visit.blocks[0]});
  events.emplace_back(Done{1, visit.report}); // one of three blocks
  for (const int pair : {0, 0}) {             // a block twice
    visit.blocks[0].pair = pair;
    events.emplace_back(BlockLine{2, visit.blocks[0]});
  }
  events.emplace_back(BlockLine{2, visit.blocks[1]});
  events.emplace_back(Done{2, visit.report});
  events.emplace_back(BlockLine{3, visit.blocks[0]});
  events.emplace_back(BlockLine{4, visit.blocks[1]});
  events.emplace_back(Hello{});
  RecordedLink link(lines_of(events));
  for (const char* code : {"incomplete", "incomplete", "garbage", "garbage"})
    EXPECT_EQ(std::get<VisitFailure>(link.measure({})).code, code);
}

TEST(RecordedLink, ALineThatIsNotUnderstoodEndsItsVisit) {
  RecordedLink link({"not JSON", encode(WorkerEvent{WorkerError{1, "memory", "x"}})});
  EXPECT_EQ(std::get<VisitFailure>(link.measure({})).code, "garbage");
  EXPECT_EQ(std::get<VisitFailure>(link.measure({})).code, "memory");
}

TEST(RecordedLink, NamesBothVersions) {
  Hello newer;
  newer.protocol = 7;
  RecordedLink link(lines_of({newer}));
  try {
    link.open();
    FAIL();
  } catch (const WorkerProblem& problem) {
    EXPECT_EQ(problem.kind, WorkerProblem::Kind::wrong_version);
    EXPECT_NE(std::string(problem.what()).find("version 7"), std::string::npos);
  }
}

TEST(RecordedLines, ReadsAFileAndRefusesWhatIsNone) {
  const std::string path = ::testing::TempDir() + "switchscope-recording-" + std::to_string(::getpid());
  std::ofstream(path) << "one\n\ntwo";
  EXPECT_EQ(recorded_lines(path), (std::vector<std::string>{"one", "two"}));
  std::filesystem::remove(path);
  EXPECT_THROW(static_cast<void>(recorded_lines(path)), WorkerProblem);
  EXPECT_THROW(static_cast<void>(recorded_lines(::testing::TempDir())), WorkerProblem);
}
