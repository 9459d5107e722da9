// The adaptive sweep and the cliff finder through the real program, on simulated machines whose truth is known.
#include "tests/analysis/simulated_machine.h"
#include "tests/cli/scripted.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace switchscope {
namespace {

using nlohmann::json;

// Without a real-time policy no throttle account makes it wait; it ends when all is precise, or after 20 s on a machine
// that is busy.
std::vector<std::string> sweep(const std::string& preset, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"run",   "--preset", preset,       "--access", "rmw", "--policy",
                                     "other", "--seed",   "7",          "--budget", "20s", "--precision",
                                     "20%",   "--json",   "--progress", "plain"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::set<std::int64_t> sizes_of(const json& document) {
  std::set<std::int64_t> sizes;
  for (const auto& point : document.at("points"))
    if (point.at("array_bytes") > 0) sizes.insert(point.at("array_bytes").get<std::int64_t>());
  return sizes;
}

std::size_t planned_sizes(const json& document) {
  return document.at("run").at("plan").at("sizes_bytes").size();
}

// Where the cost without noise leaves the direct cost by a tenth of its rise.
double true_begin_bytes(const simulated::Machine& machine) {
  simulated::Simulation simulation(machine);
  std::vector<std::pair<double, double>> curve;
  double peak = 0;
  for (double bytes = static_cast<double>(machine.cache_bytes) / 16;
       bytes < 2.0 * static_cast<double>(machine.cache_bytes); bytes *= 1.02) {
    curve.emplace_back(bytes, simulation.mean_total_ns(std::llround(bytes / 64) * 64));
    peak = std::max(peak, curve.back().second);
  }
  const double level = machine.direct_ns + 0.1 * (peak - machine.direct_ns);
  return std::find_if(curve.begin(), curve.end(), [level](const auto& at) { return at.second >= level; })->first;
}

class SimulatedSweep : public testing::TestWithParam<int> {};

TEST_P(SimulatedSweep, FindsTheCliffOfItsCache) {
  const Scripted scripted;
  const auto machine = simulated::machine_of(static_cast<std::uint64_t>(GetParam()));
  const Ended ended = scripted.cli(sweep("l2-cliff"), "--simulate " + std::to_string(GetParam()));
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const json document = json::parse(ended.out);
  const auto sizes = sizes_of(document);
  EXPECT_GT(sizes.size(), planned_sizes(document)); // some were added
  EXPECT_LE(sizes.size(), planned_sizes(document) + 16);

  ASSERT_EQ(document.at("cliffs").size(), 1u);
  const auto& cliff = document.at("cliffs").at(0);
  EXPECT_EQ(cliff.at("level"), "L2");
  EXPECT_EQ(cliff.at("cache_bytes"), machine.cache_bytes);
  EXPECT_LT(cliff.at("step_low_ns"), cliff.at("step_high_ns"));
  // The true edge lies in the gap after `from`, or in one beside it.
  auto above = sizes.upper_bound(cliff.at("from_bytes").get<std::int64_t>());
  auto low = std::prev(above);
  if (low != sizes.begin()) --low;
  if (std::next(above) != sizes.end()) ++above;
  const double truth = true_begin_bytes(machine);
  EXPECT_GE(truth, static_cast<double>(*low));
  EXPECT_LE(truth, static_cast<double>(*above));
}

// Quiet ones: both policies of replacement and of pages, 512 KiB to 3 MiB. Noisy ones are swept in process, because
// they take hundreds of visits; tests/analysis has a hundred of all kinds.
INSTANTIATE_TEST_SUITE_P(Machine, SimulatedSweep, testing::Values(4, 7, 16, 18, 19));

TEST(AdaptiveSweep, IsShownStoredAndToldInEvents) {
  const Scripted scripted;
  auto arguments = sweep("quick", {"--events", "--name", "grown"});
  arguments.erase(std::find(arguments.begin(), arguments.end(), "--json"));
  const Ended ended = scripted.cli(arguments, "--simulate 2");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_NE(ended.out.find("\"event\":\"points-added\""), std::string::npos);
  const Ended shown = scripted.cli({"show", "grown"});
  EXPECT_NE(shown.out.find("The cost rises by "), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find(": the L2 cache of "), std::string::npos) << shown.out;
  const Ended plot = scripted.cli({"show", "grown", "--plot"});
  EXPECT_NE(plot.out.find("Double floor: "), std::string::npos) << plot.out;
  EXPECT_EQ(scripted.cli({"verify"}).exit_code, 0);
}

TEST(AdaptiveSweep, GoesOnUntilACliffWhereNoSizeIsKnown) {
  const Scripted scripted; // a machine with a cache above the sweep's first reach
  int number = 1;
  while (simulated::machine_of(static_cast<std::uint64_t>(number)).cache_bytes < 3 << 20) ++number;
  const Ended ended = scripted.cli(sweep("quick"), "--no-cache-sizes --simulate " + std::to_string(number));
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const json document = json::parse(ended.out);
  ASSERT_FALSE(document.at("cliffs").empty());
  EXPECT_EQ(document.at("cliffs").at(0).at("level"), nullptr);
  EXPECT_FALSE(document.at("cliffs").at(0).at("reasons").empty());
  EXPECT_LT(*sizes_of(document).rbegin(), 64 << 20);
}

TEST(AdaptiveSweep, AddsNothingToTheUsersOwnSizesUnlessAsked) {
  const Scripted scripted;
  const std::vector<std::string> own{"--size", "64KiB..1MiB"};
  const json plain = json::parse(scripted.cli(sweep("l2-cliff", own), "--simulate 19").out);
  EXPECT_EQ(sizes_of(plain).size(), planned_sizes(plain));
  const json asked =
      json::parse(scripted.cli(sweep("l2-cliff", {"--size", "64KiB..1MiB", "--add-points", "3"}), "--simulate 19").out);
  EXPECT_EQ(sizes_of(asked).size(), planned_sizes(asked) + 3);
  const json none = json::parse(scripted.cli(sweep("quick", {"--add-points", "0"}), "--simulate 19").out);
  EXPECT_EQ(sizes_of(none).size(), planned_sizes(none));
}

TEST(AdaptiveSweep, SaysThatNoCliffWasSeen) {
  const Scripted scripted; // 2.5 us up to 256 KiB
  auto arguments = sweep("quick", {"--size", "16KiB..128KiB:2"});
  arguments.erase(std::find(arguments.begin(), arguments.end(), "--json"));
  const Ended ended = scripted.cli(arguments);
  EXPECT_NE(ended.out.find("No cliff seen."), std::string::npos) << ended.out;
}

} // namespace
} // namespace switchscope
