#include "tests/store/samples.h"

#include <cstdlib>
#include <stdexcept>

namespace switchscope {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "switchscope-store-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder " + name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

namespace {

Environment sample_environment() {
  Environment machine;
  machine.host_name = "lab-7";
  machine.architecture = "x86_64";
  machine.cpu_model = "AMD EPYC 7B13";
  machine.microcode = "0xa001173";
  machine.kernel_release = "6.18.0";
  machine.kernel_version = "#1 SMP PREEMPT_DYNAMIC";
  machine.kernel_command_line = "quiet isolcpus=1";
  machine.hypervisor = "KVM (nested)";
  machine.container = "docker";
  machine.emulation = "qemu-user";
  machine.clock_source = "kvm-clock";
  machine.preemption = "dynamic: full";
  machine.no_hz = "idle";
  machine.paravirt = "KVM PV";
  machine.transparent_huge_pages = "madvise";
  machine.smt = "on";
  machine.boost = "off";
  machine.scaling_driver = "acpi-cpufreq";
  machine.hz = 250;
  machine.rt_period_us = 1'000'000;
  machine.rt_runtime_us = 950'000;
  machine.rt_priority_limit = 99;
  machine.memory_total_bytes = 25'769'803'776;
  machine.memory_available_bytes = 20'000'000'001;
  machine.locked_memory_limit_bytes = 8'388'608;
  machine.hugetlb_free_pages = 3;
  machine.load_1min = 0.37;
  machine.perf_event_paranoid = 2;
  machine.randomize_va_space = 1;
  machine.hardware_counters = "Permission denied";
  machine.package_energy = "only root may read it";
  machine.mitigations = {{"meltdown", "Not affected"}, {"spectre_v2", "Mitigation: Retpolines; IBPB \"conditional\""}};
  machine.versions = {{"switchscope", "0.1.0"}, {"worker build", "9f3c"}};
  Cpu cpu;
  cpu.number = 1;
  cpu.allowed = false;
  cpu.isolated = true;
  cpu.nohz_full = true;
  cpu.core = 2;
  cpu.package = 3;
  cpu.siblings = {1, 4};
  cpu.core_type = "performance";
  cpu.governor = "schedutil";
  cpu.max_ghz = 3.55;
  machine.cpus = {Cpu{}, cpu};
  machine.caches = {Cache{2, "unified", 524'288, 64, {0, 1}, "reported"},
                    Cache{3, "data", 33'554'432, 128, {1}, "entered"}};
  machine.boot_id = "9b0e8a5e-55aa-4b0f-8a2c-6f6f3c1d2e3f";
  machine.topology_xml = "<topology version=\"2.0\">\n  <object type=\"Machine\"/>\n</topology>\n";
  return machine;
}

Plan sample_plan() {
  Plan plan;
  plan.name = "Vorlesung \u00fcber \"Kosten\"";
  plan.preset = "l2-cliff";
  plan.sizes_bytes = {16'384, 393'216};
  plan.strides_bytes = {8, 128};
  plan.accesses = {Access::read, Access::write};
  plan.patterns = {Pattern::strided, Pattern::sparse};
  plan.placements = {Placement{Placement::Kind::two_cpus, 0, 1}, Placement{Placement::Kind::free, -1, -1}};
  plan.pages = {PageMode::transparent_huge, PageMode::hugetlb};
  plan.tasks = {TaskKind::thread};
  plan.kernels = {Kernel::scalar};
  plan.policy = Policy::round_robin;
  plan.budget_s = 61.5;
  plan.precision_ratio = 0.02;
  plan.seed = 18'446'744'073'709'551'615ULL;
  plan.sessions = 3;
  plan.max_added_points = 24;
  plan.edge_points_per_octave = 16;
  plan.extend_to_bytes = 67'108'864;
  plan.session_interval_s = 600.25;
  plan.require = {true, false, true, false};
  return plan;
}

Point other_point() {
  Point point;
  point.array_bytes = 393'216;
  point.stride_bytes = 128;
  point.access = Access::write;
  point.pattern = Pattern::sparse;
  point.tasks = TaskKind::thread;
  point.kernel = Kernel::scalar;
  point.placement = {Placement::Kind::two_cpus, 0, 1};
  point.policy = Policy::round_robin;
  point.pages = PageMode::hugetlb;
  return point;
}

Block sample_block(int pair, Phase phase, int number) {
  Block block;
  block.pair = pair;
  block.phase = phase;
  block.trips = 1000 + number;
  block.elapsed_ns = 4'000'000.123456789 + number;
  block.started_ns = 10'000'000'000'000'000 + number;
  block.before = {3.2 + number, 1.1 + number, 650.01 + number};
  block.after = {3.3 + number, 1.2 + number, 651.02 + number};
  block.expected_switches = 2006 + number;
  if (phase != Phase::baseline_b) block.task_a = TaskCounts{1 + number, 2 + number, 3 + number, 4 + number, 5 + number};
  if (phase != Phase::baseline_a)
    block.task_b = TaskCounts{6 + number, 7 + number, 8 + number, 9 + number, 10 + number};
  return block;
}

} // namespace

Run sample_run(const std::string& id) {
  Run run;
  run.id = id;
  run.name = "evening";
  run.plan = sample_plan();
  Point direct;
  direct.placement = {Placement::Kind::same_cpu, 1, 1};
  direct.policy = Policy::fifo;
  run.points = {direct, other_point()};
  run.left_out = 6;
  run.started_at = "2026-11-30T19:22:00.123Z";
  run.measuring_s = 12.75;
  run.throttle_wait_s = 0.25;
  run.thresholds.contention_gap_ratio = 0.16;
  run.thresholds.stored_levels = {{"0", {2.8, 0}}, {"1", {2.9, 640.5}}};
  run.thresholds.clock_tolerance_ratio = 0.011;
  run.thresholds.stall_ns = 11e6;
  run.thresholds.throttle_band_ratio = 0.21;
  run.thresholds.count_tolerance_ratio = 0.012;
  run.before = sample_environment();
  Session first;
  first.started_at = "2026-11-30T19:22:00.200Z";
  first.finished_at = "2026-11-30T19:22:20.300Z";
  first.measuring_s = 10.5;
  first.throttle_wait_s = 0.25;
  first.before = run.before;
  first.after = run.before;
  Session second;
  second.number = 1;
  second.started_at = "2026-11-30T19:32:00.400Z";
  second.before = run.before;
  second.before.boot_id = "4f1d0c6a-2b6e-4c27-9a53-0d6e2f1f7a11";
  run.sessions = {first, second};
  return run;
}

Visit sample_visit(int sequence, int pairs) {
  Visit visit;
  visit.sequence = sequence;
  visit.point_index = 1;
  visit.pass = sequence;
  visit.attempt = 2;
  visit.session = 1;
  visit.started_at = "2026-11-30T19:22:01.456Z";
  visit.request.point = other_point();
  visit.request.duration_ns = 123'456'789;
  visit.request.min_pairs = 4;
  visit.request.block_ns = 3'999'999;
  visit.request.seed = 18'446'744'073'709'551'614ULL;
  visit.request.max_priority = 49;
  visit.request.l2_bytes = 524'288;
  visit.request.deadline_ns = 9'000'000'000;
  visit.request.counters = true;
  VisitData data;
  VisitReport& report = data.report;
  report.policy = Policy::round_robin;
  report.priority = 48;
  report.pages = PageMode::transparent_huge;
  report.locked = true;
  report.kernel_code = "avx";
  report.policy_reason = "no right to FIFO";
  report.pages_reason = "no huge page was free";
  report.fifo_too_long = true;
  report.clock_source = "tsc";
  report.clock_ghz = 2.4499986;
  report.clock_drift_ppm = -0.25;
  report.steal_ns = -10'000'000;
  report.interrupts = 77;
  report.checksum_ok = true;
  report.memory_tag_ns = 20'123.5;
  report.expected_switches = 5000;
  report.observed_switches_a = 5001;
  report.observed_switches_b = 4999;
  report.counters = {{"cycles", "count", 1e15 + 0.5, 17, 18, 2000, 1000, 1001, 0.25}};
  report.counters_reason = "instructions cannot be counted: \"no\".";
  report.fifo_ns = 101'000'000;
  report.measured_ns = 99'000'000;
  report.total_ns = 140'000'000;
  int number = 0;
  for (int pair = 0; pair < pairs; ++pair) {
    const bool forward = pair % 2 == 0;
    data.blocks.push_back(sample_block(pair, forward ? Phase::baseline_a : Phase::baseline_b, number++));
    data.blocks.push_back(sample_block(pair, Phase::switching, number++));
    data.blocks.push_back(sample_block(pair, forward ? Phase::baseline_b : Phase::baseline_a, number++));
  }
  visit.outcome = data;
  return visit;
}

Visit failed_visit(int sequence) {
  Visit visit = sample_visit(sequence);
  visit.outcome = VisitFailure{"timeout", "The worker did not answer within 2.5 s."};
  return visit;
}

RunEnded sample_end() {
  RunEnded end;
  end.state = RunState::incomplete;
  end.reason = "The worker was missing.";
  end.measuring_s = 31.5;
  end.elapsed_s = 40.25;
  end.throttle_wait_s = 1.125;
  end.finished_at = "2026-11-30T19:23:00.789Z";
  end.after = sample_environment();
  end.after->load_1min = 1.75;
  return end;
}

void store_run(Store& store, const Run& run, int visits) {
  store.append(RunStarted{run});
  for (int sequence = 0; sequence < visits; ++sequence)
    store.append(VisitEnded{sample_visit(sequence), 0.1 * (sequence + 1), std::nullopt});
}

std::string value_in(const std::filesystem::path& path, const std::string& sql) {
  SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
  return database.execAndGet(sql).getString();
}

void change_in(const std::filesystem::path& path, const std::string& sql) {
  SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
  database.exec(sql);
}

} // namespace switchscope
