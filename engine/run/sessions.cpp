// The sessions of a run, one after the other. Between two of them the machine is let go, so that others can measure.
#include "engine/run/sweep.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace switchscope {

namespace {

constexpr std::int64_t between_tellings_ns = 10'000'000'000; // while a session is waited for

std::vector<Visit> visits_of(const std::vector<Visit>& visits, int session) {
  std::vector<Visit> own;
  std::copy_if(visits.begin(), visits.end(), std::back_inserter(own),
               [session](const Visit& visit) { return visit.session == session; });
  return own;
}

int next_sequence(const std::vector<Visit>& visits) {
  int next = 0;
  for (const auto& visit : visits) next = std::max(next, visit.sequence + 1);
  return next;
}

class Sessions {
public:
  Sessions(const RunTask& task, WorkerLink& link, const ImprecisionOf& imprecision_of, const EventSink& sink,
           const StopFlag& stop, RunClock& clock, const PointsToAdd& points_to_add)
      : task_(task), run_(task.run), link_(link), imprecision_of_(imprecision_of), points_to_add_(points_to_add),
        sink_(sink), stop_(stop), clock_(clock), fifo_(task.resumed_on.value_or(task.run.before)),
        sequence_(next_sequence(task.earlier)) {}

  RunEnded perform() {
    sink_(RunStarted{run_, task_.resumed_on});
    Ending ending;
    try {
      ending = all_sessions();
    } catch (const WorkerProblem& problem) {
      ending = ending_of(problem, stop_);
    }
    RunEnded ended;
    ended.state = ending.state;
    ended.reason = ending.reason;
    ended.measuring_s = run_.measuring_s;
    ended.throttle_wait_s = run_.throttle_wait_s;
    ended.elapsed_s = ended.measuring_s + ended.throttle_wait_s;
    ended.finished_at = clock_.utc_text();
    sink_(ended);
    return ended;
  }

private:
  Ending all_sessions() {
    Session session = first_session_of(task_);
    while (session.number < run_.plan.sessions) {
      const std::int64_t began_ns = clock_.now_ns();
      if (const Ending ending = one(session); ending.state != RunState::completed) return ending;
      session = Session{};
      session.number = run_.sessions.back().number + 1;
      if (session.number == run_.plan.sessions) break;
      link_.close();
      if (!wait_until(began_ns + static_cast<std::int64_t>(run_.plan.session_interval_s * 1e9), session.number))
        return stopped_by_user();
      link_.open();
    }
    return {};
  }

  Ending one(Session session) {
    if (session.started_at.empty()) session.started_at = clock_.utc_text();
    sink_(SessionStarted{session, run_.plan.sessions});
    const Environment& machine = task_.resumed_on ? *task_.resumed_on : run_.before;
    const SessionResult result = measure_session(
        {run_, machine, session, visits_of(task_.earlier, session.number), sequence_}, link_, imprecision_of_, sink_,
        stop_, clock_, fifo_, session.number == 0 ? points_to_add_ : PointsToAdd{}); // each has data of every session
    run_.points = result.points;
    sequence_ = result.sequence;
    run_.measuring_s += result.measuring_s - session.measuring_s;
    run_.throttle_wait_s += result.throttle_wait_s - session.throttle_wait_s;
    session.measuring_s = result.measuring_s;
    session.throttle_wait_s = result.throttle_wait_s;
    if (result.ending.state == RunState::completed) session.finished_at = clock_.utc_text();
    sink_(SessionEnded{session});
    run_.sessions.push_back(session);
    Ending ending = result.ending;
    // What earlier sessions measured stays: only a run without any data has failed.
    if (ending.state == RunState::failed && session.number > 0)
      ending = {RunState::incomplete, fmt::format("In session {}: {}", session.number + 1, ending.reason)};
    return ending;
  }

  // False when the user stopped it.
  bool wait_until(std::int64_t begin_ns, int session) {
    while (stop_.level() == StopFlag::none) {
      const std::int64_t left_ns = begin_ns - clock_.now_ns();
      if (left_ns <= 0) return true;
      sink_(SessionWaiting{session, run_.plan.sessions, static_cast<double>(left_ns) * 1e-9});
      clock_.wait(std::min(left_ns, between_tellings_ns), stop_);
    }
    return false;
  }

  const RunTask& task_;
  Run run_;
  WorkerLink& link_;
  const ImprecisionOf& imprecision_of_;
  const PointsToAdd& points_to_add_;
  const EventSink& sink_;
  const StopFlag& stop_;
  RunClock& clock_;
  FifoAccount fifo_;
  int sequence_;
};

} // namespace

Session first_session_of(const RunTask& task) {
  const auto& begun = task.run.sessions;
  if (begun.empty()) return {};
  if (!task.new_session && !begun.back().finished_at) return begun.back();
  Session next;
  next.number = begun.back().number + 1;
  return next;
}

RunEnded run_sweep(const RunTask& task, WorkerLink& link, const ImprecisionOf& imprecision_of, const EventSink& sink,
                   const StopFlag& stop, RunClock& clock, const PointsToAdd& points_to_add) {
  return Sessions(task, link, imprecision_of, sink, stop, clock, points_to_add).perform();
}

RunEnded run_sweep(const RunTask& task, WorkerLink& link, const ImprecisionOf& imprecision_of, const EventSink& sink,
                   const StopFlag& stop, const PointsToAdd& points_to_add) {
  SystemClock clock;
  return run_sweep(task, link, imprecision_of, sink, stop, clock, points_to_add);
}

} // namespace switchscope
