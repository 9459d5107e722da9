#include "app/cli/instrument_text.h"

#include "app/cli/columns.h"
#include "app/cli/wording.h"
#include "engine/model/utc.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace switchscope {
namespace {

constexpr int columns_for_all = 100;
constexpr int rounds_for_an_interval = 4;
constexpr std::int64_t named_addition_ns = 1'000; // the one that stands for all in one line

std::string whole(std::int64_t number) { // "−1,000"
  std::string digits = std::to_string(std::abs(number));
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return (number < 0 ? "−" : "") + digits;
}

// Ten times finer than a nanosecond below 10 ns, where whole ones would hide what there is to see.
std::string ns_number(double ns) {
  if (std::abs(ns) >= 10) return whole(std::llround(ns));
  const double tenths = std::round(ns * 10) / 10;
  return fmt::format("{}{:.1f}", tenths < 0 ? "−" : "", std::abs(tenths));
}

bool has_interval(const KnownCheck& check) {
  return check.rounds >= rounds_for_an_interval;
}

// The ends of an interval, or of what few rounds read.
std::string ends_text(const KnownCheck& check, double low, double high) {
  if (has_interval(check)) return fmt::format("({} to {})", ns_number(low), ns_number(high));
  return check.rounds == 1 ? "one round" : fmt::format("seen {}…{}", ns_number(low), ns_number(high));
}

std::string verdict_word(CheckVerdict verdict) {
  switch (verdict) {
  case CheckVerdict::passed:
    return "passed";
  case CheckVerdict::failed:
    return "FAILED";
  case CheckVerdict::too_noisy:
    return "too noisy";
  }
  return "?";
}

std::string name_of_check(const KnownCheck& check) {
  return check.added_ns == 0 ? "S2 against S2" : "addition";
}

std::string reading_text(const KnownCheck& check) {
  if (check.rounds == 0) return check.added_ns == 0 ? "S2 was not read" : whole(check.added_ns) + " ns was not read";
  const std::string read = fmt::format(
      "{} read as {}", check.added_ns == 0 ? "S2 less S2" : whole(check.added_ns) + " ns", ns_number(check.read_ns));
  if (!has_interval(check)) return fmt::format("{} ({})", read, ends_text(check, check.low_ns, check.high_ns));
  return fmt::format("{} ± {}", read, ns_number((check.high_ns - check.low_ns) / 2));
}

const KnownCheck* named_check(const InstrumentCheck& check) {
  const auto found = std::find_if(check.checks.begin(), check.checks.end(),
                                  [](const KnownCheck& known) { return known.added_ns == named_addition_ns; });
  return found == check.checks.end() ? nullptr : &*found;
}

std::string readings_with(const InstrumentCheck& check, CheckVerdict verdict) {
  std::vector<std::string> readings;
  for (const KnownCheck& known : check.checks)
    if (known.verdict == verdict) readings.push_back(reading_text(known));
  return joined(readings, "; ");
}

std::string count_text(const CountProof& count) {
  return fmt::format("switches: {} and {} of {} expected of each task; {} in {} trips without a switch",
                     whole(count.observed_a), whole(count.observed_b), whole(count.expected_per_task),
                     whole(count.baseline_switches), whole(count.baseline_trips));
}

std::string perf_text(const InstrumentCheck& check) {
  if (!check.perf) return check.perf_absent;
  const PerfComparison& perf = *check.perf;
  return fmt::format(
      "Beside perf bench sched pipe: S1 {} ns, half of its time {} ns; ratio {:.3f} ({:.3f} to {:.3f} in "
      "{} turns).",
      whole(std::llround(perf.ours_ns)), whole(std::llround(perf.perf_ns)), perf.ratio, perf.lowest_ratio,
      perf.highest_ratio, perf.turns);
}

std::string neighbour_text(const InstrumentCheck& check) {
  if (check.clean || check.contended_share <= 0) return "";
  return fmt::format(" A neighbour was busy in {:.0f} % of the probes.", 100 * check.contended_share);
}

std::string pairs_words(const InstrumentCheck& check) {
  if (!check.clean) return "all pairs";
  return check.contention_known ? "clean pairs" : "contention unknown";
}

std::string title_of(const InstrumentCheck& check) {
  int rounds = 0;
  for (const KnownCheck& known : check.checks) rounds = std::max(rounds, known.rounds);
  return fmt::format("selftest · {} · CPU {} · {} · {} rounds in {:.1f} s · {}", printable(check.taken_at), check.cpu,
                     policy_words(check.policy, check.priority), rounds, check.seconds, pairs_words(check));
}

struct Cells {
  std::string check, added, read, shown, of_verdict, verdict;
};

std::string row(const Cells& cells, int columns) {
  const bool all = columns >= columns_for_all;
  return padded_right(cells.check, 14) + padded_left(cells.added, 7) + padded_left(cells.read, 9) +
         (all ? padded_left(cells.shown, 20) : "") + padded_left(cells.of_verdict, all ? 20 : 18) + "  " +
         cells.verdict + '\n';
}

std::string days_text(std::chrono::seconds age, const std::string& none, const std::string& after) {
  const auto days = std::chrono::floor<std::chrono::days>(age).count();
  if (days < 1) return none;
  return fmt::format("{} {} {}", days, days == 1 ? "day" : "days", after);
}

std::string when(const std::string& taken_at, const std::string& run_started_at, const std::string& now) {
  const auto taken = parse_utc(taken_at);
  const auto started = parse_utc(run_started_at);
  const auto today = parse_utc(now);
  if (!taken || !started || !today) return "on " + printable(taken_at);
  if (*today - *started < std::chrono::days(1)) return days_text(*today - *taken, "today", "ago");
  return days_text(*started - *taken, "less than a day before this run", "before this run");
}

} // namespace

