#include "engine/worker/counters.h"

#include "engine/worker/core_pmu.h"

#include <cerrno>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace switchscope {
namespace {

struct Event {
  const char* name;
  std::uint32_t type;
  std::uint64_t config;
};

// perf_event_open(2). Which level "cache misses" are of depends on the processor.
constexpr std::array<Event, event_count> events{
    Event{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    Event{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    Event{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    Event{"dtlb-misses", PERF_TYPE_HW_CACHE,
          PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_MISS << 16},
    Event{"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES}};

std::size_t index_of(Phase phase) {
  return static_cast<std::size_t>(phase);
}

FileDescriptor open_event(const Event& event, std::uint64_t pmu_bits, bool user_only) {
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = event.type;
  wanted.config = event.config | (event.type == PERF_TYPE_SOFTWARE ? 0 : pmu_bits);
  wanted.exclude_kernel = user_only ? 1 : 0;
  wanted.exclude_hv = 1;
  wanted.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return FileDescriptor(static_cast<int>(::syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
}

bool is_refusal(int error) {
  return error == EACCES || error == EPERM;
}

double scaled(const EventSum& sum) {
  if (sum.enabled_ns <= sum.running_ns) return static_cast<double>(sum.counted);
  return static_cast<double>(sum.counted) * static_cast<double>(sum.enabled_ns) / static_cast<double>(sum.running_ns);
}

// In the order S1 of A, S1 of B, S2A, S2B.
std::array<const EventSum*, 4> sums_of(const EventOfBoth& event) {
  return {&event.a.sums[index_of(Phase::switching)], &event.b.sums[index_of(Phase::switching)],
          &event.a.sums[index_of(Phase::baseline_a)], &event.b.sums[index_of(Phase::baseline_b)]};
}

double scheduled_share(const std::array<const EventSum*, 4>& sums) {
  double enabled_ns = 0;
  double running_ns = 0;
  for (const EventSum* sum : sums) {
    enabled_ns += static_cast<double>(sum->enabled_ns);
    running_ns += static_cast<double>(sum->running_ns);
  }
  return enabled_ns > running_ns ? running_ns / enabled_ns : 1;
}

CounterReading reading_over_trips(const CountedPhases& a, const CountedPhases& b) {
  CounterReading reading;
  reading.round_trips = a.trips[index_of(Phase::switching)];
  reading.trips_a = a.trips[index_of(Phase::baseline_a)];
  reading.trips_b = b.trips[index_of(Phase::baseline_b)];
  return reading;
}

} // namespace

std::string_view name_of_event(std::size_t index) {
  return events[index].name;
}

bool EventOfBoth::never_ran() const {
  for (const EventSum* sum : sums_of(*this))
    if (sum->running_ns == 0) return true;
  return false;
}

Counters::Counters(int cpu) : domains_(energy_domains(root_, package_of(root_, cpu))) {
  counted_.has_energy_meter = !domains_.empty();
  counted_.has_energy = counted_.has_energy_meter && energy_now_uj(root_, domains_).has_value();
  const std::uint64_t pmu_bits = core_pmu_bits(root_, cpu);
  for (std::size_t i = 0; i < event_count; ++i) {
    CountedEvent& event = counted_.events[i];
    files_[i] = open_event(events[i], pmu_bits, false);
    // The kernel counts its own events (context switches) in kernel mode only: without it they would read 0.
    if (!files_[i].is_open() && is_refusal(errno) && events[i].type != PERF_TYPE_SOFTWARE) {
      files_[i] = open_event(events[i], pmu_bits, true);
      event.user_only = files_[i].is_open();
    }
    if (!files_[i].is_open()) event.error = errno;
  }
}

Counters::Sums Counters::read_events() const {
  Sums sums{};
  for (std::size_t i = 0; i < event_count; ++i) {
    std::array<std::uint64_t, 3> values{}; // read_format's order: value, time enabled, time running
    if (files_[i].is_open() &&
        ::read(files_[i].get(), values.data(), sizeof values) == static_cast<ssize_t>(sizeof values))
      sums[i] = {values[0], values[1], values[2]};
  }
  return sums;
}

void Counters::begin() {
  if (counted_.has_energy) energy_before_uj_ = energy_now_uj(root_, domains_);
  before_ = read_events(); // last, so that reading the energy is not counted
}

void Counters::end(Phase phase, std::int64_t trips) {
  const Sums after = read_events();
  for (std::size_t i = 0; i < event_count; ++i) {
    EventSum& sum = counted_.events[i].sums[index_of(phase)];
    sum.counted += after[i].counted - before_[i].counted;
    sum.enabled_ns += after[i].enabled_ns - before_[i].enabled_ns;
    sum.running_ns += after[i].running_ns - before_[i].running_ns;
  }
  counted_.trips[index_of(phase)] += trips;
  if (!counted_.has_energy) return;
  const auto energy_after_uj = energy_now_uj(root_, domains_);
  counted_.has_energy = energy_before_uj_ && energy_after_uj;
  if (counted_.has_energy)
    counted_.joules[index_of(phase)] += joules_between(domains_, *energy_before_uj_, *energy_after_uj);
}

std::vector<CounterReading> readings_of(const CountedPhases& a, const CountedPhases& b) {
  std::vector<CounterReading> readings;
  CounterReading reading = reading_over_trips(a, b);
  if (reading.round_trips == 0 || reading.trips_a == 0 || reading.trips_b == 0) return readings;
  for (std::size_t i = 0; i < event_count; ++i) {
    const EventOfBoth event{a.events[i], b.events[i]};
    if (event.error() != 0 || event.never_ran()) continue;
    const auto sums = sums_of(event);
    const auto [switching_a, switching_b, baseline_a, baseline_b] = sums;
    reading.name = std::string(events[i].name) + (event.user_only() ? ":u" : "");
    reading.unit = "count";
    reading.switching = scaled(*switching_a) + scaled(*switching_b);
    reading.baseline_a = scaled(*baseline_a);
    reading.baseline_b = scaled(*baseline_b);
    reading.scheduled_share = scheduled_share(sums);
    readings.push_back(reading);
  }
  if (a.has_energy && b.has_energy) { // both tasks read the same meter, so S1 is A's alone
    reading.name = "package-joules";
    reading.unit = "J";
    reading.switching = a.joules[index_of(Phase::switching)];
    reading.baseline_a = a.joules[index_of(Phase::baseline_a)];
    reading.baseline_b = b.joules[index_of(Phase::baseline_b)];
    reading.scheduled_share = 1;
    readings.push_back(reading);
  }
  return readings;
}

} // namespace switchscope
