// One worker process measuring one point once: what was asked of it, and what came back.
#pragma once

#include "engine/model/block.h"
#include "engine/model/point.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace switchscope {

// What a visit measures. The last two are for the selftest, without data (array_bytes 0).
enum class VisitKind {
  cost,
  baseline_only,  // in place of S1 both tasks move as many bytes through their own pipes: the difference must be 0
  known_addition, // each task also spins `added_ns` in each of its turns in S1: the difference to 0 must be that
};
template <> struct Names<VisitKind> {
  static constexpr std::array table{std::pair{VisitKind::cost, "cost"},
                                    std::pair{VisitKind::baseline_only, "baseline-only"},
                                    std::pair{VisitKind::known_addition, "known-addition"}};
};

inline constexpr std::int64_t max_added_ns = 999'999;

struct VisitRequest {
  Point point;
  std::int64_t duration_ns = 100'000'000; // the visit measures at least this long, and at least `min_pairs` pairs
  int min_pairs = 3;
  std::int64_t block_ns = 4'000'000; // length aimed at for the S1 block; 2..10 ms
  std::uint64_t seed = 1;            // jitter of block lengths, +-20 %
  int max_priority = 50;             // real-time priority asked; lowered to RLIMIT_RTPRIO where that is all there is
  std::int64_t l2_bytes = 0;         // for the memory tag (half of it is re-traversed once a visit); 0: no tag
  std::int64_t deadline_ns = 0;      // tasks end themselves after this long; 0: the worker's own, from its pilot
  bool counters = false; // also count events and energy around each phase; that disturbs the times, so no estimate of
                         // time comes from such a visit
  VisitKind kind = VisitKind::cost;
  std::int64_t added_ns = 0; // per switch; 0..max_added_ns, 0 unless the kind is known_addition
  friend bool operator==(const VisitRequest&, const VisitRequest&) = default;
};

// What one event added up to over the phases of a visit. Its windows hold whole trips only, discarded ones included.
struct CounterReading {
  std::string name;      // "cycles", "instructions", "cache-misses", "dtlb-misses", "context-switches"; with ":u" where
                         // only user mode could be counted; "package-joules"
  std::string unit;      // "count", or "J"
  double switching = 0;  // of both tasks, over `round_trips`
  double baseline_a = 0; // of task A, over `trips_a`
  double baseline_b = 0; // of task B, over `trips_b`
  std::int64_t round_trips = 0;
  std::int64_t trips_a = 0;
  std::int64_t trips_b = 0;
  double scheduled_share = 1; // of the phases' time in which the event was counted; below 1 the kernel shared out too
                              // few counters, and the three sums are scaled up by it
  friend bool operator==(const CounterReading&, const CounterReading&) = default;
};
// A visit by the paper's method is one round: pair 0 with S2A and S1 of this many trips each, and no S2B. Of the
// request it uses the point, the seed and the deadline; its priority is the highest that is allowed.
inline constexpr std::int64_t paper_trips = 10'000;
inline constexpr int paper_rounds = 3; // of each point in a session

// The conditions that were in force, and the proof of count, for the whole visit.
struct VisitReport {
  // asked and obtained
  Policy policy = Policy::other; // fifo, round_robin or other
  int priority = 0;              // 0 under SCHED_OTHER
  PageMode pages = PageMode::base_4k;
  bool locked = false;        // mlock succeeded
  std::string kernel_code;    // the loop that ran: "scalar", "avx", "unrolled", "paper"
  std::string policy_reason;  // why the policy is not the one asked; empty when it is
  std::string pages_reason;   // likewise
  bool fifo_too_long = false; // a pair exceeds 400 ms, or what the kernel lets real-time tasks have of a period,
                              // so it ran under SCHED_OTHER
  // clock
  std::string clock_source;   // "tsc", "cntvct" or "monotonic_raw"
  double clock_ghz = 0;       // counter ticks per ns over the visit, against CLOCK_MONOTONIC_RAW at both ends
  double clock_drift_ppm = 0; // rate of the second half against the first
  // what happened around it, per measured CPU
  std::int64_t steal_ns = 0; // may be negative: some hypervisors' counters run backwards; kept as read
  std::int64_t interrupts =
      0; // of the measured CPUs, by /proc/interrupts; negative where a device went or a count wrapped
  // The paper's method: by how much stretches of a block took longer than that block's median stretch, where that is
  // more than 5 ms and a fifth of it. Such blocks take seconds, so a pause cannot be told from their length.
  std::vector<double> stalls_ns;
  bool checksum_ok = false;            // every element holds what the traversals must have left
  std::optional<double> memory_tag_ns; // one re-traversal of L2/2; absent without l2_bytes
  // Of a visit with a known addition: mean time of a spin, one per switch, by the clock that timed it. A clock reading
  // takes 10 to 30 ns, so a spin is a little longer than asked. Spins longer by more than 100 us are left out.
  std::optional<double> spun_ns;
  // proof of count, whole visit: switches in S1 phases, per task
  std::int64_t expected_switches = 0;
  std::int64_t observed_switches_a = 0;
  std::int64_t observed_switches_b = 0;
  // of a visit that counts
  std::vector<CounterReading> counters;
  std::string counters_reason; // a line each: what could not be counted, why, and what changes it; empty when all was
  // time account
  std::int64_t fifo_ns = 0;     // time spent with real-time policy, for the throttle account
  std::int64_t measured_ns = 0; // sum of all timed blocks
  std::int64_t total_ns = 0;    // from the request to the last line
  friend bool operator==(const VisitReport&, const VisitReport&) = default;
};

struct VisitData {
  VisitReport report;
  std::vector<Block> blocks; // complete pairs only; of the paper's method S2A and S1 of pair 0
  friend bool operator==(const VisitData&, const VisitData&) = default;
};

struct VisitFailure {
  std::string code;    // "busy", "policy", "memory", "crashed", "timeout", "garbage", ... see docs/protocol.md
  std::string message; // one sentence
  friend bool operator==(const VisitFailure&, const VisitFailure&) = default;
};

struct Visit {
  int sequence = 0;    // 0, 1, 2, ... in the order measured, over the whole run and its resumptions
  int point_index = 0; // into the run's points
  int pass = 0;
  int attempt = 0; // 0: the first try; a failed visit is retried twice
  int session = 0;
  std::string started_at; // UTC, "2026-11-30T19:22:00.123Z"
  VisitRequest request;
  std::variant<VisitData, VisitFailure> outcome;

  [[nodiscard]] const VisitData* data() const { return std::get_if<VisitData>(&outcome); }
  [[nodiscard]] const VisitFailure* failure() const { return std::get_if<VisitFailure>(&outcome); }
  friend bool operator==(const Visit&, const Visit&) = default;
};

} // namespace switchscope
