#include "app/cli/measured_machine.h"

#include "app/cli/database.h"
#include "app/cli/output.h"
#include "engine/machine/machine.h"
#include "engine/session/machine_checks.h"
#include "engine/session/session.h"

#include <fmt/core.h>

namespace switchscope {

namespace {

constexpr const char* worker_name = "switchscope-worker";

std::filesystem::path folder_of_this_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

// Beside this program as in the build tree, else where it is installed.
std::string worker_of(const CommonOptions& common, const WorkerOptions& options) {
  if (!options.launcher.empty()) return common.worker.empty() ? worker_name : common.worker.string(); // over there
  if (!common.worker.empty()) return std::filesystem::absolute(common.worker).string();
  const auto beside = folder_of_this_program() / worker_name;
  std::error_code error;
  if (std::filesystem::exists(beside, error)) return beside.string();
  return (folder_of_this_program().parent_path() / "libexec" / "switchscope" / worker_name).string();
}

ServeOptions serve_options(const CommonOptions& common, const WorkerOptions& options) {
  ServeOptions serve;
  serve.worker = worker_of(common, options);
  serve.launcher = options.launcher;
  serve.wait = options.wait;
  serve.sysroot = common.sysroot;
  serve.on_waiting = [](const std::string& holder) {
    say(fmt::format("Waiting: another measurement holds the machine ({}).", holder));
  };
  return serve;
}

[[noreturn]] void refuse_answer(const std::string& what) {
  throw WorkerProblem(WorkerProblem::Kind::broken,
                      "The machine could not be described: " + what +
                          " Check that --worker names the switchscope-worker of this release.");
}

} // namespace

OpenedWorker::OpenedWorker(const CommonOptions& common, const WorkerOptions& options, StopSignals& signals)
    : link_(launch_thread_, serve_options(common, options)), watching_(signals, link_), hello_(link_.open()) {}

OpenedWorker::~OpenedWorker() {
  link_.close();
}

Environment OpenedWorker::describe() {
  return describe_machine(link_, hello_);
}

std::string worker_path(const CommonOptions& common, const WorkerOptions& options) {
  return worker_of(common, options);
}

Environment describe_without_measuring(const CommonOptions& common, const WorkerOptions& options) {
  std::vector<std::string> argv = options.launcher;
  argv.push_back(worker_of(common, options));
  argv.emplace_back("describe");
  if (!common.sysroot.empty()) argv.insert(argv.end(), {"--sysroot", common.sysroot});
  LaunchThread launch_thread;
  const WakeUp never;
  WorkerProcess process(launch_thread, argv, never);
  const auto deadline = WorkerProcess::Clock::now() + std::chrono::seconds(30);
  Hello hello;
  while (true) {
    const Received received = process.next_line(deadline);
    if (received.what == Received::What::timed_out) refuse_answer("the worker did not answer within 30 s.");
    if (received.what != Received::What::line) refuse_answer("the worker " + text_of(process.end()) + '.');
    const auto decoded = decode_event(received.text);
    if (const auto* problem = std::get_if<DecodeError>(&decoded)) refuse_answer(problem->message);
    const auto& event = std::get<WorkerEvent>(decoded);
    if (const auto* greeting = std::get_if<Hello>(&event))
      hello = *greeting;
    else if (const auto* facts = std::get_if<Facts>(&event))
      return environment_from(*facts, hello);
    else if (const auto* error = std::get_if<WorkerError>(&event))
      refuse_answer(error->message);
    else
      refuse_answer("the worker sent something else.");
  }
}

Environment describe_with_stored_checks(const CommonOptions& common, const WorkerOptions& options) {
  Environment machine = describe_without_measuring(common, options);
  try {
    std::error_code error;
    if (!std::filesystem::exists(database_path(common), error)) return machine;
    return with_stored_checks(machine, open_for_reading(common));
  } catch (const StoreProblem& problem) { // a machine can be described without one
    say(problem.what());
    return machine;
  }
}

CacheSizes caches_for(const PlanOptions& options, const Environment& environment) {
  int cpu = choose_cpu(environment).cpu;
  if (options.placements && !options.placements->empty() && options.placements->front().cpu_a >= 0)
    cpu = options.placements->front().cpu_a;
  return {cache_bytes(environment, cpu, 2), last_level_cache_bytes(environment, cpu)};
}

} // namespace switchscope
