#include "engine/machine/fact_text.h"
#include "engine/machine/readiness.h"
#include "engine/machine/readiness_parts.h"

#include <fmt/format.h>

namespace switchscope {

namespace {

// A right that is there and of no use: the group has no real time to give, or a filter forbids it.
bool is_right_of_no_use(const Environment& environment) {
  return environment.rt_group_runtime_us == 0 || environment.rt_priority_limit.value_or(0) > 0;
}

} // namespace

std::string how_to_get_real_time(const Environment& environment) {
  if (is_right_of_no_use(environment))
    return "The right is there, but the control group has no real time or a container's filter forbids it: "
           "switchscope-cli doctor says what to change.";
  return "Allow it with: sudo setcap cap_sys_nice,cap_ipc_lock+ep PATH/TO/switchscope-worker";
}

Finding real_time_finding(const Environment& environment, const std::string& worker) {
  Finding finding{"real-time", Light::green, -1, "real-time permission", "SCHED_FIFO is allowed", "", "", ""};
  const std::string means =
      "Without SCHED_FIFO the tasks run under the ordinary policy: other programs take turns with "
      "them, and the cost is that of the ordinary scheduler.";
  if (environment.real_time == "yes") return finding;
  if (environment.real_time.empty() && !environment.rt_priority_limit) {
    finding.light = Light::unknown;
    finding.here = "not told";
    return finding;
  }
  if (environment.real_time.empty() && *environment.rt_priority_limit > 0) {
    finding.here = fmt::format("allowed by the limit, up to priority {}", *environment.rt_priority_limit);
    return finding;
  }
  finding.light = Light::yellow;
  finding.means = means;
  finding.here = environment.real_time.empty() ? "the limit allows no priority" : "refused: " + environment.real_time;
  if (is_right_of_no_use(environment)) {
    finding.here += environment.rt_group_runtime_us == 0 ? "; its control group has no real-time share (RT_GROUP_SCHED)"
                                                         : ", although the limit allows it";
    finding.means +=
        " The kernel shares real time out among control groups, or a filter forbids it: start from a shell in "
        "the root group.";
    finding.change = "echo $$ | sudo tee /sys/fs/cgroup/cpu/cgroup.procs /sys/fs/cgroup/cgroup.procs";
    finding.undo = "exit # that shell, and open another";
    return finding;
  }
  const std::string path = worker.find('/') == std::string::npos ? "\"$(command -v " + worker + ")\"" : worker;
  finding.change = "sudo setcap cap_sys_nice,cap_ipc_lock+ep " + path;
  finding.undo = "sudo setcap -r " + path;
  return finding;
}

Finding throttling_finding(const Environment& environment) {
  Finding finding{"rt-throttling", Light::unknown, -1, "real-time throttling", "not told", "", "", ""};
  const auto runtime = environment.rt_runtime_us;
  const auto period = environment.rt_period_us;
  if (runtime && *runtime < 0) {
    finding.light = Light::green;
    finding.here = "off";
    return finding;
  }
  if (!runtime || !period || *period <= 0) return finding;
  finding.here =
      fmt::format("{:g} ms of every {:g} ms", static_cast<double>(*runtime) / 1e3, static_cast<double>(*period) / 1e3);
  const double ratio = static_cast<double>(*runtime) / static_cast<double>(*period);
  finding.light = *runtime == 0 ? Light::red : ratio < 0.5 ? Light::yellow : Light::green;
  finding.means = *runtime == 0
                      ? "The kernel gives real-time tasks no time at all."
                      : "A run keeps to 90 % of that and waits when it must, so that it is not stopped within a "
                        "block.";
  if (finding.light == Light::green) return finding;
  finding.change = "sudo sysctl kernel.sched_rt_runtime_us=-1";
  finding.undo = fmt::format("sudo sysctl kernel.sched_rt_runtime_us={}", *runtime);
  return finding;
}

Finding huge_pages_finding(const Environment& environment) {
  Finding finding{"huge-pages", Light::unknown, -1, "transparent huge pages", "not told", "", "", ""};
  const std::string& mode = environment.transparent_huge_pages;
  if (mode.empty()) return finding;
  finding.here = mode;
  finding.light = mode == "madvise" ? Light::green : Light::yellow;
  if (finding.light == Light::green) return finding;
  const std::string path = "/sys/kernel/mm/transparent_hugepage/enabled";
  finding.means = mode == "never" ? "Runs with --pages thp fall back to pages of 4 KiB, and say so."
                                  : "The kernel merges pages of other programs at any time, and interrupts for it. The "
                                    "arrays get the pages that were asked for either way.";
  finding.change = "echo madvise | sudo tee " + path;
  finding.undo = "echo " + mode + " | sudo tee " + path;
  return finding;
}

Finding aslr_finding(const Environment& environment) {
  Finding finding{"aslr", Light::unknown, -1, "address randomisation", "not told", "", "", ""};
  const auto level = environment.randomize_va_space;
  if (!level) return finding;
  finding.here = *level == 0 ? "off" : fmt::format("on ({})", *level);
  finding.light = *level == 0 ? Light::yellow : Light::green;
  finding.means = *level == 0
                      ? "Every visit gets the same addresses: one placement is measured again and again, and the "
                        "interval does not hold what another would cost."
                      : "Each visit gets other addresses, so that the interval holds what placement does.";
  if (*level != 0) return finding;
  finding.change = "sudo sysctl kernel.randomize_va_space=2";
  finding.undo = "sudo sysctl kernel.randomize_va_space=0";
  return finding;
}

Finding counters_finding(const Environment& environment) {
  Finding finding{"counters", Light::unknown, -1, "hardware counters", "not told", "", "", ""};
  const std::string& told = environment.hardware_counters;
  if (told.empty()) return finding;
  if (told == "yes") {
    finding.light = Light::green;
    finding.here = "can be used";
    return finding;
  }
  finding.light = Light::yellow;
  finding.here = "cannot be used: " + told;
  finding.means = "Cycles and cache misses of a switch are not counted. Costs are measured all the same.";
  const auto paranoid = environment.perf_event_paranoid;
  const bool forbidden = holds(told, "denied") || holds(told, "not permitted");
  if (!forbidden || !paranoid || *paranoid <= 1) return finding;
  finding.change = "sudo sysctl kernel.perf_event_paranoid=1";
  finding.undo = fmt::format("sudo sysctl kernel.perf_event_paranoid={}", *paranoid);
  return finding;
}

} // namespace switchscope
