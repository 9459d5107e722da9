// The lines between the worker and the rest, one JSON object each, and the codec for both sides. See docs/protocol.md.
// Decoding is total: any bytes give an event or a DecodeError; unknown fields are ignored, non-finite numbers refused.
#pragma once

#include "engine/model/visit.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace switchscope {

inline constexpr int protocol_version = 1;
inline constexpr std::size_t max_line_bytes = 8u << 20; // `facts` of a machine with hundreds of CPUs is the longest

struct Hello {
  int protocol = protocol_version;
  std::string version;      // of the product, "0.1.0"
  std::string build;        // changes with every change of the worker's code
  std::string architecture; // "x86_64", "aarch64"
  std::vector<std::string> mechanisms;
  std::vector<std::string> kernel_codes; // "scalar", "avx", "unrolled", ...
  friend bool operator==(const Hello&, const Hello&) = default;
};

// The machine's raw facts: what the worker can read from where it stands.
struct Facts {
  std::string hwloc_xml;                    // empty when the topology could not be read
  std::map<std::string, std::string> files; // path under the root -> content (trimmed); absent files are absent
  std::map<std::string, std::string> calls; // what no file tells: uname fields, cpuid strings, limits, affinity
  friend bool operator==(const Facts&, const Facts&) = default;
};

struct Waiting {      // --wait: another measurement holds the machine
  std::string holder; // "root, process 812, CPUs 1, since 2026-11-30T19:22:00Z"
  friend bool operator==(const Waiting&, const Waiting&) = default;
};
struct Ready { // `serve` holds the machine and takes requests
  friend bool operator==(const Ready&, const Ready&) = default;
};
struct BlockLine {
  std::int64_t id = 0; // of the request
  Block block;
  friend bool operator==(const BlockLine&, const BlockLine&) = default;
};
struct Done {
  std::int64_t id = 0;
  VisitReport report;
  friend bool operator==(const Done&, const Done&) = default;
};
struct WorkerError {
  std::int64_t id = 0; // 0: not about a request
  std::string code;
  std::string message;
  friend bool operator==(const WorkerError&, const WorkerError&) = default;
};

// The throughput of one CPU, adds per core cycle: quiet[i] while the other CPU slept, then busy[i] while it spun.
struct SharingSeries {
  int cpu = 0; // the other one
  std::vector<double> quiet;
  std::vector<double> busy; // as many
  // Of the time, in which something else ran on the other CPU. From ticks of 10 ms: may read a little below 0.
  double others_busy_ratio = 0;
  friend bool operator==(const SharingSeries&, const SharingSeries&) = default;
};
struct SharingLine {
  std::int64_t id = 0; // of the request
  int cpu = 0;
  std::vector<SharingSeries> others; // those for which there was time, in the order asked
  friend bool operator==(const SharingLine&, const SharingLine&) = default;
};

using WorkerEvent = std::variant<Hello, Facts, Waiting, Ready, BlockLine, Done, SharingLine, WorkerError>;

struct DecodeError {
  std::string message; // what is wrong, with the start of the line
};

[[nodiscard]] std::string encode(const WorkerEvent&); // one line, no newline at its end
[[nodiscard]] std::variant<WorkerEvent, DecodeError> decode_event(std::string_view line);

// Requests to `serve`: {"id":7,"verb":"switch-cost","argv":["--size","393216",...]} or {"id":8,"verb":"describe"} or
// {"id":9,"verb":"shares","argv":["--cpu","1","--candidates","0"]}.
struct MeasureCommand {
  std::int64_t id = 0; // >= 1
  VisitRequest request;
  friend bool operator==(const MeasureCommand&, const MeasureCommand&) = default;
};
struct DescribeCommand {
  std::int64_t id = 0;
  friend bool operator==(const DescribeCommand&, const DescribeCommand&) = default;
};
// Which of the candidates share a core with `cpu`: `shares --cpu 1 --candidates 0,2 --duration-ns 2000000000`.
struct SharesRequest {
  int cpu = 0;
  std::vector<int> candidates;              // tried in this order, as many as there is time for
  std::int64_t duration_ns = 2'000'000'000; // in all
  friend bool operator==(const SharesRequest&, const SharesRequest&) = default;
};
struct SharesCommand {
  std::int64_t id = 0; // >= 1
  SharesRequest request;
  friend bool operator==(const SharesCommand&, const SharesCommand&) = default;
};
using WorkerCommand = std::variant<MeasureCommand, DescribeCommand, SharesCommand>;
[[nodiscard]] std::int64_t id_of(const WorkerCommand&);

[[nodiscard]] std::string encode(const WorkerCommand&);
[[nodiscard]] std::variant<WorkerCommand, DecodeError> decode_command(std::string_view line);

// A visit as arguments of `switchscope-worker switch-cost`, so that any point can be run by hand. Requests that make no
// sense on any machine are refused here, and nowhere else.
[[nodiscard]] std::vector<std::string> argv_of(const VisitRequest&);
[[nodiscard]] std::variant<VisitRequest, DecodeError> parse_argv(const std::vector<std::string>&);
[[nodiscard]] std::vector<std::string> argv_of(const SharesRequest&);
[[nodiscard]] std::variant<SharesRequest, DecodeError> parse_shares_argv(const std::vector<std::string>&);

} // namespace switchscope
