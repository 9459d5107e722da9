// The fields of the model's values, one list each, for the Writer and the Reader of fields.h.
#pragma once

#include "engine/model/instrument_check.h"
#include "engine/model/run_event.h"
#include "engine/protocol/fields.h"

namespace switchscope {

template <class Io> void fields_of(Io& io, Of<Probe> auto& probe) {
  io("clock_adds_per_ns", probe.clock_adds_per_ns, not_negative);
  io("adds_per_cycle", probe.adds_per_cycle, not_negative);
  io("self_pipe_ns", probe.self_pipe_ns, not_negative);
}

template <class Io> void fields_of(Io& io, Of<TaskCounts> auto& counts) {
  io("voluntary_switches", counts.voluntary_switches, not_negative);
  io("involuntary_switches", counts.involuntary_switches, not_negative);
  io("minor_faults", counts.minor_faults, not_negative);
  io("major_faults", counts.major_faults, not_negative);
  io("migrations", counts.migrations, not_negative);
}

template <class Io> void fields_of(Io& io, Of<Block> auto& block) {
  io("pair", block.pair, not_negative);
  io("phase", block.phase);
  io("trips", block.trips, at_least_one);
  io("elapsed_ns", block.elapsed_ns, above_zero);
  io("started_ns", block.started_ns, not_negative);
  io("before", block.before);
  io("after", block.after);
  io("expected_switches", block.expected_switches, not_negative);
  io("task_a", block.task_a);
  io("task_b", block.task_b);
}

template <class Io> void fields_of(Io& io, Of<Point> auto& point) {
  io("array_bytes", point.array_bytes, not_negative);
  io("stride_bytes", point.stride_bytes, not_negative);
  io("access", point.access);
  io("pattern", point.pattern);
  io("mechanism", point.mechanism);
  io("tasks", point.tasks);
  io("kernel", point.kernel);
  io("placement", point.placement);
  io("policy", point.policy);
  io("pages", point.pages);
  io("method", point.method);
}

template <class Io> void fields_of(Io& io, Of<VisitRequest> auto& request) {
  io("point", request.point);
  io("duration_ns", request.duration_ns, at_least_one);
  io("min_pairs", request.min_pairs, at_least_one);
  io("block_ns", request.block_ns, at_least_one);
  io("seed", request.seed);
  io("max_priority", request.max_priority, not_negative);
  io("l2_bytes", request.l2_bytes, not_negative);
  io("deadline_ns", request.deadline_ns, not_negative);
  io("counters", request.counters);
  io("kind", request.kind);
  io("added_ns", request.added_ns, not_negative);
}

template <class Io> void fields_of(Io& io, Of<CounterReading> auto& reading) {
  io("name", reading.name);
  io("unit", reading.unit);
  io("switching", reading.switching);
  io("baseline_a", reading.baseline_a);
  io("baseline_b", reading.baseline_b);
  io("round_trips", reading.round_trips, at_least_one);
  io("trips_a", reading.trips_a, at_least_one);
  io("trips_b", reading.trips_b, at_least_one);
  io("scheduled_share", reading.scheduled_share, above_zero);
}

template <class Io> void fields_of(Io& io, Of<VisitReport> auto& report) {
  io("policy", report.policy);
  if constexpr (Io::reads)
    if (report.policy == Policy::automatic) io.refuse("policy", "must be what was obtained: fifo, rr or other.");
  io("priority", report.priority, not_negative);
  io("pages", report.pages);
  io("locked", report.locked);
  io("kernel_code", report.kernel_code);
  io("policy_reason", report.policy_reason);
  io("pages_reason", report.pages_reason);
  io("fifo_too_long", report.fifo_too_long);
  io("clock_source", report.clock_source);
  io("clock_ghz", report.clock_ghz, not_negative);
  io("clock_drift_ppm", report.clock_drift_ppm);
  io("steal_ns", report.steal_ns);
  io("interrupts", report.interrupts);
  io("stalls_ns", report.stalls_ns);
  io("checksum_ok", report.checksum_ok);
  io("memory_tag_ns", report.memory_tag_ns, not_negative);
  io("spun_ns", report.spun_ns, not_negative);
  io("expected_switches", report.expected_switches, not_negative);
  io("observed_switches_a", report.observed_switches_a, not_negative);
  io("observed_switches_b", report.observed_switches_b, not_negative);
  io("counters", report.counters);
  io("counters_reason", report.counters_reason);
  io("fifo_ns", report.fifo_ns, not_negative);
  io("measured_ns", report.measured_ns, not_negative);
  io("total_ns", report.total_ns, not_negative);
}

template <class Io> void fields_of(Io& io, Of<VisitData> auto& data) {
  io("report", data.report);
  io("blocks", data.blocks);
}

template <class Io> void fields_of(Io& io, Of<VisitFailure> auto& failure) {
  io("code", failure.code);
  io("message", failure.message);
}

template <class Io> void fields_of(Io& io, Of<Visit> auto& visit) {
  io("sequence", visit.sequence, not_negative);
  io("point_index", visit.point_index, not_negative);
  io("pass", visit.pass, not_negative);
  io("attempt", visit.attempt, not_negative);
  io("session", visit.session, not_negative);
  io("started_at", visit.started_at);
  io("request", visit.request);
  io.either("data", "failure", visit.outcome);
}

template <class Io> void fields_of(Io& io, Of<Cache> auto& cache) {
  io("level", cache.level, at_least_one);
  io("kind", cache.kind);
  io("size_bytes", cache.size_bytes, at_least_one);
  io("line_bytes", cache.line_bytes, not_negative);
  io("cpus", cache.cpus, not_negative);
  io("source", cache.source);
}

template <class Io> void fields_of(Io& io, Of<TranslationReach> auto& translation) {
  io("level", translation.level, at_least_one);
  io("kind", translation.kind);
  io("entries", translation.entries, at_least_one);
  io("page_bytes", translation.page_bytes, at_least_one);
}

template <class Io> void fields_of(Io& io, Of<Cpu> auto& cpu) {
  io("number", cpu.number, not_negative);
  io("online", cpu.online);
  io("allowed", cpu.allowed);
  io("isolated", cpu.isolated);
  io("nohz_full", cpu.nohz_full);
  io("core", cpu.core);
  io("package", cpu.package);
  io("siblings", cpu.siblings, not_negative);
  io("core_type", cpu.core_type);
  io("governor", cpu.governor);
  io("max_ghz", cpu.max_ghz, not_negative);
  io("busy_ratio", cpu.busy_ratio, not_negative);
  io("steal_ratio", cpu.steal_ratio, not_negative);
  io("interrupts_per_s", cpu.interrupts_per_s, not_negative);
}

template <class Io> void fields_of(Io& io, Of<CoreNeighbour> auto& neighbour) {
  io("cpu", neighbour.cpu, not_negative);
  io("verdict", neighbour.verdict);
  io("quiet_adds_per_cycle", neighbour.quiet_adds_per_cycle, not_negative);
  io("busy_adds_per_cycle", neighbour.busy_adds_per_cycle, not_negative);
  io("pairs", neighbour.pairs, not_negative);
}

template <class Io> void fields_of(Io& io, Of<CoreSharing> auto& sharing) {
  io("cpu", sharing.cpu, not_negative);
  io("taken_at", sharing.taken_at);
  io("neighbours", sharing.neighbours);
  io("not_tried", sharing.not_tried, not_negative);
}

template <class Io> void fields_of(Io& io, Of<Environment> auto& environment) {
  io("host_name", environment.host_name);
  io("boot_id", environment.boot_id);
  io("architecture", environment.architecture);
  io("cpu_model", environment.cpu_model);
  io("microcode", environment.microcode);
  io("kernel_release", environment.kernel_release);
  io("kernel_version", environment.kernel_version);
  io("kernel_command_line", environment.kernel_command_line);
  io("hypervisor", environment.hypervisor);
  io("container", environment.container);
  io("emulation", environment.emulation);
  io("clock_source", environment.clock_source);
  io("preemption", environment.preemption);
  io("no_hz", environment.no_hz);
  io("paravirt", environment.paravirt);
  io("transparent_huge_pages", environment.transparent_huge_pages);
  io("smt", environment.smt);
  io("boost", environment.boost);
  io("scaling_driver", environment.scaling_driver);
  io("power", environment.power);
  io("real_time", environment.real_time);
  io("hz", environment.hz);
  io("rt_period_us", environment.rt_period_us);
  io("rt_runtime_us", environment.rt_runtime_us);
  io("rt_priority_limit", environment.rt_priority_limit);
  io("rt_group_runtime_us", environment.rt_group_runtime_us);
  io("booted_at_s", environment.booted_at_s);
  io("memory_total_bytes", environment.memory_total_bytes);
  io("memory_available_bytes", environment.memory_available_bytes);
  io("locked_memory_limit_bytes", environment.locked_memory_limit_bytes);
  io("hugetlb_free_pages", environment.hugetlb_free_pages);
  io("load_1min", environment.load_1min);
  io("perf_event_paranoid", environment.perf_event_paranoid);
  io("randomize_va_space", environment.randomize_va_space);
  io("hardware_counters", environment.hardware_counters);
  io("package_energy", environment.package_energy);
  io("mitigations", environment.mitigations);
  io("versions", environment.versions);
  io("cpus", environment.cpus);
  io("caches", environment.caches);
  io("core_sharing", environment.core_sharing);
  io("translation", environment.translation);
  io("topology_xml", environment.topology_xml);
}

template <class Io> void fields_of(Io& io, Of<Requirements> auto& require) {
  io("precision", require.precision);
  io("fifo", require.fifo);
  io("pages", require.pages);
  io("clean", require.clean);
}

// No bounds here: problems_of says more about a plan than a field's range can.
template <class Io> void fields_of(Io& io, Of<Plan> auto& plan) {
  io.schema("schema", plan_schema);
  io("name", plan.name);
  io("preset", plan.preset);
  io("sizes_bytes", plan.sizes_bytes);
  io("strides_bytes", plan.strides_bytes);
  io("accesses", plan.accesses);
  io("patterns", plan.patterns);
  io("placements", plan.placements);
  io("pages", plan.pages);
  io("mechanisms", plan.mechanisms);
  io("tasks", plan.tasks);
  io("kernels", plan.kernels);
  io("methods", plan.methods);
  io("policy", plan.policy);
  io("budget_s", plan.budget_s);
  io("precision_ratio", plan.precision_ratio);
  io("seed", plan.seed);
  io("sessions", plan.sessions);
  io("session_interval_s", plan.session_interval_s);
  io("max_added_points", plan.max_added_points);
  io("edge_points_per_octave", plan.edge_points_per_octave);
  io("extend_to_bytes", plan.extend_to_bytes);
  io("require", plan.require);
}

template <class Io> void fields_of(Io& io, Of<StoredLevel> auto& level) {
  io("split_adds_per_cycle", level.split_adds_per_cycle, above_zero);
  io("clean_self_pipe_ns", level.clean_self_pipe_ns, not_negative);
}

template <class Io> void fields_of(Io& io, Of<Thresholds> auto& thresholds) {
  io("contention_gap_ratio", thresholds.contention_gap_ratio);
  io("stored_levels", thresholds.stored_levels);
  io("clock_tolerance_ratio", thresholds.clock_tolerance_ratio);
  io("stall_ns", thresholds.stall_ns);
  io("throttle_band_ratio", thresholds.throttle_band_ratio);
  io("count_tolerance_ratio", thresholds.count_tolerance_ratio);
}

template <class Io> void fields_of(Io& io, Of<Session> auto& session) {
  io("number", session.number, not_negative);
  io("started_at", session.started_at);
  io("finished_at", session.finished_at);
  io("measuring_s", session.measuring_s, not_negative);
  io("throttle_wait_s", session.throttle_wait_s, not_negative);
  io("before", session.before);
  io("after", session.after);
}

template <class Io> void fields_of(Io& io, Of<KnownCheck> auto& check) {
  io("added_ns", check.added_ns, not_negative);
  io("spun_ns", check.spun_ns);
  io("read_ns", check.read_ns);
  io("low_ns", check.low_ns);
  io("high_ns", check.high_ns);
  io("verdict_low_ns", check.verdict_low_ns);
  io("verdict_high_ns", check.verdict_high_ns);
  io("tolerance_ns", check.tolerance_ns, not_negative);
  io("allowed_half_width_ns", check.allowed_half_width_ns, not_negative);
  io("rounds", check.rounds, not_negative);
  io("verdict", check.verdict);
}

template <class Io> void fields_of(Io& io, Of<CountProof> auto& count) {
  io("expected_per_task", count.expected_per_task, not_negative);
  io("observed_a", count.observed_a, not_negative);
  io("observed_b", count.observed_b, not_negative);
  io("baseline_trips", count.baseline_trips, not_negative);
  io("baseline_switches", count.baseline_switches, not_negative);
  io("holds", count.holds);
}

template <class Io> void fields_of(Io& io, Of<PerfComparison> auto& perf) {
  io("ours_ns", perf.ours_ns, above_zero);
  io("perf_ns", perf.perf_ns, above_zero);
  io("ratio", perf.ratio, above_zero);
  io("lowest_ratio", perf.lowest_ratio, above_zero);
  io("highest_ratio", perf.highest_ratio, above_zero);
  io("turns", perf.turns, at_least_one);
}

template <class Io> void fields_of(Io& io, Of<InstrumentCheck> auto& check) {
  io("taken_at", check.taken_at);
  io("cpu", check.cpu, not_negative);
  io("worker_build", check.worker_build);
  io("policy", check.policy);
  io("priority", check.priority, not_negative);
  io("seconds", check.seconds, not_negative);
  io("seed", check.seed);
  io("clean", check.clean);
  io("contention_known", check.contention_known);
  io("contended_share", check.contended_share, not_negative);
  io("failed_visits", check.failed_visits, not_negative);
  io("last_failure", check.last_failure);
  io("checks", check.checks);
  io("count", check.count);
  io("perf", check.perf);
  io("perf_absent", check.perf_absent);
  io("verdict", check.verdict);
}

template <class Io> void fields_of(Io& io, Of<Run> auto& run) {
  io("id", run.id);
  io("name", run.name);
  io("state", run.state);
  io("plan", run.plan);
  io("points", run.points);
  io("left_out", run.left_out, not_negative);
  io("started_at", run.started_at);
  io("finished_at", run.finished_at);
  io("measuring_s", run.measuring_s, not_negative);
  io("throttle_wait_s", run.throttle_wait_s, not_negative);
  io("thresholds", run.thresholds);
  io("before", run.before);
  io("after", run.after);
  io("sessions", run.sessions);
}

} // namespace switchscope
