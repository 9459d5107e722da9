// What a selftest found on one CPU of one machine: whether the instrument reads what is known beforehand.
#pragma once

#include "engine/model/names.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace switchscope {

enum class CheckVerdict { passed, failed, too_noisy };
template <> struct Names<CheckVerdict> {
  static constexpr std::array table{std::pair{CheckVerdict::passed, "passed"},
                                    std::pair{CheckVerdict::failed, "failed"},
                                    std::pair{CheckVerdict::too_noisy, "too-noisy"}};
};

// What was known, and what the instrument read. Over rounds; each round measures all checks once, in a shuffled order.
struct KnownCheck {
  std::int64_t added_ns = 0; // to every switch; 0: no switch at all, S2 in place of S1
  double spun_ns = 0;        // what the tasks really spun for it, by their own clock; read_ns is corrected to added_ns
  double read_ns = 0;
  double low_ns = 0; // 95 % interval
  double high_ns = 0;
  double verdict_low_ns = 0; // interval of the verdict, wide enough for all checks together: docs/measurement.md
  double verdict_high_ns = 0;
  double tolerance_ns = 0; // failed: the whole interval of the verdict is further than this from what was added
  double allowed_half_width_ns = 0; // a wider interval of the verdict tells nothing
  int rounds = 0;                   // fewer than 4: no intervals, low and high are the range
  CheckVerdict verdict = CheckVerdict::too_noisy;
  friend bool operator==(const KnownCheck&, const KnownCheck&) = default;
};

// Switches that the kernel counted, over all visits that switch. In S2 a task must not switch of its own will.
struct CountProof {
  std::int64_t expected_per_task = 0;
  std::int64_t observed_a = 0;
  std::int64_t observed_b = 0;
  std::int64_t baseline_trips = 0;
  std::int64_t baseline_switches = 0;
  bool holds = false; // within the tolerance of every run
  friend bool operator==(const CountProof&, const CountProof&) = default;
};

// `perf bench sched pipe` beside our switching_per_switch_ns at D = 0, in turn, under the same policy on the same CPU.
struct PerfComparison {
  double ours_ns = 0; // medians of the turns, per switch
  double perf_ns = 0; // half of its us/op
  double ratio = 0;   // median of the turns' ours / perf
  double lowest_ratio = 0;
  double highest_ratio = 0;
  int turns = 0;
  friend bool operator==(const PerfComparison&, const PerfComparison&) = default;
};

struct InstrumentCheck {
  std::string taken_at; // UTC
  int cpu = 0;
  std::string worker_build;
  Policy policy = Policy::other; // obtained
  int priority = 0;
  double seconds = 0;
  std::uint64_t seed = 1;
  bool clean = false; // else a neighbour was busy too often, and all pairs are used
  bool contention_known =
      false;                  // else its probes showed one level only: a busy neighbour was not told, and not set aside
  double contended_share = 0; // of all probes, 0..1
  int failed_visits = 0;
  std::string last_failure; // its sentence; empty without any
  std::vector<KnownCheck> checks;
  CountProof count;
  std::optional<PerfComparison> perf;
  std::string perf_absent; // a sentence, when there is no comparison
  CheckVerdict verdict = CheckVerdict::too_noisy;
  friend bool operator==(const InstrumentCheck&, const InstrumentCheck&) = default;
};

} // namespace switchscope
