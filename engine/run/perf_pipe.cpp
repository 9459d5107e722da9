#include "engine/run/perf_pipe.h"

#include "engine/run/printable.h"
#include "engine/run/worker_link.h"

#include <cstdlib>

namespace switchscope {
namespace {

constexpr const char* round_trips = "10000";
constexpr std::chrono::seconds patience{20};
constexpr const char* not_installed = "perf is not installed, so there is no comparison with perf bench sched pipe.";

std::string last_line_of(const std::string& text) {
  const auto end = text.find_last_not_of("\n ");
  if (end == std::string::npos) return {};
  const auto begin = text.find_last_of('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

// Of "env: 'taskset': No such file or directory" and "taskset: failed to execute chrt: No such file or directory" the
// program that is missing; empty for any other words.
std::string missing_program(const std::string& error) {
  const auto between = [&error](const std::string& before, const std::string& after) -> std::string {
    const auto begin = error.find(before);
    if (begin == std::string::npos) return {};
    const auto end = error.find(after, begin + before.size());
    return end == std::string::npos ? "" : error.substr(begin + before.size(), end - begin - before.size());
  };
  const std::string executed = between("failed to execute ", ":");
  return executed.empty() ? between("env: '", "'") : executed;
}

std::string why_none(const ProcessEnd& end, const std::string& error) {
  const std::string missing = end.exit_code == 127 ? missing_program(error) : "";
  if (missing == "perf" || (end.exit_code == 127 && error.empty())) return not_installed;
  if (!missing.empty())
    return missing + " is not installed, so perf bench sched pipe cannot be run as the tasks here are, and is not "
                     "compared with.";
  return "perf bench sched pipe could not run, so it is not compared with: " + (error.empty() ? text_of(end) : error) +
         ".";
}

} // namespace

std::vector<std::string> perf_pipe_argv(const std::vector<std::string>& launcher, int cpu, Policy policy,
                                        int priority) {
  std::vector<std::string> argv = launcher;
  argv.insert(argv.end(), {"env", "LC_ALL=C", "taskset", "-c", std::to_string(cpu)});
  if (policy == Policy::fifo || policy == Policy::round_robin)
    argv.insert(argv.end(), {"chrt", policy == Policy::fifo ? "-f" : "-r", std::to_string(priority)});
  argv.insert(argv.end(), {"perf", "bench", "sched", "pipe", "-l", round_trips});
  return argv;
}

std::optional<double> perf_ns_per_switch(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (line.find("usecs/op") == std::string::npos) continue;
    const double microseconds = std::strtod(line.c_str(), nullptr);
    if (microseconds > 0) return microseconds * 1000 / 2;
  }
  return std::nullopt;
}

std::variant<double, std::string> run_perf_pipe(LaunchThread& launch_thread, const std::vector<std::string>& launcher,
                                                int cpu, Policy policy, int priority) {
  try {
    const WakeUp never;
    WorkerProcess perf(launch_thread, perf_pipe_argv(launcher, cpu, policy, priority), never);
    const auto deadline = WorkerProcess::Clock::now() + patience;
    std::vector<std::string> lines;
    Received received = perf.next_line(deadline);
    for (; received.what == Received::What::line; received = perf.next_line(deadline)) lines.push_back(received.text);
    if (received.what == Received::What::timed_out)
      return "perf bench sched pipe took longer than 20 s, so it is not compared with.";
    const ProcessEnd end = perf.close(std::chrono::seconds(2));
    if (const auto ns = perf_ns_per_switch(lines); ns && end.exit_code == 0) return *ns;
    return why_none(end, printable(last_line_of(perf.last_errors())));
  } catch (const WorkerProblem& problem) {
    return "perf bench sched pipe could not be started, so it is not compared with. " + std::string(problem.what());
  }
}

} // namespace switchscope
