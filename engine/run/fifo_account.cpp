#include "engine/run/fifo_account.h"

#include "engine/model/visit_time.h"

#include <algorithm>
#include <set>

namespace switchscope {

namespace {

constexpr std::int64_t default_period_us = 1'000'000;
constexpr std::int64_t default_runtime_us = 950'000;
constexpr int anywhere = -1;

std::set<int> cpus_of(const Placement& placement) {
  switch (placement.kind) {
  case Placement::Kind::same_cpu:
  case Placement::Kind::two_cpus:
    return {placement.cpu_a, placement.cpu_b < 0 ? placement.cpu_a : placement.cpu_b};
  case Placement::Kind::free:
  case Placement::Kind::automatic:
    break;
  }
  return {anywhere};
}

} // namespace

std::int64_t expected_fifo_ns(const VisitRequest& request, std::optional<std::int64_t> last_ns) {
  if (last_ns == 0) return 0;
  const std::int64_t least_ns = std::max(request.duration_ns / 5 * 6, last_ns.value_or(0));
  if (last_ns && !request.counters) return least_ns; // one that counts has longer blocks than those before it
  return std::max(least_ns, request.min_pairs * std::min(usual_pair_ns(request), longest_real_time_pair_ns));
}

FifoAccount::FifoAccount(const Environment& environment) {
  const std::int64_t runtime_us =
      lower_rt_runtime_us(environment.rt_runtime_us.value_or(default_runtime_us), environment.rt_group_runtime_us)
          .value_or(default_runtime_us);
  period_ns_ = environment.rt_period_us.value_or(default_period_us) * 1000;
  if (runtime_us >= 0 && period_ns_ > 0) limit_ns_ = runtime_us * 1000 / 10 * 9;
}

void FifoAccount::spent(const Placement& placement, std::int64_t ended_ns, std::int64_t fifo_ns) {
  if (!limit_ns_ || fifo_ns <= 0) return;
  for (const int cpu : cpus_of(placement)) {
    auto& stretches = by_cpu_[cpu];
    while (!stretches.empty() && stretches.front().to_ns < ended_ns - 2 * period_ns_) stretches.pop_front();
    std::int64_t from = ended_ns - fifo_ns;
    if (!stretches.empty()) from = std::max(from, stretches.back().to_ns);
    stretches.push_back({from, ended_ns});
  }
}

// The window that matters is the period that ends with the new visit: while it runs, each moment adds one moment and
// loses at most one. So the visit may start when what is left of the past in that window, and its own time, fit.
std::int64_t FifoAccount::start_ns(const std::deque<Stretch>& stretches, std::int64_t now_ns,
                                   std::int64_t fifo_ns) const {
  const std::int64_t own = std::min(fifo_ns, *limit_ns_);
  std::int64_t room = *limit_ns_ - own;
  for (auto stretch = stretches.rbegin(); stretch != stretches.rend(); ++stretch) {
    const std::int64_t length = stretch->to_ns - stretch->from_ns;
    if (length > room) return std::max(now_ns, stretch->to_ns - room + period_ns_ - own);
    room -= length;
  }
  return now_ns;
}

std::int64_t FifoAccount::wait_ns(const Placement& placement, std::int64_t now_ns, std::int64_t fifo_ns) const {
  if (!limit_ns_ || fifo_ns <= 0) return 0;
  std::int64_t start = now_ns;
  const std::set<int> cpus = cpus_of(placement);
  for (const auto& [cpu, stretches] : by_cpu_)
    if (cpu == anywhere || cpus.count(anywhere) > 0 || cpus.count(cpu) > 0)
      start = std::max(start, start_ns(stretches, now_ns, fifo_ns));
  return start - now_ns;
}

} // namespace switchscope
