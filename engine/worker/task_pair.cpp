#include "engine/worker/task_pair.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace switchscope {

// Shared with a forked B, and nothing but this: the arrays must not be.
struct TaskPair::SharedPage {
  SharedPage() {
    void* const memory =
        mmap(nullptr, sizeof(Orders), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) throw VisitProblem("memory", "no memory for one shared page: " + error_text(errno));
    orders = new (memory) Orders{};
  }
  ~SharedPage() { munmap(orders, sizeof(Orders)); }
  SharedPage(const SharedPage&) = delete;
  SharedPage& operator=(const SharedPage&) = delete;
  Orders* orders = nullptr;
};

VisitProblem problem_of_death(const std::string& who, int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    if (signal == SIGALRM)
      return {"timeout", who + " was ended by its deadline timer: the visit took far longer than planned"};
    if (signal == SIGXCPU)
      return {"timeout", who + " was ended by the limit on real-time CPU time without blocking: the machine is far "
                               "slower than the visit's first trips told"};
    return {"crashed", who + " was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")"};
  }
  return {"crashed", who + " ended by itself with exit code " + std::to_string(WEXITSTATUS(wait_status))};
}

TaskPair::TaskPair(const VisitRequest& request, Traversal traverse, ClockSource clock, std::int64_t deadline_ns)
    : page_(std::make_unique<SharedPage>()), setup_{request, traverse, clock, to_b_.read_end(), to_a_.write_end()} {
  if (by_threads())
    start_thread();
  else
    start_process(deadline_ns);
  try {
    a_.emplace(TaskName::a, request, traverse, clock);
    await_answer();
  } catch (...) {
    stop_b();
    throw;
  }
}

TaskPair::~TaskPair() {
  stop_b();
}

void TaskPair::start_process(std::int64_t deadline_ns) {
  const pid_t a = getpid();
  process_b_ = fork();
  if (process_b_ < 0)
    throw VisitProblem("fork", "cannot start task B: " + error_text(errno) + "; raise the limit of processes");
  if (process_b_ == 0) {
    guard_process(a, deadline_ns);
    to_b_.close_write();
    to_a_.close_read();
    // Whoever reads the worker's lines must see their end when the worker ends, not when B does.
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    run_task_b(setup_, *page_->orders);
    _exit(0);
  }
  // With B's ends closed here, A reads the end of file when B dies.
  to_b_.close_read();
  to_a_.close_write();
}

void TaskPair::start_thread() {
  pthread_t thread{};
  const auto body = [](void* pair) -> void* {
    auto* const self = static_cast<TaskPair*>(pair);
    run_task_b(self->setup_, *self->page_->orders);
    return nullptr;
  };
  if (const int error = pthread_create(&thread, nullptr, body, this); error != 0)
    throw VisitProblem("fork", "cannot start task B's thread: " + error_text(error) + "; raise the limit of processes");
  thread_b_ = thread;
}

void TaskPair::stop_b() {
  if (process_b_ > 0) {
    kill(process_b_, SIGKILL);
    waitpid(process_b_, nullptr, 0);
    process_b_ = -1;
  }
  if (thread_b_) { // wherever it waits, it now reads the end of file
    to_b_.close_write();
    to_a_.close_read();
    pthread_join(*thread_b_, nullptr);
    thread_b_.reset();
  }
}

VisitProblem TaskPair::end_of_b() {
  const Orders& orders = *page_->orders;
  if (orders.problem_code[0] != 0) return {orders.problem_code, orders.problem};
  int status = 0;
  if (process_b_ > 0 && waitpid(process_b_, &status, 0) == process_b_) {
    process_b_ = -1;
    return problem_of_death("task B", status);
  }
  return {"crashed", "task B ended in the middle of the visit"};
}

void TaskPair::await_answer() {
  if (!take_byte(to_a_.read_end()) || page_->orders->problem_code[0] != 0) throw end_of_b();
}

void TaskPair::give(Orders::Kind kind) {
  page_->orders->kind = kind;
  if (!put_byte(to_b_.write_end())) throw end_of_b();
  await_answer();
}

ObtainedPages TaskPair::pages() const {
  const Orders& b = *page_->orders;
  const PageMode asked = setup_.request.point.pages;
  ObtainedPages result{a_->pages.obtained(), a_->pages.reason(), a_->locked && b.locked};
  if (result.mode == asked && b.pages != asked) {
    result.mode = b.pages;
    result.reason = b.pages_reason;
  }
  return result;
}

