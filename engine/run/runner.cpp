#include "engine/run/schedule.h"
#include "engine/run/seeds.h"
#include "engine/run/sweep.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <limits>

namespace switchscope {

namespace {

constexpr int last_attempt = 2;                        // a failed visit is tried again twice
constexpr std::int64_t counting_block_ns = 10'000'000; // energy meters move once a millisecond
constexpr double infinite = std::numeric_limits<double>::infinity();

struct QueuedVisit {
  PlannedVisit planned;
  int attempt = 0;
};

int measured_cpu(const Run& run, const Point& point) {
  if (point.placement.cpu_a >= 0) return point.placement.cpu_a;
  for (const auto& cpu : run.before.cpus)
    if (cpu.online && cpu.allowed) return cpu.number;
  return 0;
}

bool can_count(const Environment& machine) {
  return machine.hardware_counters == "yes" || machine.package_energy == "yes";
}

class Sweep {
public:
  Sweep(const SessionTask& task, WorkerLink& link, const ImprecisionOf& imprecision_of, const EventSink& sink,
        const StopFlag& stop, RunClock& clock, FifoAccount& fifo, const PointsToAdd& points_to_add)
      : run_(task.run), machine_(task.machine), session_(task.session), link_(link), imprecision_of_(imprecision_of),
        points_to_add_(points_to_add), sink_(sink), stop_(stop), clock_(clock), fifo_(fifo), visits_(task.earlier),
        progress_(task.run.points.size()), fifo_ns_(task.run.points.size()), counted_(task.run.points.size(), false),
        sequence_(task.sequence) {
    for (std::size_t i = 0; i < progress_.size(); ++i) {
      progress_[i].imprecision = infinite;
      progress_[i].method = run_.points[i].method;
      if (progress_[i].method == Method::paper) progress_[i].expected_s = usual_round_s(run_.points[i]);
    }
    for (const auto& visit : visits_) {
      last_pass_ = std::max(last_pass_, visit.pass);
      if (visit.data() == nullptr) continue;
      remember_fifo(visit);
      if (visit.request.counters)
        counted_[static_cast<std::size_t>(visit.point_index)] = true;
      else
        count(visit, static_cast<double>(visit.data()->report.total_ns));
      if (visit.request.point.method == Method::paper) rounds_ns_ += visit.data()->report.total_ns;
    }
  }

  SessionResult perform() {
    began_ns_ = clock_.now_ns();
    Ending ending;
    try {
      ending = all_passes();
    } catch (const WorkerProblem& problem) {
      ending = ending_of(problem, stop_);
    }
    return {ending, measuring_s(), throttle_wait_s(), sequence_, run_.points};
  }

private:
  Ending all_passes() {
    // The first pass is measured to its end whatever the budget; a resumed run takes it up again where points lack
    // data.
    if (const auto first = first_pass(run_.points, progress_, order_seed()); !first.empty()) {
      if (const auto ending = one_pass(first, 0, true)) return *ending;
    } else {
      refresh_imprecision();
    }
    for (int pass = std::max(last_pass_ + 1, 1);; ++pass) {
      if (const auto added = added_visits(); !added.empty()) {
        if (const auto ending = one_pass(added, pass, true)) return *ending;
        continue;
      }
      if (std::all_of(progress_.begin(), progress_.end(), [](const auto& point) { return point.failed; }))
        return nothing_left_to_try();
      auto planned = next_rounds(progress_, order_seed());
      if (!has_enough(run_.plan, progress_, budget_used_s())) {
        planned = with_rounds(
            next_pass(run_.points, progress_, run_.plan.precision_ratio.has_value(), order_seed(), last_point_),
            planned, order_seed());
        for (const auto& visit : counting_visits_after(planned)) planned.push_back(visit);
      }
      if (planned.empty()) return {};
      if (const auto ending = one_pass(planned, pass, false)) return *ending;
    }
  }

  Ending nothing_left_to_try() const {
    const bool any_measured =
        std::any_of(progress_.begin(), progress_.end(), [](const auto& point) { return point.visits > 0; });
    return any_measured
               ? Ending{RunState::incomplete, fmt::format("No point could be measured any further. {}", last_failure_)}
               : Ending{RunState::failed, fmt::format("No point could be measured. {}", last_failure_)};
  }

  // Once for each point, by the first pass that comes to its end. A point is never counted before it was timed.
  std::vector<PlannedVisit> counting_visits_after(const std::vector<PlannedVisit>& pass) const {
    if (!can_count(machine_)) return {};
    std::vector<int> points;
    for (std::size_t i = 0; i < counted_.size(); ++i)
      if (!counted_[i] && !progress_[i].failed && progress_[i].method == Method::paired)
        points.push_back(static_cast<int>(i));
    return counting_visits(points, order_seed(), pass.empty() ? last_point_ : pass.back().point_index);
  }

