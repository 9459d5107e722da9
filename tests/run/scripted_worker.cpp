// switchscope-scripted-worker: speaks like switchscope-worker, measures nothing, and misbehaves on request.
//
//   switchscope-scripted-worker [options] serve|describe [whatever a worker is given]
//   switchscope-scripted-worker [--log FILE] --exec-after MS [--then "WORDS"] -- COMMAND...    plays a slow launcher
//
//   --start FAULT      before it is ready: garbage, half-line, endless-line, end, crash, silent, wrong-version, busy,
//                      refused, queued (says that it waits, then is ready), not-ready (greets, then silence)
//   --fault FAULT      during a visit: garbage, half-line, endless-line, end (exit 0 without done), crash, hang,
//                      hang-deaf (and ignores SIGTERM), grandchild (leaves one in its group that holds the pipe),
//                      stray-grandchild (one in a session of its own), error (a worker's error), connection-error,
//                      missing-pair, done-only, wrong-id, flood-errors (1 MiB on standard error, then good),
//                      slow-lines (good, but a line every 100 ms)
//   --held FILE        while FILE exists another measurement holds the machine: busy, or queued where --wait was given
//   --lines FILE       a visit is answered by the next paragraph of FILE (the last one again and again), word for word
//   but
//                      for ID, which becomes that of the visit
//   --at N,M,...       only in these visits, counted from 1 since this process started; default: in all
//   --at-size BYTES    only in visits of this array size
//   --describe-fault FAULT   instead of the facts: any of the visit's faults
//   --delay-start MS   before the first line
//   --counters         the machine says that it has hardware counters (a visit asked to count does so in any case)
//   --noisy-cores      the probe of shared cores cannot tell; else the first candidate shares the core, no other does
//   --real-time        a visit takes its duration; else it is answered at once
//   --simulate N       the costs of simulated machine N (tests/analysis/simulated_machine.h) instead
//   --no-cache-sizes   the machine does not tell its caches
//   --facts FILE       the first line of FILE is the answer to `describe`; else a machine with two CPUs and 512 KiB of
//   L2
//   --log FILE         appends "start", and "visit ARGUMENTS" for each one
//
// Options may also stand in the environment variable SWITCHSCOPE_SCRIPT, separated by blanks. The numbers follow
// `true_total_ns` with 2 % of noise, so a run over them has a known answer.
#include "engine/protocol/messages.h"
#include "engine/run/seeds.h"
#include "tests/analysis/simulated_machine.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <time.h>
#include <unistd.h>

using namespace switchscope;

