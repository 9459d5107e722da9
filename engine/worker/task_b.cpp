#include "engine/worker/task_b.h"

#include "engine/worker/failure.h"
#include "engine/worker/scheduling.h"

#include <exception>

namespace switchscope {
namespace {

// False when A is gone.
bool answer_phase(Task& task, const TaskBSetup& setup, Orders& orders) {
  const std::int64_t trips = orders.trips + orders.discarded;
  const CountsReading before = counts_now();
  if (!put_byte(setup.answers_out)) return false;
  if (task.counters) task.counters->begin();
  if (!answer_mid_page(task.switching_work(), setup.orders_in, setup.answers_out, trips)) return false;
  if (task.counters) task.counters->end(Phase::switching, trips);
  if (!take_byte(setup.orders_in)) return false; // the byte that closes the phase
  orders.counts = task.counts_since(before);
  return put_byte(setup.answers_out);
}

bool obey(Task& task, const TaskBSetup& setup, Orders& orders) {
  switch (orders.kind) {
  case Orders::Kind::switching:
    return answer_phase(task, setup, orders);
  case Orders::Kind::start:
    break;
  case Orders::Kind::baseline:
    orders.block = task.baseline(orders.trips, orders.discarded);
    break;
  case Orders::Kind::become:
    orders.succeeded = set_policy(orders.policy, orders.priority);
    drop_capabilities(); // refused or not, it needs them no more
    break;
  case Orders::Kind::become_ordinary:
    orders.succeeded = set_policy(Policy::other, 0);
    break;
  case Orders::Kind::set_deadline:
    set_deadline(orders.deadline_ns);
    break;
  case Orders::Kind::count:
    task.counters.emplace(task.cpu);
    break;
  case Orders::Kind::tell_counts:
    orders.counted = task.counters->counted();
    break;
  case Orders::Kind::verify:
    orders.succeeded = task.holds_expected_data();
    if (task.addition) orders.spun_ticks = task.addition->mean_ticks().value_or(0);
    break;
  }
  return put_byte(setup.answers_out);
}

} // namespace

void run_task_b(const TaskBSetup& setup, Orders& orders) noexcept {
  try {
    Task task(TaskName::b, setup.request, setup.traverse, setup.clock);
    orders.pages = task.pages.obtained();
    orders.locked = task.locked;
    copy_text(orders.pages_reason, task.pages.reason());
    if (!put_byte(setup.answers_out)) return;
    while (take_byte(setup.orders_in))
      if (!obey(task, setup, orders)) return;
  } catch (const VisitProblem& problem) {
    copy_text(orders.problem_code, problem.code);
    copy_text(orders.problem, problem.what());
    (void)put_byte(setup.answers_out);
  } catch (const std::exception& problem) {
    copy_text(orders.problem_code, "crashed");
    copy_text(orders.problem, std::string("task B failed: ") + problem.what());
    (void)put_byte(setup.answers_out);
  }
}

} // namespace switchscope
