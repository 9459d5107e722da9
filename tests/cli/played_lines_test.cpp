// A worker's lines played word for word: what a disturbed machine would send, and what is made of it.
#include "tests/cli/scripted.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace switchscope {
namespace {

using nlohmann::json;

json counts(int minor_faults, int involuntary) {
  return {{"voluntary_switches", 0},
          {"involuntary_switches", involuntary},
          {"minor_faults", minor_faults},
          {"major_faults", 0},
          {"migrations", 0}};
}

// A thousand trips of exactly `elapsed_ns`.
json block(int pair, const std::string& phase, double elapsed_ns, int minor_faults = 0, int involuntary = 0) {
  const json probe{{"clock_adds_per_ns", 4.0}, {"adds_per_cycle", 3.8}, {"self_pipe_ns", 500.0}};
  const json task = counts(minor_faults, involuntary);
  return {{"type", "block"},
          {"id", "ID"},
          {"pair", pair},
          {"phase", phase},
          {"trips", 1000},
          {"elapsed_ns", elapsed_ns},
          {"started_ns", 10'000'000 * pair},
          {"before", probe},
          {"after", probe},
          {"expected_switches", phase == "S1" ? 1004 : 0},
          {"task_a", phase == "S2B" ? json(nullptr) : task},
          {"task_b", phase == "S2A" ? json(nullptr) : task}};
}

constexpr double quiet_switching_ns = 3'000'000; // 1,500 a switch
constexpr double quiet_baseline_ns = 500'000;    // 500 a trip

std::string line_of(const json& value) {
  std::string text = value.dump() + "\n";
  for (auto at = text.find("\"ID\""); at != std::string::npos; at = text.find("\"ID\""))
    text.replace(at, 4, "ID"); // a number once it is played
  return text;
}

std::string done(const json& changes) {
  json report{{"type", "done"},
              {"id", "ID"},
              {"policy", "fifo"},
              {"priority", 50},
              {"pages", "4k"},
              {"locked", true},
              {"kernel_code", "avx"},
              {"policy_reason", ""},
              {"pages_reason", ""},
              {"fifo_too_long", false},
              {"clock_source", "tsc"},
              {"clock_ghz", 2.6},
              {"clock_drift_ppm", 0.0},
              {"steal_ns", 0},
              {"interrupts", 8},
              {"stalls_ns", json::array()},
              {"checksum_ok", true},
              {"memory_tag_ns", nullptr},
              {"spun_ns", nullptr},
              {"expected_switches", 6024},
              {"observed_switches_a", 6024},
              {"observed_switches_b", 6024},
              {"counters", json::array()},
              {"counters_reason", ""},
              {"fifo_ns", 24'000'000},
              {"measured_ns", 24'000'000},
              {"total_ns", 30'000'000}};
  report.update(changes);
  return line_of(report);
}

// Six pairs: a page fault in the first, 50 ms away in the second, somebody else on the CPU in the third.
std::string disturbed_visit(const json& report_changes) {
  std::string lines;
  for (int pair = 0; pair < 6; ++pair) {
    lines += line_of(block(pair, "S2A", quiet_baseline_ns, 0, pair == 2 ? 1 : 0));
    lines += line_of(block(pair, "S1", quiet_switching_ns + (pair == 1 ? 50e6 : 0), pair == 0 ? 1 : 0));
    lines += line_of(block(pair, "S2B", quiet_baseline_ns));
  }
  return lines + done(report_changes);
}

json shown_after(const json& report_changes, const std::vector<std::string>& more) {
  const Scripted scripted;
  const std::string file = scripted.folder.file("lines", disturbed_visit(report_changes));
  std::vector<std::string> arguments{"run", "--size", "0", "--budget", "300ms", "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Ended ended = scripted.cli(arguments, "--real-time --lines " + file);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  return json::parse(ended.out, nullptr, false);
}

TEST(PlayedLines, EachCauseFromOutsideIsNamedAndTheRestIsTheCost) {
  const json document =
      shown_after({{"steal_ns", -40'000'000}}, {}); // a steal counter that ran backwards tells nothing
  const json& point = document.at("points").at(0);
  const int visits = point.at("visits");
  EXPECT_GT(visits, 0);
  EXPECT_EQ(point.at("state"), "clean");
  EXPECT_DOUBLE_EQ(point.at("total_ns").at("estimate").get<double>(), 1000);
  EXPECT_EQ(point.at("set_aside"),
            (json{{"faulted", 3 * visits}, {"throttled", 3 * visits}, {"involuntary", 3 * visits}}));
  EXPECT_EQ(point.at("blocks_used"), 9 * visits);
}

TEST(PlayedLines, StolenTimeSetsTheWholeVisitAside) {
  const json point = shown_after({{"steal_ns", 40'000'000}}, {}).at("points").at(0);
  EXPECT_EQ(point.at("state"), "contended");
  EXPECT_GT(point.at("used_despite").at("stolen").get<int>(), 0);
}

TEST(PlayedLines, PagesThatWereNotToBeHadAreSaid) {
  const json point =
      shown_after({{"pages_reason", "no huge page was free"}}, {"--pages", "hugetlb"}).at("points").at(0);
  EXPECT_EQ(point.at("flags").dump().find("pages-fallback") != std::string::npos, true) << point.at("flags");
}

} // namespace
} // namespace switchscope
