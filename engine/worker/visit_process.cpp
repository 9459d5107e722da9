#include "engine/worker/visit_process.h"

#include "engine/model/visit_time.h"
#include "engine/worker/failure.h"
#include "engine/worker/lines.h"
#include "engine/worker/scheduling.h"
#include "engine/worker/sharing.h"
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

// Ends this process: `lines` gives what is to be written, and says why it cannot by what it throws.
template <class Lines> [[noreturn]] void write_and_end(std::int64_t id, Lines lines) {
  try {
    _exit(write_text(lines()) ? exit_done : exit_nobody_reads);
  } catch (const VisitProblem& problem) {
    end_with_error(id, problem.code, problem.what());
  } catch (const std::bad_alloc&) {
    end_with_error(id, "memory", "the worker ran out of memory for its own records: shorten the visit");
  } catch (const std::exception& problem) {
    end_with_error(id, "crashed", std::string("the visit failed: ") + problem.what());
  }
}

std::string lines_of_visit(const MeasureCommand& command, std::int64_t received_ns) {
  VisitData visit = measure_visit(command.request, received_ns);
  set_deadline(0); // a line must not be cut in two by the timer
  std::string text;
  for (const Block& block : visit.blocks) text += encode(BlockLine{command.id, block}) + "\n";
  visit.report.total_ns = monotonic_raw_ns() - received_ns;
  return text + encode(Done{command.id, visit.report}) + "\n";
}

// In the parent: the child. In the child: 0, guarded.
pid_t fork_guarded(std::int64_t deadline_ns, std::int64_t real_time_ns, MachineLock& lock) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0)
    throw VisitProblem("fork",
                       "cannot start the visit's process: " + error_text(errno) + "; raise the limit of processes");
  if (child > 0) return child;
  guard_process(parent, deadline_ns, real_time_ns);
  lock.close_connections();
  return 0;
}

} // namespace

pid_t start_visit(const MeasureCommand& command, std::int64_t received_ns, MachineLock& lock) {
  if (const pid_t child = fork_guarded(last_deadline_ns(command.request), unblocked_ns(command.request), lock);
      child > 0)
    return child;
  write_and_end(command.id, [&] { return lines_of_visit(command, received_ns); });
}

pid_t start_sharing(const SharesCommand& command, MachineLock& lock) {
  constexpr std::int64_t grace_ns = 2'000'000'000;
  if (const pid_t child = fork_guarded(command.request.duration_ns + grace_ns, paired_unblocked_ns, lock); child > 0)
    return child;
  write_and_end(command.id, [&] {
    const SharingLine line = probe_sharing(command);
    set_deadline(0);
    return encode(line) + "\n";
  });
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
