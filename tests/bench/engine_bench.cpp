// What the engine spends between visits: reading the worker's lines, and estimating while a run goes on.
#include "engine/analysis/estimate.h"
#include "engine/protocol/messages.h"
#include "tests/analysis/synthetic.h"

#include <benchmark/benchmark.h>

using namespace switchscope;

namespace {

std::vector<Visit> visits_of_run(Run& run, int points, int visits_per_point) {
  run = synthetic::run_of();
  run.points.resize(static_cast<std::size_t>(points), synthetic::data_point());
  for (std::size_t i = 2; i < run.points.size(); ++i) run.points[i].array_bytes += static_cast<std::int64_t>(i) * 64;
  synthetic::Generator generator({}, 1);
  std::vector<Visit> visits;
  for (int i = 0; i < points * visits_per_point; ++i) {
    Visit visit;
    visit.sequence = i;
    visit.point_index = i % points;
    visit.request.point = run.points[static_cast<std::size_t>(visit.point_index)];
    visit.outcome = generator.visit(0);
    visits.push_back(std::move(visit));
  }
  return visits;
}

void decode_a_block(benchmark::State& state) {
  const std::string line = encode(BlockLine{1, synthetic::Generator({}, 1).visit(0).blocks.front()});
  for (auto _ : state) benchmark::DoNotOptimize(decode_event(line));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(line.size()));
}
BENCHMARK(decode_a_block)->Unit(benchmark::kMicrosecond);

void estimate_a_run(benchmark::State& state) {
  Run run;
  const auto visits = visits_of_run(run, 42, static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(estimate_run(run, visits));
  state.SetLabel("42 points, " + std::to_string(visits.size()) + " visits");
}
BENCHMARK(estimate_a_run)->Arg(5)->Arg(15)->Arg(40)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
