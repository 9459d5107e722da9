#include "engine/session/selftest.h"

#include "engine/analysis/intervals.h"
#include "engine/run/fifo_account.h"
#include "engine/run/seeds.h"

#include <algorithm>

namespace switchscope {
namespace {

constexpr std::int64_t visit_ns = 50'000'000;
constexpr std::int64_t perf_turn_ns = 40'000'000;
constexpr int rounds_between_perf_turns = 3;
constexpr std::uint64_t perf_stream = std::uint64_t{1} << 32; // seeds apart from those of the rounds

VisitRequest request_for(const SelftestSetup& setup, VisitKind kind, std::int64_t added_ns, std::uint64_t stream) {
  VisitRequest request;
  request.point.placement = {Placement::Kind::same_cpu, setup.cpu, setup.cpu};
  request.duration_ns = kind == VisitKind::cost ? perf_turn_ns : visit_ns;
  request.kind = kind;
  request.added_ns = added_ns;
  request.seed = mixed(setup.seed, stream);
  return request;
}

double switching_ns(const VisitData& data) {
  std::vector<double> values;
  for (const Block& block : data.blocks)
    if (block.phase == Phase::switching) values.push_back(per_operation_ns(block));
  return median_of(std::move(values));
}

class Selftest {
public:
  Selftest(const SelftestSetup& setup, WorkerLink& link, const PerfRun& perf, const StopFlag& stop, RunClock& clock)
      : setup_(setup), link_(link), perf_(perf), stop_(stop), clock_(clock), fifo_(setup.environment) {
    measured_.taken_at = clock.utc_text();
  }

  SelftestMeasured perform(const SelftestSink& sink) {
    const std::int64_t began = clock_.now_ns();
    const auto elapsed_s = [&] { return static_cast<double>(clock_.now_ns() - began) * 1e-9; };
    for (int round = 0; !stopped(); ++round) {
      const double round_s = round == 0 ? 0 : elapsed_s() / round;
      if (round > 0 && elapsed_s() + round_s > setup_.seconds) break;
      for (const VisitRequest& request : selftest_round(setup_, round)) {
        if (stopped()) break;
        measure(round, request);
      }
      if (round % rounds_between_perf_turns == 0) take_perf_turn(round / rounds_between_perf_turns);
      sink(round, elapsed_s());
    }
    measured_.seconds = elapsed_s();
    return std::move(measured_);
  }

private:
  [[nodiscard]] bool stopped() const { return stop_.level() != StopFlag::none; }

  const VisitData* measure(int round, const VisitRequest& request) {
    const Placement& placement = request.point.placement;
    wait_for_throttle(placement, request.duration_ns + request.duration_ns / 5);
    if (stopped()) return nullptr;
    const std::int64_t began = clock_.now_ns();
    VisitOutcome outcome = link_.measure(request);
    const std::int64_t ended = clock_.now_ns();
    if (std::holds_alternative<VisitFailure>(outcome) && stop_.level() == StopFlag::now) return nullptr;
    const auto* data = std::get_if<VisitData>(&outcome);
    fifo_.spent(placement, ended, data != nullptr ? data->report.fifo_ns : ended - began);
    measured_.visits.push_back({round, request, std::move(outcome)});
    return std::get_if<VisitData>(&measured_.visits.back().outcome);
  }

  void take_perf_turn(int turn) {
    if (turn >= selftest_perf_turns || !measured_.perf_absent.empty() || stopped()) return;
    const VisitRequest request = perf_turn_request(setup_, turn);
    const VisitData* data = measure(-1, request);
    if (data == nullptr) return;
    const double ours_ns = switching_ns(*data);
    wait_for_throttle(request.point.placement, perf_turn_ns * 2);
    const std::int64_t began = clock_.now_ns();
    const PerfAnswer answer = perf_(setup_.cpu, data->report.policy, data->report.priority);
    const std::int64_t ended = clock_.now_ns();
    if (data->report.policy != Policy::other) fifo_.spent(request.point.placement, ended, ended - began);
    if (const auto* absent = std::get_if<std::string>(&answer))
      measured_.perf_absent = *absent;
    else
      measured_.perf_turns.push_back({ours_ns, std::get<double>(answer)});
  }

  void wait_for_throttle(const Placement& placement, std::int64_t expected_ns) {
    if (const auto ns = fifo_.wait_ns(placement, clock_.now_ns(), expected_ns); ns > 0) clock_.wait(ns, stop_);
  }

  const SelftestSetup& setup_;
  WorkerLink& link_;
  const PerfRun& perf_;
  const StopFlag& stop_;
  RunClock& clock_;
  FifoAccount fifo_;
  SelftestMeasured measured_;
};

} // namespace

std::vector<VisitRequest> selftest_round(const SelftestSetup& setup, int round) {
  const auto stream = static_cast<std::uint64_t>(round) * 16;
  std::vector<VisitRequest> requests{request_for(setup, VisitKind::baseline_only, 0, stream),
                                     request_for(setup, VisitKind::known_addition, 0, stream + 1)};
  for (const std::int64_t added_ns : selftest_additions_ns)
    requests.push_back(request_for(setup, VisitKind::known_addition, added_ns, stream + requests.size()));
  Randomness(mixed(~setup.seed, stream)).shuffle(requests);
  return requests;
}

VisitRequest perf_turn_request(const SelftestSetup& setup, int turn) {
  return request_for(setup, VisitKind::cost, 0, perf_stream + static_cast<std::uint64_t>(turn));
}

SelftestMeasured run_selftest(const SelftestSetup& setup, WorkerLink& link, const PerfRun& perf,
                              const SelftestSink& sink, const StopFlag& stop, RunClock& clock) {
  return Selftest(setup, link, perf, stop, clock).perform(sink);
}

} // namespace switchscope