Scheduling TaskPair::become(Policy asked, int max_priority) {
  Scheduling obtained = switchscope::become(asked, max_priority);
  Orders& orders = *page_->orders;
  orders.policy = obtained.policy;
  orders.priority = obtained.priority;
  give(Orders::Kind::become);
  if (!orders.succeeded) { // both or none: a switch between two policies is another experiment
    if (!set_policy(Policy::other, 0)) throw VisitProblem("policy", "task A cannot leave its real-time policy");
    obtained = {Policy::other, 0, "the kernel gave task A the policy but refused it to task B"};
  }
  drop_capabilities();
  return obtained;
}

void TaskPair::become_ordinary() {
  const bool a_is_ordinary = set_policy(Policy::other, 0);
  give(Orders::Kind::become_ordinary);
  if (!a_is_ordinary || !page_->orders->succeeded)
    throw VisitProblem("policy", "a task cannot leave its real-time policy: " + error_text(errno));
}

void TaskPair::set_deadline(std::int64_t deadline_ns) {
  switchscope::set_deadline(deadline_ns);
  if (by_threads()) return; // the timer is the process's
  page_->orders->deadline_ns = deadline_ns;
  give(Orders::Kind::set_deadline);
}

void TaskPair::count() {
  give(Orders::Kind::count);
  a_->counters.emplace(a_->cpu);
}

TaskPair::Counted TaskPair::counted() {
  give(Orders::Kind::tell_counts);
  return {a_->counters->counted(), page_->orders->counted};
}

RawBlock TaskPair::baseline_a(std::int64_t trips, std::int64_t discarded) {
  give(Orders::Kind::start); // A sleeps and wakes: its account of CPU time without blocking begins anew
  return a_->baseline(trips, discarded);
}

RawBlock TaskPair::baseline_b(std::int64_t trips, std::int64_t discarded) {
  Orders& orders = *page_->orders;
  orders.trips = trips;
  orders.discarded = discarded;
  give(Orders::Kind::baseline);
  return orders.block;
}

// One trip through each task's own pipe stands for a round trip, which is two switches.
RawBlock TaskPair::both_baselines(std::int64_t trips, std::int64_t discarded) {
  RawBlock block = baseline_a(trips, discarded);
  const RawBlock second = baseline_b(trips, discarded);
  block.phase = Phase::switching;
  block.end_ticks += second.end_ticks - second.begin_ticks;
  block.task_b = second.task_b;
  block.after = second.after;
  return block;
}

RawBlock TaskPair::switching(std::int64_t trips, std::int64_t discarded, std::span<std::uint64_t> marks) {
  if (setup_.request.kind == VisitKind::baseline_only) return both_baselines(trips, discarded);
  Orders& orders = *page_->orders;
  Work& work = a_->switching_work();
  orders.trips = trips;
  orders.discarded = discarded;
  const int out = to_b_.write_end(), in = to_a_.read_end();
  RawBlock block;
  block.phase = Phase::switching;
  block.trips = trips;
  block.expected_switches = trips + discarded + 1;
  block.before = a_->probe();
  give(Orders::Kind::switching);
  const CountsReading before = counts_now();
  if (a_->counters) a_->counters->begin();
  bool alive = exchange_mid_page(work, out, in, discarded);
  alive = alive && timed_exchange(work, out, in, trips, a_->clock, block, marks);
  if (a_->counters) a_->counters->end(Phase::switching, discarded + trips); // before the closing hand-over
  if (!alive || !put_byte(out)) throw end_of_b();
  await_answer();
  block.task_a = a_->counts_since(before);
  block.task_b = orders.counts;
  block.after = a_->probe();
  return block;
}

bool TaskPair::verify() {
  give(Orders::Kind::verify);
  return page_->orders->succeeded && a_->holds_expected_data();
}

std::optional<double> TaskPair::spun_ticks() const {
  const double of_b = page_->orders->spun_ticks;
  const auto of_a = a_->addition ? a_->addition->mean_ticks() : std::nullopt;
  if (!of_a || of_b <= 0) return std::nullopt;
  return (*of_a + of_b) / 2;
}

} // namespace switchscope