  // Later than half-way the time is needed for the points that are there.
  std::vector<PlannedVisit> added_visits() {
    if (!points_to_add_ || budget_used_s() >= time_limit_s(run_.plan) / 2) return {};
    const std::vector<Point> added = points_to_add_(visits_);
    if (added.empty()) return {};
    const PointsAdded event{static_cast<int>(run_.points.size()), added};
    run_.points.insert(run_.points.end(), added.begin(), added.end());
    PointProgress unmeasured;
    unmeasured.imprecision = infinite;
    progress_.resize(run_.points.size(), unmeasured);
    fifo_ns_.resize(run_.points.size());
    counted_.resize(run_.points.size(), false);
    sink_(event);
    return first_pass(run_.points, progress_, order_seed());
  }

  // Retries come at the end of the pass: what made a visit fail may have passed by then.
  std::optional<Ending> one_pass(const std::vector<PlannedVisit>& planned, int pass, bool to_its_end) {
    std::deque<QueuedVisit> queue;
    for (const auto& visit : planned) queue.push_back({visit, 0});
    while (!queue.empty()) {
      const QueuedVisit next = queue.front();
      queue.pop_front();
      auto& point = progress_[static_cast<std::size_t>(next.planned.point_index)];
      if (point.failed) continue;
      if (const auto ending = stopped()) return ending;
      if (!to_its_end && point.method == Method::paired && budget_used_s() >= time_limit_s(run_.plan)) {
        if (next_rounds(progress_, 0).empty()) return Ending{};
        continue;
      }
      wait_for_throttle(next.planned);
      if (const auto ending = stopped()) return ending;
      const auto success = measure(next, pass);
      if (!success) return stopped();      // cut short
      if (next.planned.counters) continue; // tried once; it says nothing about whether the point can be timed
      if (!*success && next.attempt < last_attempt) queue.push_back({next.planned, next.attempt + 1});
      if (!*success && next.attempt == last_attempt) point.failed = true;
    }
    refresh_imprecision();
    PassEnded ended;
    ended.pass = pass;
    ended.session = session_.number;
    for (const auto& point : progress_) {
      if (point.failed)
        ++ended.points_failed;
      else if (point.method == Method::paired && is_precise(point))
        ++ended.points_precise;
    }
    sink_(ended);
    return stopped();
  }

  std::optional<Ending> stopped() const {
    if (stop_.level() == StopFlag::none) return std::nullopt;
    return stopped_by_user();
  }

  // Whether it yielded data; nullopt when the user cut it short: then nothing of it is told, as if it had not begun.
  std::optional<bool> measure(const QueuedVisit& next, int pass) {
    Visit visit;
    visit.sequence = sequence_;
    visit.point_index = next.planned.point_index;
    visit.pass = pass;
    visit.attempt = next.attempt;
    visit.session = session_.number;
    visit.started_at = clock_.utc_text();
    visit.request = request_for(next.planned);
    sink_(VisitStarted{visit.sequence, visit.point_index, pass, visit.session});
    const std::int64_t started = clock_.now_ns();
    visit.outcome = link_.measure(visit.request);
    const std::int64_t ended = clock_.now_ns();
    if (visit.failure() != nullptr && stop_.level() == StopFlag::now) return std::nullopt;

    ++sequence_;
    last_point_ = visit.point_index;
    charge(visit, ended, ended - started);
    if (visit.request.point.method == Method::paper) rounds_ns_ += ended - started;
    visits_.push_back(visit);
    if (visit.request.counters)
      counted_[static_cast<std::size_t>(visit.point_index)] = true;
    else if (visit.data() != nullptr)
      count(visit, static_cast<double>(ended - started));
    else
      last_failure_ = visit.failure()->message;
    const bool success = visit.data() != nullptr;
    sink_(VisitEnded{std::move(visit), run_.measuring_s + measured_here_s(), left_s(),
                     run_.throttle_wait_s + waited_here_s(), measuring_s(), throttle_wait_s()});
    return success;
  }

  VisitRequest request_for(const PlannedVisit& planned) const {
    VisitRequest request;
    request.point = point_of(planned);
    request.duration_ns = planned.duration_ns;
    request.seed = mixed(run_.plan.seed, static_cast<std::uint64_t>(sequence_));
    request.l2_bytes = cache_bytes(run_.before, measured_cpu(run_, request.point), 2).value_or(0);
    request.counters = planned.counters;
    if (planned.counters) request.block_ns = counting_block_ns;
    request.deadline_ns = 0; // the worker sets it when its pilot has told how long a pair takes
    return request;
  }

  // ---- time ----

