#include "engine/worker/visit_process.h"

#include "engine/worker/failure.h"
#include "engine/worker/lines.h"
#include "engine/worker/scheduling.h"
#include "engine/worker/task_pair.h"
#include "engine/worker/visit.h"

#include <cerrno>
#include <new>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace switchscope {
namespace {

enum Exit : int { exit_done = 0, exit_error_line_written = 1, exit_nobody_reads = 2 };

[[noreturn]] void end_with_error(std::int64_t id, const std::string& code, const std::string& message) {
  (void)set_policy(Policy::other, 0); // it may never have left it
  set_deadline(0);
  _exit(write_event(WorkerError{id, code, message}) ? exit_error_line_written : exit_nobody_reads);
}

[[noreturn]] void measure_and_report(const MeasureCommand& command, std::int64_t received_ns) {
  try {
    VisitData visit = measure_visit(command.request, received_ns);
    set_deadline(0); // a line must not be cut in two by the timer
    std::string text;
    for (const Block& block : visit.blocks) text += encode(BlockLine{command.id, block}) + "\n";
    visit.report.total_ns = monotonic_raw_ns() - received_ns;
    text += encode(Done{command.id, visit.report}) + "\n";
    _exit(write_text(text) ? exit_done : exit_nobody_reads);
  } catch (const VisitProblem& problem) {
    end_with_error(command.id, problem.code, problem.what());
  } catch (const std::bad_alloc&) {
    end_with_error(command.id, "memory", "the worker ran out of memory for its own records: shorten the visit");
  } catch (const std::exception& problem) {
    end_with_error(command.id, "crashed", std::string("the visit failed: ") + problem.what());
  }
}

} // namespace

pid_t start_visit(const MeasureCommand& command, std::int64_t received_ns, MachineLock& lock) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0)
    throw VisitProblem("fork",
                       "cannot start the visit's process: " + error_text(errno) + "; raise the limit of processes");
  if (child > 0) return child;
  guard_process(parent, first_deadline_ns(command.request));
  lock.close_connections();
  measure_and_report(command, received_ns);
}

std::optional<WorkerError> error_of_end(std::int64_t id, int wait_status) {
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) <= exit_nobody_reads) return std::nullopt;
  const VisitProblem problem = problem_of_death("the visit", wait_status);
  return WorkerError{id, problem.code, problem.what()};
}

bool was_done(int wait_status) {
  return WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == exit_done;
}

bool found_no_reader(int wait_status) {
  return WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == exit_nobody_reads;
}

} // namespace switchscope