std::string verdict_sentence(const InstrumentCheck& check) {
  const KnownCheck* named = named_check(check);
  switch (check.verdict) {
  case CheckVerdict::passed:
    return fmt::format("Passed: {}.", named != nullptr ? reading_text(*named) : "all checks");
  case CheckVerdict::failed: {
    std::string what = readings_with(check, CheckVerdict::failed);
    if (!check.count.holds && check.count.expected_per_task > 0)
      what += (what.empty() ? "" : "; ") + count_text(check.count);
    return fmt::format("FAILED: {}. Do not rely on costs measured on CPU {} until a selftest passes.", what, check.cpu);
  }
  case CheckVerdict::too_noisy:
    return fmt::format("Too noisy to tell: {}.{}{} Run it again when the machine is quieter.",
                       readings_with(check, CheckVerdict::too_noisy), neighbour_text(check),
                       check.failed_visits > 0
                           ? fmt::format(" {} visits failed: {}", check.failed_visits, printable(check.last_failure))
                           : "");
  }
  return {};
}

std::string selftest_text(const InstrumentCheck& check, int columns) {
  std::string text = wrapped_text(title_of(check), columns, 2) + '\n';
  text += row({"check", "added", "read, ns", "95 %", "of the verdict", "verdict"}, columns);
  for (const KnownCheck& known : check.checks) {
    const bool was_read = known.rounds > 0;
    text += row({name_of_check(known), whole(known.added_ns), was_read ? ns_number(known.read_ns) : "–",
                 was_read ? ends_text(known, known.low_ns, known.high_ns) : "",
                 was_read ? ends_text(known, known.verdict_low_ns, known.verdict_high_ns) : "",
                 verdict_word(known.verdict)},
                columns);
  }
  const std::string count = check.count.holds ? "passed" : "FAILED";
  text += '\n' + wrapped_text("Count of " + count_text(check.count) + ": " + count + ".", columns, 2);
  if (const std::string perf = perf_text(check); !perf.empty()) text += wrapped_text(perf, columns, 2);
  return text + wrapped_text(verdict_sentence(check), columns, 2);
}

std::string instrument_line(const std::optional<InstrumentCheck>& check, const std::string& run_started_at,
                            const std::string& now, int columns) {
  if (!check) return {};
  const std::string checked = "Instrument checked " + when(check->taken_at, run_started_at, now) + ": ";
  const KnownCheck* named = named_check(*check);
  switch (check->verdict) {
  case CheckVerdict::passed:
    return wrapped_text(checked + (named != nullptr ? reading_text(*named) : "passed") + ".", columns, 2);
  case CheckVerdict::failed:
    return wrapped_text(checked + verdict_sentence(*check), columns, 2);
  case CheckVerdict::too_noisy:
    return wrapped_text(checked + "it was too noisy to tell.", columns, 2);
  }
  return {};
}

} // namespace switchscope
