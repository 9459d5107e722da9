#include "app/cli/progress.h"

#include "app/cli/columns.h"
#include "tests/export/sample_run.h"

#include <gtest/gtest.h>

#include <sstream>

namespace switchscope {
namespace {

using std::chrono::milliseconds;

// A scripted clock and a stream to read what was shown.
struct Screen {
  explicit Screen(ProgressStyle style, bool utf8 = true, int columns = 100) {
    settings.style = style;
    settings.utf8 = utf8;
    settings.columns = [columns] { return columns; };
    settings.now = [this] { return now; };
    sample.run.measuring_s = 0;
  }
  std::string take() {
    auto text = out.str();
    out.str("");
    return text;
  }
  std::ostringstream out;
  std::chrono::steady_clock::time_point now{};
  ProgressSettings settings;
  sample::Sample sample = sample::quiet_run();
  LatestEstimate latest = [this](int point_index) -> std::optional<PointEstimate> {
    return sample.estimates.points.at(static_cast<std::size_t>(point_index));
  };

  [[nodiscard]] RunEvent start() const { return RunStarted{sample.run}; }
  [[nodiscard]] RunEvent visit(int point, double measuring_s, double left_s) const {
    return VisitEnded{sample.visits.at(static_cast<std::size_t>(point)), measuring_s, left_s, 0, measuring_s, 0};
  }
};

TEST(Progress, noneShowsNothing) {
  Screen screen(ProgressStyle::none);
  Progress progress(screen.out, screen.settings, screen.latest);
  progress.show(screen.start());
  progress.show(screen.visit(5, 3, 7));
  progress.show(PassEnded{0, 1, 0});
  progress.show(RunEnded{});
  EXPECT_EQ(screen.take(), "");
}

TEST(Progress, plainShowsALinePerPassAndOneEveryFiveSeconds) {
  Screen screen(ProgressStyle::plain);
  Progress progress(screen.out, screen.settings, screen.latest);
  progress.show(screen.start());
  progress.show(VisitStarted{0, 5, 0});
  screen.now += milliseconds(4900);
  progress.show(screen.visit(5, 3, 7));
  EXPECT_EQ(screen.take(), "");
  screen.now += milliseconds(200);
  progress.show(screen.visit(5, 4, 6));
  EXPECT_EQ(screen.take(), "Pass 1: 384 KiB rmw strided 128 B 7.50 µs (7.38 to 7.62), 6 s left\n");
  progress.show(screen.visit(6, 4, 6));
  EXPECT_EQ(screen.take(), "");
  progress.show(PassEnded{0, 3, 1});
  EXPECT_EQ(screen.take(), "Pass 1 done: 3 of 8 points precise, 1 failed, 4 s measured, 6 s left\n");
}

TEST(Progress, addedPointsAreNamedAndCounted) {
  Screen screen(ProgressStyle::plain);
  Progress progress(screen.out, screen.settings, screen.latest);
  progress.show(screen.start());
  Point a = screen.sample.run.points.back();
  a.array_bytes = 288 << 10;
  Point b = a;
  b.array_bytes = 320 << 10;
  progress.show(PointsAdded{8, {b, a}});
  EXPECT_EQ(screen.take(), "2 points added, to see where the cost changes: 288 KiB, 320 KiB\n");
  progress.show(PointsAdded{10, {a}});
  EXPECT_EQ(screen.take(), "1 point added, to see where the cost changes: 288 KiB\n");
  progress.show(PassEnded{1, 3, 0});
  EXPECT_EQ(screen.take(), "Pass 2 done: 3 of 11 points precise, 0 s measured\n");
}

TEST(Progress, liveRewritesOneLineInPlaceAtMostTenTimesASecond) {
  Screen screen(ProgressStyle::live);
  Progress progress(screen.out, screen.settings, screen.latest);
  progress.show(screen.start());
  progress.show(VisitStarted{0, 5, 0});
  EXPECT_EQ(screen.take(), "\r\x1b[K[░░░░░░░░░░░░░░░░░░░░]   0 % · pass 1 · 384 KiB rmw strided 128 B");
  screen.now += milliseconds(99);
  progress.show(screen.visit(5, 4, 6));
  EXPECT_EQ(screen.take(), "");
  screen.now += milliseconds(1);
  progress.show(VisitStarted{1, 6, 2});
  EXPECT_EQ(screen.take(),
            "\r\x1b[K[████████░░░░░░░░░░░░]  40 % · 6 s left · pass 3 · 512 KiB rmw strided 128 B · last: "
            "384 KiB rmw s…");
}

TEST(Progress, liveFitsTheTerminalWithoutWrapping) {
  for (const int columns : {1, 20, 40, 100}) {
    Screen screen(ProgressStyle::live, true, columns);
    Progress progress(screen.out, screen.settings, screen.latest);
    progress.show(screen.start());
    progress.show(VisitStarted{0, 5, 0});
    const auto text = screen.take();
    EXPECT_LE(width_of(text.substr(4)), std::max(columns - 1, 1)) << text;
  }
}

TEST(Progress, asciiTerminalGetsAscii) {
  Screen screen(ProgressStyle::live, false, 200);
  Progress progress(screen.out, screen.settings, screen.latest);
  progress.show(screen.start());
  progress.show(screen.visit(5, 5, 5));
  EXPECT_EQ(screen.take(),
            "\r\x1b[K[##########----------]  50 % | 5 s left | pass 1 | last: 384 KiB rmw strided 128 B 7.50 us "
            "(7.38 to 7.62)");
}

TEST(Progress, failureStaysAboveTheLiveLine) {
  Screen screen(ProgressStyle::live);
  Progress progress(screen.out, screen.settings, screen.latest);
  progress.show(screen.start());
  progress.show(VisitStarted{0, 5, 0});
  screen.take();
  auto visit = screen.sample.visits[5];
  visit.attempt = 1;
  visit.outcome = VisitFailure{"crashed", "The worker was killed by \x1b[2Jsignal 9."};
  progress.show(VisitEnded{visit, 1, 9.0});
  EXPECT_EQ(screen.take(),
            "\r\x1b[KVisit failed (try 2 of 3): 384 KiB rmw strided 128 B: The worker was killed by ?[2Jsignal 9.\n");
}

TEST(Progress, endErasesTheLiveLineAndSaysWhy) {
  Screen screen(ProgressStyle::live);
  Progress progress(screen.out, screen.settings, screen.latest);
  progress.show(screen.start());
  progress.show(VisitStarted{0, 5, 0});
  screen.take();
  RunEnded end;
  end.state = RunState::cancelled;
  end.reason = "Stopped by the user.";
  end.measuring_s = 5;
  end.elapsed_s = 65;
  end.throttle_wait_s = 0.5;
  progress.show(end);
  EXPECT_EQ(screen.take(),
            "\r\x1b[KRun cancelled: 5 s measured, 1 min 05 s in all, 0.5 s waited for the limit on real-time "
            "tasks. Stopped by the user.\n");
}

TEST(Progress, lineDisappearsWithIt) {
  Screen screen(ProgressStyle::live);
  {
    Progress progress(screen.out, screen.settings, screen.latest);
    progress.show(screen.start());
    progress.show(VisitStarted{0, 5, 0});
    screen.take();
  }
  EXPECT_EQ(screen.take(), "\r\x1b[K");
}

TEST(Progress, withoutAnEstimateThePointStandsAlone) {
  Screen screen(ProgressStyle::live, true, 200);
  Progress progress(screen.out, screen.settings);
  progress.show(screen.start());
  progress.show(screen.visit(5, 5, 5));
  EXPECT_TRUE(screen.take().ends_with("last: 384 KiB rmw strided 128 B"));
}

TEST(Progress, plainTellsSessionsAndTheWaitOnceAMinute) {
  Screen screen(ProgressStyle::plain);
  Progress progress(screen.out, screen.settings, screen.latest);
  progress.show(screen.start());
  progress.show(SessionStarted{screen.sample.run.sessions.front(), 5});
  EXPECT_EQ(screen.take(), "Session 1 of 5 begins\n");
  progress.show(SessionWaiting{1, 5, 200});
  EXPECT_EQ(screen.take(), "Session 2 of 5 begins in 3 min 20 s\n");
  screen.now += milliseconds(10'000);
  progress.show(SessionWaiting{1, 5, 190});
  EXPECT_EQ(screen.take(), "");
  screen.now += milliseconds(50'000);
  progress.show(SessionWaiting{1, 5, 140});
  EXPECT_EQ(screen.take(), "Session 2 of 5 begins in 2 min 20 s\n");
}

TEST(Progress, liveCountsTheWaitDownInPlaceAndNamesTheSession) {
  Screen screen(ProgressStyle::live, true, 200);
  Progress progress(screen.out, screen.settings, screen.latest);
  progress.show(screen.start());
  progress.show(SessionWaiting{1, 5, 200});
  progress.show(SessionWaiting{1, 5, 190});
  EXPECT_EQ(screen.take(), "\r\x1b[KSession 2 of 5 begins in 3 min 20 s\r\x1b[KSession 2 of 5 begins in 3 min 10 s");
  Session second;
  second.number = 1;
  progress.show(SessionStarted{second, 5});
  screen.now += milliseconds(100);
  progress.show(VisitStarted{0, 5, 0, 1});
  EXPECT_TRUE(screen.take().find(" · session 2 of 5 · pass 1 · ") != std::string::npos);
}

TEST(Progress, aSingleSessionIsNotNamed) {
  Screen screen(ProgressStyle::plain);
  Progress progress(screen.out, screen.settings, screen.latest);
  progress.show(SessionStarted{screen.sample.run.sessions.front(), 1});
  EXPECT_EQ(screen.take(), "");
}

TEST(Bar, isEmptyAtNothingAndFullAtAll) {
  EXPECT_EQ(bar_text(0, 6, false), "[----]");
  EXPECT_EQ(bar_text(0.5, 6, false), "[##--]");
  EXPECT_EQ(bar_text(2, 6, false), "[####]");
  EXPECT_EQ(bar_text(-1, 6, false), "[----]");
  EXPECT_EQ(bar_text(std::numeric_limits<double>::quiet_NaN(), 6, false), "[----]");
}

} // namespace
} // namespace switchscope
