#include "engine/worker/sharing.h"

#include "engine/worker/clock.h"
#include "engine/worker/probe.h"
#include "engine/worker/proc_counters.h"
#include "engine/worker/scheduling.h"
#include "engine/worker/spinner.h"

#include <algorithm>
#include <optional>
#include <unistd.h>
#include <vector>

namespace switchscope {
namespace {

constexpr std::int64_t settling_ns = 1'000'000; // the other task wakes up, or falls asleep
constexpr std::int64_t pause_between_ns = 200'000;
constexpr std::int64_t grace_ns = 1'000'000'000;
constexpr double least_spun_ratio = 0.8;

void sleep_until(std::int64_t raw_ns) {
  sleep_ns(raw_ns - monotonic_raw_ns());
}

// The median until then. The probe pauses, so that a task which waits for this CPU need not interrupt it.
std::optional<double> reading_until(std::int64_t end_ns, ClockSource clock) {
  std::vector<double> readings;
  while (monotonic_raw_ns() < end_ns) {
    readings.push_back(adds_per_cycle_now(clock));
    sleep_until(monotonic_raw_ns() + pause_between_ns);
  }
  if (readings.empty()) return std::nullopt;
  const auto middle = readings.begin() + static_cast<std::ptrdiff_t>(readings.size() / 2);
  std::nth_element(readings.begin(), middle, readings.end());
  return *middle;
}

// One pair. Nothing where the other task could not spin through its slot, as on a CPU that somebody else keeps.
void add_pair(SharingSeries& series, Spinner& spinner, ClockSource clock) {
  const std::int64_t begin_ns = monotonic_raw_ns();
  sleep_until(begin_ns + settling_ns);
  const auto quiet = reading_until(begin_ns + sharing_slot_ns, clock);
  const std::int64_t turn_ns = monotonic_raw_ns();
  spinner.start(2 * sharing_slot_ns);
  sleep_until(turn_ns + settling_ns);
  const std::int64_t from_ns = monotonic_raw_ns();
  const std::int64_t spun_before_ns = spinner.spun_ns();
  const auto busy = reading_until(turn_ns + sharing_slot_ns, clock);
  const std::int64_t spun_ns = spinner.spun_ns() - spun_before_ns;
  const std::int64_t took_ns = monotonic_raw_ns() - from_ns;
  spinner.stop();
  if (!quiet || !busy || static_cast<double>(spun_ns) < least_spun_ratio * static_cast<double>(took_ns)) return;
  series.quiet.push_back(*quiet);
  series.busy.push_back(*busy);
}

std::int64_t busy_ns(int cpu) {
  const auto ticks_per_s = static_cast<std::int64_t>(sysconf(_SC_CLK_TCK));
  return busy_ticks(file_text("/proc/stat"), cpu).value_or(0) *
         (1'000'000'000 / std::max<std::int64_t>(1, ticks_per_s));
}

SharingSeries series_of(int cpu, int pairs, std::int64_t end_ns, std::int64_t deadline_ns, ClockSource clock) {
  SharingSeries series;
  series.cpu = cpu;
  Spinner spinner(cpu, deadline_ns);
  const std::int64_t begin_ns = monotonic_raw_ns();
  const std::int64_t busy_before_ns = busy_ns(cpu);
  for (int pair = 0; pair < pairs && monotonic_raw_ns() + 2 * sharing_slot_ns <= end_ns; ++pair)
    add_pair(series, spinner, clock);
  const std::int64_t others_ns = busy_ns(cpu) - busy_before_ns - spinner.spun_ns();
  const auto took_ns = static_cast<double>(std::max<std::int64_t>(1, monotonic_raw_ns() - begin_ns));
  series.others_busy_ratio = static_cast<double>(others_ns) / took_ns;
  return series;
}

} // namespace

SharingTimetable sharing_timetable(std::int64_t duration_ns, std::size_t candidates) {
  constexpr std::int64_t lost_ns = 60'000'000; // to start and to end the tasks
  const auto pairs = static_cast<int>(std::max<std::int64_t>(1, (duration_ns - lost_ns) / (2 * sharing_slot_ns)));
  const int fitting = std::max(1, pairs / fewest_sharing_pairs);
  const int tried = static_cast<int>(std::min<std::size_t>(candidates, static_cast<std::size_t>(fitting)));
  return {tried, pairs / std::max(1, tried)};
}

SharingLine probe_sharing(const SharesCommand& command) {
  const SharesRequest& request = command.request;
  const std::int64_t end_ns = monotonic_raw_ns() + request.duration_ns;
  pin_to_cpu(request.cpu);
  const ClockSource clock = clock_source_here();
  const SharingTimetable timetable = sharing_timetable(request.duration_ns, request.candidates.size());
  SharingLine line{command.id, request.cpu, {}};
  for (int i = 0; i < timetable.candidates; ++i)
    line.others.push_back(series_of(request.candidates[static_cast<std::size_t>(i)], timetable.pairs, end_ns,
                                    request.duration_ns + grace_ns, clock));
  return line;
}

} // namespace switchscope
