// Values in which no field has its default, so that a field lost on the way shows.
#pragma once

#include "engine/model/instrument_check.h"
#include "engine/model/run_event.h"
#include "engine/protocol/messages.h"

namespace switchscope::samples {

inline Point point() {
  return {393'216,         128,
          Access::write,   Pattern::sparse,
          Mechanism::pipe, TaskKind::thread,
          Kernel::scalar,  {Placement::Kind::two_cpus, 0, 1},
          Policy::fifo,    PageMode::transparent_huge};
}

// The one field whose other value forbids some of the above.
inline Point paper_point() {
  Point paper = point();
  paper.pattern = Pattern::strided;
  paper.tasks = TaskKind::process;
  paper.method = Method::paper;
  return paper;
}

inline VisitRequest request() {
  return {point(), 150'000'000, 4, 3'000'000, 18'446'744'073'709'551'615u,
          49,      524'288,     7, true,      VisitKind::known_addition,
          250};
}

inline VisitReport report() {
  VisitReport report;
  report.policy = Policy::round_robin;
  report.priority = 48;
  report.pages = PageMode::hugetlb;
  report.locked = true;
  report.kernel_code = "avx";
  report.policy_reason = "SCHED_FIFO was refused: operation not permitted";
  report.pages_reason = "no huge page was free";
  report.fifo_too_long = true;
  report.clock_source = "tsc";
  report.clock_ghz = 2.4499999999999997;
  report.clock_drift_ppm = -0.125;
  report.steal_ns = -10'000'000;
  report.interrupts = -51; // a device went
  report.stalls_ns = {26'842'996.75, 50'000'000};
  report.checksum_ok = true;
  report.memory_tag_ns = 21'333.1;
  report.spun_ns = 1003.25;
  report.expected_switches = 4001;
  report.observed_switches_a = 4002;
  report.observed_switches_b = 4003;
  report.counters = {{"dtlb-misses:u", "count", 4001.5, 17, 18.25, 2000, 1000, 1001, 0.5}};
  report.counters_reason = "cycles cannot be counted: this processor offers no such counter.";
  report.fifo_ns = 99'000'001;
  report.measured_ns = 98'000'002;
  report.total_ns = 120'000'003;
  return report;
}

inline InstrumentCheck instrument_check() {
  InstrumentCheck check;
  check.taken_at = "2026-11-30T19:22:00.123Z";
  check.cpu = 1;
  check.worker_build = "0123456789abcdef";
  check.policy = Policy::fifo;
  check.priority = 50;
  check.seconds = 8.9;
  check.seed = 7;
  check.clean = true;
  check.contention_known = true;
  check.contended_share = 0.125;
  check.failed_visits = 1;
  check.last_failure = "Task B ended.";
  check.checks = {{1000, 1000.5, 998.25, 986, 1010, 981, 1015, 5, 100, 23, CheckVerdict::passed}};
  check.count = {4000, 4001, 3999, 20'000, 1, true};
  check.perf = PerfComparison{2262, 2317, 0.977, 0.974, 0.99, 6};
  check.perf_absent = "perf is not installed.";
  check.verdict = CheckVerdict::failed;
  return check;
}

inline Block block() {
  return {2,
          Phase::baseline_b,
          1234,
          4'000'123.5,
          77'000'001,
          {3.2, 3.35, 1187.25},
          {3.1999999999999997, 1.6, 1450},
          11,
          TaskCounts{1, 2, 3, 4, 5},
          TaskCounts{6, 7, 8, 9, 10}};
}
inline Block lone_block() {
  Block lone = block();
  lone.phase = Phase::switching;
  lone.task_b.reset();
  return lone;
}

inline Visit visit() {
  return {12, 3, 2, 1, 4, "2026-11-30T19:22:00.123Z", request(), VisitData{report(), {block(), lone_block()}}};
}
inline Visit failed_visit() {
  Visit failed = visit();
  failed.outcome = VisitFailure{"memory", "The array of 10 TiB does not fit."};
  return failed;
}

inline Environment environment() {
  Environment e;
  e.host_name = "bench";
  e.architecture = "x86_64";
  e.cpu_model = "AMD EPYC 7763";
  e.microcode = "0xa0011d5";
  e.kernel_release = "6.1.0-18-amd64";
  e.kernel_version = "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1";
  e.kernel_command_line = "root=/dev/vda1 \"quoted\" \xc2\xb5";
  e.hypervisor = "KVM (nested)";
  e.container = "docker";
  e.emulation = "qemu-user";
  e.clock_source = "kvm-clock";
  e.preemption = "voluntary";
  e.no_hz = "idle";
  e.paravirt = "steal clock";
  e.transparent_huge_pages = "madvise";
  e.smt = "on";
  e.boost = "off";
  e.scaling_driver = "acpi-cpufreq";
  e.power = "battery";
  e.real_time = "Operation not permitted";
  e.hz = 250;
  e.rt_period_us = 1'000'000;
  e.rt_runtime_us = -1;
  e.rt_priority_limit = 99;
  e.rt_group_runtime_us = 950'000;
  e.booted_at_s = 1'764'500'000;
  e.memory_total_bytes = 8'000'000'000;
  e.memory_available_bytes = 7'000'000'000;
  e.locked_memory_limit_bytes = 8'388'608;
  e.hugetlb_free_pages = 2;
  e.load_1min = 0.25;
  e.perf_event_paranoid = -1;
  e.randomize_va_space = 2;
  e.hardware_counters = "No such file or directory";
  e.package_energy = "yes";
  e.mitigations = {{"meltdown", "Not affected"}, {"retbleed", "Mitigation: untrained return thunk"}};
  e.versions = {{"switchscope", "0.1.0"}, {"worker", "0.1.0"}};
  e.cpus = {{1, false, false, true, true, 4, 5, {0, 1}, "efficient", "performance", 3.5, 0.25, 0.005, 250.5}};
  e.caches = {{2, "unified", 524'288, 128, {0, 1}, "reported"}};
  e.core_sharing = {{1, "2026-11-30T19:20:00.000Z", {{0, Sharing::shares, 3.75, 1.875, 12}}, 2}};
  e.translation = {{2, "unified", 2048, 4096}};
  e.topology_xml = "<topology/>\n";
  e.boot_id = "4f1d0c6a-2b6e-4c27-9a53-0d6e2f1f7a11";
  return e;
}

inline Plan plan() {
  Plan p;
  p.name = "first";
  p.preset = "l2-cliff";
  p.sizes_bytes = {16'384, 393'216};
  p.strides_bytes = {8, 128};
  p.accesses = {Access::read, Access::write};
  p.patterns = {Pattern::sparse, Pattern::random};
  p.placements = {
      {Placement::Kind::same_cpu, 1, 1}, {Placement::Kind::two_cpus, 0, 1}, {Placement::Kind::free, -1, -1}};
  p.pages = {PageMode::hugetlb};
  p.mechanisms = {Mechanism::pipe};
  p.tasks = {TaskKind::thread, TaskKind::process};
  p.kernels = {Kernel::scalar};
  p.policy = Policy::other;
  p.methods = {Method::paper, Method::paired};
  p.budget_s = 12.5;
  p.precision_ratio = 0.02;
  p.seed = 9'007'199'254'740'993;
  p.sessions = 3;
  p.session_interval_s = 600;
  p.max_added_points = 24;
  p.edge_points_per_octave = 16;
  p.extend_to_bytes = 67'108'864;
  p.require = {true, true, true, true};
  return p;
}

inline Thresholds thresholds() {
  return {0.2, {{"0", {2.5, 1200.5}}, {"1", {2.75, 0}}}, 0.02, 9e6, 0.25, 0.03};
}

inline Run run() {
  Run r;
  r.id = "01hgw2bq7x000000000000000a";
  r.name = "first";
  r.state = RunState::incomplete;
  r.plan = plan();
  r.points = {direct_point_of(point()), point(), paper_point()};
  r.left_out = 6;
  r.started_at = "2026-11-30T19:22:00.123Z";
  r.finished_at = "2026-11-30T19:23:00.456Z";
  r.measuring_s = 59.5;
  r.throttle_wait_s = 0.5;
  r.thresholds = thresholds();
  r.before = environment();
  r.after = environment();
  r.sessions = {{0, "2026-11-30T19:22:00.123Z", "2026-11-30T19:22:30.123Z", 29.5, 0.25, environment(), environment()},
                {1, "2026-11-30T19:22:30.123Z", std::nullopt, 30, 0.25, environment(), std::nullopt}};
  return r;
}

inline std::vector<WorkerEvent> worker_events() {
  return {
      Hello{protocol_version, "0.1.0", "c1c355a", "x86_64", {"pipe"}, {"scalar", "avx", "unrolled"}},
      Facts{"<topology/>\n", {{"proc/cpuinfo", "processor\t: 0"}, {"sys/kernel/realtime", "1"}}, {{"uname -r", "6.1"}}},
      Waiting{"root, process 812, CPUs 1, since 2026-11-30T19:22:00Z"},
      Ready{},
      BlockLine{7, block()},
      BlockLine{7, lone_block()},
      Done{7, report()},
      SharingLine{9, 1, {{0, {3.75, 3.8}, {1.875, 1.9}, -0.01}, {2, {}, {}, 0}}},
      WorkerError{0, "busy", "Another measurement holds this machine."}};
}

// As request(), but one that can be measured: with data nothing is added.
inline VisitRequest cost_request() {
  VisitRequest cost = request();
  cost.kind = VisitKind::cost;
  cost.added_ns = 0;
  return cost;
}

inline std::vector<WorkerCommand> worker_commands() {
  VisitRequest plain;
  plain.point.placement = {Placement::Kind::same_cpu, 1, 1};
  return {MeasureCommand{7, cost_request()}, MeasureCommand{9'223'372'036'854'775'807, plain}, DescribeCommand{8},
          SharesCommand{9, {1, {0, 2}, 1'000'000'000}}};
}

inline std::vector<RunEvent> run_events() {
  Run fresh = run();
  fresh.finished_at.reset();
  fresh.after.reset();
  return {
      RunStarted{run()},
      RunStarted{fresh, environment()},
      SessionWaiting{1, 3, 200.5},
      SessionStarted{run().sessions.back(), 3},
      VisitStarted{12, 3, 2, 1},
      VisitEnded{visit(), 31.5, 58.5, 0.25, 1.5, 0.125},
      VisitEnded{failed_visit(), 1.75, std::nullopt},
      PassEnded{2, 11, 1, 1},
      PointsAdded{2, {point()}},
      SessionEnded{run().sessions.front()},
      RunEnded{RunState::cancelled, "You stopped it.", 59.5, 63.25, 0.5, "2026-11-30T19:23:00.456Z", environment()}};
}

} // namespace switchscope::samples
