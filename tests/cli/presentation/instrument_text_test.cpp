#include "app/cli/instrument_text.h"

#include "app/cli/columns.h"

#include <gtest/gtest.h>

#include <sstream>

namespace switchscope {
namespace {

KnownCheck read_as(std::int64_t added_ns, double read_ns, double half_width_ns, CheckVerdict verdict) {
  KnownCheck check;
  check.added_ns = added_ns;
  check.read_ns = read_ns;
  check.low_ns = read_ns - half_width_ns;
  check.high_ns = read_ns + half_width_ns;
  check.verdict_low_ns = read_ns - 1.4 * half_width_ns;
  check.verdict_high_ns = read_ns + 1.4 * half_width_ns;
  check.rounds = 20;
  check.verdict = verdict;
  return check;
}

InstrumentCheck good_check() {
  InstrumentCheck check;
  check.taken_at = "2026-11-30T19:22:00.123Z";
  check.cpu = 1;
  check.policy = Policy::fifo;
  check.priority = 50;
  check.seconds = 8.9;
  check.clean = true;
  check.contention_known = true;
  check.checks = {read_as(0, -0.6, 0.7, CheckVerdict::passed), read_as(250, 252, 10, CheckVerdict::passed),
                  read_as(1000, 998, 12, CheckVerdict::passed), read_as(4000, 4006, 9, CheckVerdict::passed)};
  check.count = {671'364, 671'365, 671'364, 3'184'086, 0, true};
  check.perf = PerfComparison{2262, 2317, 0.977, 0.974, 0.99, 6};
  check.verdict = CheckVerdict::passed;
  return check;
}

InstrumentCheck wrong_check() {
  InstrumentCheck check = good_check();
  check.checks[2] = read_as(1000, 900, 20, CheckVerdict::failed);
  check.verdict = CheckVerdict::failed;
  return check;
}

constexpr const char* wrong_sentence =
    "FAILED: 1,000 ns read as 900 ± 20. Do not rely on costs measured on CPU 1 until a selftest passes.";

TEST(InstrumentText, TheVerdictIsOneSentence) {
  EXPECT_EQ(verdict_sentence(good_check()), "Passed: 1,000 ns read as 998 ± 12.");
  EXPECT_EQ(verdict_sentence(wrong_check()), wrong_sentence);

  InstrumentCheck lost = good_check();
  lost.count.observed_b = 600'000;
  lost.count.holds = false;
  lost.verdict = CheckVerdict::failed;
  EXPECT_EQ(verdict_sentence(lost), "FAILED: switches: 671,365 and 600,000 of 671,364 expected of each task; 0 in "
                                    "3,184,086 trips without a switch. Do not rely on costs measured on CPU 1 until a "
                                    "selftest passes.");

  InstrumentCheck noisy = good_check();
  noisy.clean = false;
  noisy.contended_share = 0.4;
  noisy.checks[1] = read_as(250, 290, 120, CheckVerdict::too_noisy);
  noisy.verdict = CheckVerdict::too_noisy;
  EXPECT_EQ(verdict_sentence(noisy), "Too noisy to tell: 250 ns read as 290 ± 120. A neighbour was busy in 40 % of the "
                                     "probes. Run it again when the machine is quieter.");
}

TEST(InstrumentText, TheTableFitsAndEndsWithTheVerdict) {
  EXPECT_EQ(selftest_text(good_check()),
            R"(selftest · 2026-11-30T19:22:00.123Z · CPU 1 · FIFO 50 · 20 rounds in 8.9 s · clean pairs

check           added read, ns                95 %      of the verdict  verdict
S2 against S2       0     −0.6       (−1.3 to 0.1)       (−1.6 to 0.4)  passed
addition          250      252        (242 to 262)        (238 to 266)  passed
addition        1,000      998      (986 to 1,010)      (981 to 1,015)  passed
addition        4,000    4,006    (3,997 to 4,015)    (3,993 to 4,019)  passed

Count of switches: 671,365 and 671,364 of 671,364 expected of each task; 0 in 3,184,086 trips
  without a switch: passed.
Beside perf bench sched pipe: S1 2,262 ns, half of its time 2,317 ns; ratio 0.977 (0.974 to 0.990 in
  6 turns).
Passed: 1,000 ns read as 998 ± 12.
)");
  for (const int columns : {100, 80, 60}) {
    for (const InstrumentCheck& check : {good_check(), wrong_check()}) {
      std::istringstream lines(selftest_text(check, columns));
      for (std::string line; std::getline(lines, line);) EXPECT_LE(width_of(line), columns) << line;
    }
  }
}

TEST(InstrumentText, FewRoundsHaveARangeAndNoInterval) {
  InstrumentCheck check = good_check();
  for (KnownCheck& known : check.checks) {
    known.rounds = 3;
    known.verdict = CheckVerdict::too_noisy;
    known.verdict_low_ns = known.low_ns;
    known.verdict_high_ns = known.high_ns;
  }
  check.checks[3].rounds = 1;
  check.verdict = CheckVerdict::too_noisy;
  EXPECT_EQ(verdict_sentence(check),
            "Too noisy to tell: S2 less S2 read as −0.6 (seen −1.3…0.1); 250 ns read as 252 (seen 242…262); 1,000 ns "
            "read as 998 (seen 986…1,010); 4,000 ns read as 4,006 (one round). Run it again when the machine is "
            "quieter.");
  for (const int columns : {100, 80}) {
    const std::string text = selftest_text(check, columns);
    EXPECT_NE(text.find("seen 986…1,010  too noisy\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("(986 to"), std::string::npos) << text;
    EXPECT_EQ(text.find("±"), std::string::npos) << text;
  }
}

TEST(InstrumentText, PairsAreCalledCleanOnlyWhereThatIsKnown) {
  const auto title = [](const InstrumentCheck& check) {
    const std::string text = selftest_text(check);
    return text.substr(0, text.find('\n'));
  };
  InstrumentCheck check = good_check();
  EXPECT_TRUE(title(check).ends_with(" · clean pairs"));
  check.contention_known = false;
  EXPECT_TRUE(title(check).ends_with(" · contention unknown")) << title(check);
  check.clean = false;
  EXPECT_TRUE(title(check).ends_with(" · all pairs"));
}

TEST(InstrumentText, WithoutPerfItSaysWhy) {
  InstrumentCheck check = good_check();
  check.perf.reset();
  check.perf_absent = "perf is not installed, so there is no comparison with perf bench sched pipe.";
  EXPECT_NE(selftest_text(check).find("\nperf is not installed"), std::string::npos);
}

TEST(InstrumentText, TheLineUnderARunTellsTheAge) {
  const auto line = [](const std::string& run_started_at, const std::string& now) {
    return instrument_line(good_check(), run_started_at, now);
  };
  const std::string read = ": 1,000 ns read as 998 ± 12.\n";
  EXPECT_EQ(line("2026-11-30T20:00:00.000Z", "2026-11-30T20:01:00.000Z"), "Instrument checked today" + read);
  EXPECT_EQ(line("2026-12-01T19:22:01.000Z", "2026-12-01T19:23:00.000Z"), "Instrument checked 1 day ago" + read);
  EXPECT_EQ(line("2026-12-03T20:00:00.000Z", "2026-12-03T20:01:00.000Z"), "Instrument checked 3 days ago" + read);
  EXPECT_EQ(line("2026-12-03T20:00:00.000Z", "2027-02-03T20:01:00.000Z"),
            "Instrument checked 3 days before this run" + read);
  EXPECT_EQ(line("2026-11-30T20:00:00.000Z", "2027-02-03T20:01:00.000Z"),
            "Instrument checked less than a day before this run" + read);
  EXPECT_EQ(instrument_line(wrong_check(), "2026-11-30T20:00:00.000Z", "2026-11-30T20:01:00.000Z"),
            "Instrument checked today: FAILED: 1,000 ns read as 900 ± 20. Do not rely on costs measured on CPU 1\n"
            "  until a selftest passes.\n");
  EXPECT_EQ(instrument_line(std::nullopt, "2026-11-30T20:00:00.000Z", "2026-11-30T20:01:00.000Z"), "");
}

} // namespace
} // namespace switchscope
