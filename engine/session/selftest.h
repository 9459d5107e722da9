// The instrument against what is known beforehand: S2 against S2 must differ by 0, and time added to every switch must
// come back. The plan and the judgement are pure; run_selftest puts a machine between them.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/instrument_check.h"
#include "engine/model/run.h"
#include "engine/run/run_clock.h"
#include "engine/run/worker_link.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace switchscope {

inline constexpr std::array<std::int64_t, 3> selftest_additions_ns{250, 1'000, 4'000};
inline constexpr double selftest_s = 9; // of measuring; opening the worker and describing the machine take the rest
inline constexpr int selftest_perf_turns = 6;
inline constexpr int selftest_rounds_needed = 8;       // fewer clean ones: all pairs are used; fewer in all: too noisy
inline constexpr double selftest_verdict_level = 0.99; // of each of the checks: about 0.95 of all together

struct SelftestSetup {
  Environment environment;
  std::string worker_build;
  int cpu = 0;
  std::uint64_t seed = 1;
  Thresholds thresholds; // with the CPU's stored level where one is known
  double seconds = selftest_s;
};

// The visits of a round: S2 against S2, the additions, and the addition of 0 ns that they are compared with; in an
// order of its own.
[[nodiscard]] std::vector<VisitRequest> selftest_round(const SelftestSetup&, int round);
// The visit that is compared with perf.
[[nodiscard]] VisitRequest perf_turn_request(const SelftestSetup&, int turn);

struct SelftestVisit {
  int round = 0; // of a turn with perf: -1
  VisitRequest request;
  VisitOutcome outcome;
};
struct PerfTurn {
  double ours_ns = 0; // per switch
  double perf_ns = 0; // per switch
};
struct SelftestMeasured {
  std::string taken_at;
  double seconds = 0;
  std::vector<SelftestVisit> visits;
  std::vector<PerfTurn> perf_turns;
  std::string perf_absent; // a sentence: why there are no (more) turns
};

[[nodiscard]] InstrumentCheck judge_selftest(const SelftestSetup&, const SelftestMeasured&);

// One run of perf: ns per switch, or the sentence why it did not run.
using PerfAnswer = std::variant<double, std::string>;
using PerfRun = std::function<PerfAnswer(int cpu, Policy, int priority)>;
using SelftestSink = std::function<void(int round, double elapsed_s)>; // after each round

// The link must be open. Stopped by the flag, it returns what was measured so far. Throws WorkerProblem.
[[nodiscard]] SelftestMeasured run_selftest(const SelftestSetup&, WorkerLink&, const PerfRun&, const SelftestSink&,
                                            const StopFlag&, RunClock&);

} // namespace switchscope