namespace {

struct Script {
  std::string start_fault;
  std::string visit_fault;
  std::string held_file;
  std::vector<std::string> paragraphs; // of --lines
  bool wait = false;
  std::string describe_fault;
  std::set<int> at;
  std::int64_t at_size = -1;
  long delay_start_ms = 0;
  bool real_time = false;
  bool noisy_cores = false;
  bool has_counters = false;
  std::optional<simulated::Machine> machine;
  bool tells_caches = true;
  std::string facts_file;
  std::string log_file;
  long exec_after_ms = -1;
  std::vector<std::string> then;
  std::vector<std::string> command; // after --
  std::string verb;
};

[[noreturn]] void misuse(const std::string& what) {
  std::cerr << "switchscope-scripted-worker: " << what << '\n';
  std::exit(2);
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::string> paragraphs_of(const std::string& name) {
  std::ifstream file(name);
  if (!file) misuse("cannot read " + name);
  std::vector<std::string> paragraphs(1);
  for (std::string line; std::getline(file, line);)
    if (line.empty())
      paragraphs.emplace_back();
    else
      paragraphs.back() += line + '\n';
  if (paragraphs.back().empty()) paragraphs.pop_back();
  return paragraphs;
}

std::string with_id(std::string text, std::int64_t id) {
  for (auto at = text.find("ID"); at != std::string::npos; at = text.find("ID", at))
    text.replace(at, 2, std::to_string(id));
  return text;
}

Script script_of(std::vector<std::string> words) {
  if (const char* set = std::getenv("SWITCHSCOPE_SCRIPT")) {
    const auto more = words_of(set);
    words.insert(words.begin(), more.begin(), more.end());
  }
  Script script;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto value = [&] {
      return i + 1 < words.size() ? words[++i] : (misuse(word + " needs a value"), std::string());
    };
    if (word == "--start")
      script.start_fault = value();
    else if (word == "--held")
      script.held_file = value();
    else if (word == "--lines")
      script.paragraphs = paragraphs_of(value());
    else if (word == "--fault")
      script.visit_fault = value();
    else if (word == "--describe-fault")
      script.describe_fault = value();
    else if (word == "--at") {
      std::istringstream list(value());
      for (std::string number; std::getline(list, number, ',');) script.at.insert(std::stoi(number));
    } else if (word == "--at-size")
      script.at_size = std::stoll(value());
    else if (word == "--delay-start")
      script.delay_start_ms = std::stol(value());
    else if (word == "--counters")
      script.has_counters = true;
    else if (word == "--noisy-cores")
      script.noisy_cores = true;
    else if (word == "--real-time")
      script.real_time = true;
    else if (word == "--simulate")
      script.machine = simulated::machine_of(std::stoull(value()));
    else if (word == "--no-cache-sizes")
      script.tells_caches = false;
    else if (word == "--facts")
      script.facts_file = value();
    else if (word == "--log")
      script.log_file = value();
    else if (word == "--exec-after")
      script.exec_after_ms = std::stol(value());
    else if (word == "--then")
      script.then = words_of(value());
    else if (word == "--") {
      script.command.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    } else if (word == "serve" || word == "describe") {
      script.verb = word;
      script.wait = std::find(words.begin(), words.end(), "--wait") != words.end();
      break;
    } else
      misuse("unknown word " + word);
  }
  return script;
}

void sleep_ns(std::int64_t ns) {
  timespec left{static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
  while (::nanosleep(&left, &left) != 0) {
  }
}

void note(const Script& script, const std::string& text) {
  if (!script.log_file.empty()) std::ofstream(script.log_file, std::ios::app) << text << '\n';
}

void say(const WorkerEvent& event) {
  std::cout << encode(event) << '\n';
}

// ---- the machine and its numbers ----

Facts facts_of(const Script& script) {
  if (!script.facts_file.empty()) {
    std::ifstream file(script.facts_file);
    std::string line;
    std::getline(file, line);
    const auto decoded = decode_event(line);
    const auto* event = std::get_if<WorkerEvent>(&decoded);
    const auto* facts = event == nullptr ? nullptr : std::get_if<Facts>(event);
    if (facts == nullptr) misuse(script.facts_file + " holds no facts");
    return *facts;
  }
  Facts facts;
  facts.files = {{"/proc/cpuinfo", "processor\t: 0\nmodel name\t: Scripted CPU"},
                 {"/proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 6291456 kB"},
                 {"/proc/sys/kernel/osrelease", "6.1.0-scripted"},
                 {"/proc/sys/kernel/hostname", "scripted"},
                 {"/proc/sys/kernel/sched_rt_period_us", "1000000"},
                 {"/proc/sys/kernel/sched_rt_runtime_us", "950000"},
                 {"/sys/devices/system/cpu/online", "0-1"},
                 {"/sys/devices/system/cpu/present", "0-1"},
                 {"/sys/devices/system/cpu/possible", "0-1"}};
  for (const std::string cpu : {"0", "1"}) {
    const std::string folder = "/sys/devices/system/cpu/cpu" + cpu;
    facts.files[folder + "/topology/core_id"] = cpu;
    facts.files[folder + "/topology/physical_package_id"] = "0";
    facts.files[folder + "/topology/thread_siblings_list"] = cpu;
    const auto cache = [&](const std::string& index, const char* level, const char* type, const char* size) {
      const std::string entry = folder + "/cache/" + index;
      facts.files[entry + "/level"] = level;
      facts.files[entry + "/type"] = type;
      facts.files[entry + "/size"] = size;
      facts.files[entry + "/coherency_line_size"] = "64";
      facts.files[entry + "/shared_cpu_list"] = cpu;
    };
    if (!script.tells_caches) continue;
    const std::int64_t l2_bytes = script.machine ? script.machine->cache_bytes : 512 << 10;
    cache("index0", "1", "Data", "32K");
    cache("index2", "2", "Unified", (std::to_string(l2_bytes >> 10) + "K").c_str());
  }
  facts.calls = {{"recorded", "scripted"}};
  if (script.has_counters) facts.calls["hardware-counters"] = "yes";
  return facts;
}

// 2500 ns per switch; from 256 KiB (half of L2) to 512 KiB the cost of reloading rises to 4000 ns more.
double true_total_ns(std::int64_t array_bytes) {
  const double kib = static_cast<double>(array_bytes) / 1024;
  const double share = kib <= 256 ? 0 : kib >= 512 ? 1 : (kib - 256) / 256;
  return 2500 + 4000 * share;
}

double baseline_ns(const Point& point) {
  return 1100 + static_cast<double>(point.array_bytes) / 64;
}

// Symmetric, within 2 % of 1.
double noise(Randomness& randomness) {
  return 0.98 + 0.04 * static_cast<double>(randomness.below(10001)) / 10000;
}

// Of one visit, before the noise of its blocks.
simulated::Costs costs_of(const Script& script, const VisitRequest& request) {
  const double baseline = baseline_ns(request.point);
  if (!script.machine) return {baseline + true_total_ns(request.point.array_bytes), baseline};
  static simulated::Simulation simulation(*script.machine); // remembers what it has simulated
  simulated::Costs costs = simulation.costs(request.point.array_bytes, request.seed);
  Randomness randomness(mixed(request.seed, 3));
  const double spread = (noise(randomness) - 1) / 0.01; // uniform over -2 .. 2: standard deviation 1.15
  costs.switching_ns *= 1 + script.machine->noise_ratio * spread;
  return costs;
}

Block block_of(const VisitRequest& request, const simulated::Costs& costs, int pair, Phase phase,
               std::int64_t started_ns, Randomness& randomness) {
  const double baseline = costs.baseline_ns;
  const double total = costs.total_ns() * noise(randomness);
  const double per_trip = phase == Phase::switching ? 2 * (baseline + total) : baseline;
  Block block;
  block.pair = pair;
  block.phase = phase;
  block.trips = std::max<std::int64_t>(4, static_cast<std::int64_t>(static_cast<double>(request.block_ns) / per_trip));
  block.elapsed_ns = static_cast<double>(block.trips) * per_trip;
  block.started_ns = started_ns;
  block.before = block.after = Probe{3.2, 3.4, 1000};
  block.expected_switches = phase == Phase::switching ? block.trips + 4 : 0;
  const TaskCounts counts{block.expected_switches, 0, 0, 0, 0};
  if (phase != Phase::baseline_b) block.task_a = counts;
  if (phase != Phase::baseline_a) block.task_b = counts;
  return block;
}

// Cycles at 3.2 GHz without noise, for as long as the true costs; a switch that saves 1.5 misses of the dTLB, counted
// for half of the time; no instructions.
void count_events(const VisitRequest& request, VisitReport& report) {
  const double baseline = baseline_ns(request.point);
  const double total = true_total_ns(request.point.array_bytes);
  constexpr std::int64_t trips = 1000;
  report.counters = {{"cycles", "count", 3.2 * 2 * trips * (baseline + total), 3.2 * trips * baseline,
                      3.2 * trips * baseline, trips, trips, trips, 1},
                     {"dtlb-misses", "count", 2 * trips * 0.5, trips * 1.0, trips * 3.0, trips, trips, trips, 0.5}};
  report.counters_reason = "instructions cannot be counted: the script says so.";
}

void add_paper_round(VisitData& data, const VisitRequest& request, const simulated::Costs& costs,
                     Randomness& randomness, double& clock_ns) {
  for (const Phase phase : {Phase::baseline_a, Phase::switching}) {
    Block block = block_of(request, costs, 0, phase, static_cast<std::int64_t>(clock_ns), randomness);
    block.elapsed_ns *= static_cast<double>(paper_trips) / static_cast<double>(block.trips);
    block.trips = paper_trips;
    block.expected_switches = phase == Phase::switching ? paper_trips + 1 : 0;
    block.task_a = TaskCounts{block.expected_switches, 0, 0, 0, 0};
    block.task_b = phase == Phase::switching ? block.task_a : std::nullopt;
    clock_ns += block.elapsed_ns;
    data.report.expected_switches += block.expected_switches;
    data.blocks.push_back(block);
  }
}

VisitData visit_of(const Script& script, const VisitRequest& request) {
  Randomness randomness(request.seed);
  const simulated::Costs costs = costs_of(script, request);
  VisitData data;
  double clock_ns = 0;
  const bool is_paper = request.point.method == Method::paper;
  if (is_paper) add_paper_round(data, request, costs, randomness, clock_ns);
  for (int pair = 0; !is_paper && (pair < request.min_pairs || clock_ns < static_cast<double>(request.duration_ns));
       ++pair) {
    const auto outer = pair % 2 == 0 ? std::pair{Phase::baseline_a, Phase::baseline_b}
                                     : std::pair{Phase::baseline_b, Phase::baseline_a};
    for (const Phase phase : {outer.first, Phase::switching, outer.second}) {
      data.blocks.push_back(block_of(request, costs, pair, phase, static_cast<std::int64_t>(clock_ns), randomness));
      clock_ns += data.blocks.back().elapsed_ns;
      data.report.expected_switches += data.blocks.back().expected_switches;
    }
  }
  VisitReport& report = data.report;
  report.policy = request.point.policy == Policy::other ? Policy::other : Policy::fifo;
  report.priority = report.policy == Policy::fifo ? (is_paper ? 99 : request.max_priority) : 0;
  report.pages = request.point.pages;
  report.locked = true;
  report.kernel_code = request.point.kernel == Kernel::scalar ? "scalar" : "unrolled";
  if (is_paper) {
    report.kernel_code = "paper";
    report.stalls_ns = {50e6}; // as the kernel's limit on real-time tasks leaves them
  }
  report.clock_source = "monotonic_raw";
  report.clock_ghz = 1;
  report.checksum_ok = true;
  report.observed_switches_a = report.observed_switches_b = report.expected_switches;
  report.measured_ns = report.total_ns = static_cast<std::int64_t>(clock_ns);
  report.fifo_ns = report.policy == Policy::fifo ? report.measured_ns : 0;
  if (request.counters) count_events(request, report);
  return data;
}

// ---- faults ----

[[noreturn]] void hang() {
  std::cout.flush();
  for (;;) ::pause();
}

void leave_grandchild(bool in_own_session) {
  std::cout.flush();
  if (::fork() == 0) {
    if (in_own_session)
      ::setsid();
    else
      ::signal(SIGTERM, SIG_IGN);
    hang();
  }
}

// False: nothing that ends the conversation. Those that are about a request only are played in `answer`.
bool play_common_fault(const std::string& fault) {
  if (fault == "garbage")
    std::cout << "{\"type\":\"block\",\"pair\":-1,\x01 caf\xE9 no json\n";
  else if (fault == "half-line") {
    std::cout << "{\"type\":\"blo";
    std::cout.flush();
    std::_Exit(0);
  } else if (fault == "endless-line") {
    const std::string mebibyte(1u << 20, 'x');
    for (int i = 0; i < 1024; ++i) std::cout << mebibyte;
  } else if (fault == "end") {
    std::cout.flush();
    std::_Exit(0);
  } else if (fault == "crash") {
    std::cerr << "about to crash" << std::endl;
    std::cout.flush();
    ::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
  } else if (fault == "hang" || fault == "silent")
    hang();
  else if (fault == "hang-deaf") {
    ::signal(SIGTERM, SIG_IGN);
    hang();
  } else if (fault == "grandchild" || fault == "stray-grandchild") {
    leave_grandchild(fault == "stray-grandchild");
    std::_Exit(0);
  } else
    return false;
  return true;
}

void answer(const Script& script, const MeasureCommand& command, int number) {
  const VisitRequest& request = command.request;
  const bool here = (script.at.empty() || script.at.count(number) > 0) &&
                    (script.at_size < 0 || script.at_size == request.point.array_bytes);
  if (here && !script.paragraphs.empty()) {
    const auto paragraph = std::min(static_cast<std::size_t>(number), script.paragraphs.size()) - 1;
    std::cout << with_id(script.paragraphs[paragraph], command.id);
    return;
  }
  const std::string fault = here ? script.visit_fault : "";
  if (play_common_fault(fault)) return;
  if (fault == "error") return say(WorkerError{command.id, "memory", "The array does not fit into memory."});
  if (fault == "connection-error") return say(WorkerError{0, "broken", "The worker lost its machine."});
  if (fault == "flood-errors") std::cerr << std::string(1u << 20, 'e') << " the last of it" << std::endl;
  VisitData data = visit_of(script, request);
  if (script.real_time) sleep_ns(data.report.measured_ns);
  if (fault == "missing-pair") data.blocks.erase(data.blocks.begin() + 1);
  if (fault == "done-only") data.blocks.clear();
  for (const auto& block : data.blocks) {
    say(BlockLine{command.id + (fault == "wrong-id" ? 1 : 0), block});
    if (fault == "slow-lines") {
      std::cout.flush();
      sleep_ns(100'000'000);
    }
  }
  say(Done{command.id, data.report});
}

SharingLine sharing_of(const Script& script, const SharesCommand& command) {
  SharingLine line{command.id, command.request.cpu, {}};
  for (const int cpu : command.request.candidates) {
    const double busy = script.noisy_cores ? 3.4 : line.others.empty() ? 1.9 : 3.8;
    line.others.push_back({cpu, std::vector<double>(10, 3.8), std::vector<double>(10, busy), 0});
  }
  return line;
}

void serve(const Script& script) {
  int number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const auto decoded = decode_command(line);
    const auto* command = std::get_if<WorkerCommand>(&decoded);
    if (command == nullptr) {
      say(WorkerError{0, "request", std::get<DecodeError>(decoded).message});
    } else if (const auto* measure = std::get_if<MeasureCommand>(command)) {
      std::string arguments;
      for (const auto& word : argv_of(measure->request)) arguments += " " + word;
      note(script, "visit" + arguments);
      answer(script, *measure, ++number);
    } else if (const auto* shares = std::get_if<SharesCommand>(command)) {
      say(sharing_of(script, *shares));
    } else if (!play_common_fault(script.describe_fault)) {
      say(facts_of(script));
    }
    std::cout.flush();
  }
}

} // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const Script script = script_of({argv + 1, argv + argc});
  if (script.exec_after_ms >= 0) {
    note(script, "launch");
    sleep_ns(script.exec_after_ms * 1'000'000);
    std::vector<std::string> words = script.command;
    words.insert(words.end(), script.then.begin(), script.then.end());
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execvp(pointers[0], pointers.data());
    misuse("cannot execute " + words.front() + ": " + std::strerror(errno));
  }
  if (script.verb.empty()) misuse("neither serve nor describe");
  note(script, "start");
  sleep_ns(script.delay_start_ms * 1'000'000);
  std::string fault = script.start_fault;
  if (!script.held_file.empty() && std::ifstream(script.held_file)) fault = script.wait ? "queued" : "busy";
  if (play_common_fault(fault)) {
    std::cout.flush();
    hang();
  }
  say(Hello{fault == "wrong-version" ? protocol_version + 1 : protocol_version,
            "0.0.0-scripted",
            "scripted",
            "x86_64",
            {"pipe"},
            {"scalar", "unrolled"}});
  if (script.verb == "describe") {
    say(facts_of(script));
    return 0;
  }
  if (fault == "busy" || fault == "refused") {
    say(WorkerError{0, fault == "busy" ? "busy" : "permission",
                    fault == "busy" ? "Another measurement holds this machine: root, process 812, CPUs 1."
                                    : "This worker may not measure here."});
    return 3;
  }
  if (fault == "queued") say(Waiting{"root, process 812, CPUs 1, since 2026-11-30T19:22:00Z"});
  if (fault == "not-ready") hang();
  say(Ready{});
  std::cout.flush();
  serve(script);
  return 0;
}