  double measured_here_s() const { return static_cast<double>(clock_.now_ns() - began_ns_ - waited_ns_) * 1e-9; }
  double waited_here_s() const { return static_cast<double>(waited_ns_) * 1e-9; }
  double measuring_s() const { return session_.measuring_s + measured_here_s(); } // of the session's budget
  double throttle_wait_s() const { return session_.throttle_wait_s + waited_here_s(); }

  // What counts against the budget: the paper's method takes the time it takes.
  double budget_used_s() const { return measuring_s() - static_cast<double>(rounds_ns_) * 1e-9; }

  double left_s() const {
    const double here_s = measured_here_s();
    const double waiting_ratio = here_s > 0 ? waited_here_s() / here_s : 0;
    return seconds_left(run_.plan, progress_, budget_used_s(), waiting_ratio);
  }

  void wait_for_throttle(const PlannedVisit& planned) {
    const Point& point = point_of(planned);
    if (point.policy == Policy::other || point.method == Method::paper) return;
    const std::int64_t expected_ns =
        expected_fifo_ns(request_for(planned), fifo_ns_[static_cast<std::size_t>(planned.point_index)]);
    const std::int64_t before = clock_.now_ns();
    if (const auto ns = fifo_.wait_ns(point.placement, before, expected_ns); ns > 0) {
      clock_.wait(ns, stop_);
      waited_ns_ += clock_.now_ns() - before;
    }
  }

  void remember_fifo(const Visit& visit) {
    if (visit.request.counters) return; // its blocks are longer than those of the visits to come
    fifo_ns_[static_cast<std::size_t>(visit.point_index)] = visit.data()->report.fifo_ns;
  }

  // A failed visit may have been real-time for all we know.
  void charge(const Visit& visit, std::int64_t ended_ns, std::int64_t took_ns) {
    const Point& point = run_.points[static_cast<std::size_t>(visit.point_index)];
    if (const auto* data = visit.data()) {
      fifo_.spent(point.placement, ended_ns, data->report.fifo_ns);
      remember_fifo(visit);
    } else if (point.policy != Policy::other) {
      fifo_.spent(point.placement, ended_ns, took_ns);
    }
  }

  // ---- progress ----

  void count(const Visit& visit, double took_ns) {
    auto& point = progress_[static_cast<std::size_t>(visit.point_index)];
    point.visit_s = (point.visit_s * point.visits + took_ns * 1e-9) / (point.visits + 1);
    ++point.visits;
  }

  void refresh_imprecision() {
    const std::vector<double> imprecision = imprecision_of_(visits_);
    for (std::size_t i = 0; i < progress_.size() && i < imprecision.size(); ++i) {
      auto& point = progress_[i];
      point.imprecision = imprecision[i];
      if (point.first_precise_at == 0 && is_precise(point)) point.first_precise_at = point.visits;
    }
  }

  const Point& point_of(const PlannedVisit& planned) const {
    return run_.points[static_cast<std::size_t>(planned.point_index)];
  }

  // Visits are counted over all resumptions, so no two passes of a run share their order.
  std::uint64_t order_seed() const { return mixed(~run_.plan.seed, static_cast<std::uint64_t>(sequence_)); }

  Run run_; // its points grow
  const Environment& machine_;
  const Session& session_;
  WorkerLink& link_;
  const ImprecisionOf& imprecision_of_;
  const PointsToAdd& points_to_add_;
  const EventSink& sink_;
  const StopFlag& stop_;
  RunClock& clock_;
  FifoAccount& fifo_;
  std::vector<Visit> visits_;
  std::vector<PointProgress> progress_;
  std::vector<std::optional<std::int64_t>> fifo_ns_; // real time that the point's last visit spent
  std::vector<bool> counted_;                        // whether the point had its counting visit
  int sequence_ = 0;
  int last_pass_ = 0;
  int last_point_ = -1;
  std::int64_t began_ns_ = 0;
  std::int64_t waited_ns_ = 0;
  std::int64_t rounds_ns_ = 0; // of the paper's method, over all resumptions
  std::string last_failure_;
};

} // namespace

Ending ending_of(const WorkerProblem& problem, const StopFlag& stop) {
  const bool by_user = problem.kind == WorkerProblem::Kind::stopped || stop.level() != StopFlag::none;
  return {by_user ? RunState::cancelled : RunState::incomplete, problem.what()};
}

Ending stopped_by_user() {
  return {RunState::cancelled, "Stopped by the user."};
}

SessionResult measure_session(const SessionTask& task, WorkerLink& link, const ImprecisionOf& imprecision_of,
                              const EventSink& sink, const StopFlag& stop, RunClock& clock, FifoAccount& fifo,
                              const PointsToAdd& points_to_add) {
  return Sweep(task, link, imprecision_of, sink, stop, clock, fifo, points_to_add).perform();
}

} // namespace switchscope
