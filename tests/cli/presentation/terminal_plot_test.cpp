#include "app/cli/terminal_plot.h"

#include "app/cli/canvas.h"
#include "app/cli/columns.h"
#include "app/cli/wording.h"
#include "tests/export/golden.h"
#include "tests/export/sample_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace switchscope {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string unwrapped(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string plot_of(const sample::Sample& sample, PlotSize size = {},
                    PlotCharacters characters = PlotCharacters::braille) {
  return terminal_plot(sample.run, sample.estimates, size, characters);
}

TEST(TerminalPlot, ofAQuietRun) {
  expect_golden("cli/quiet_plot.txt", plot_of(sample::quiet_run()));
}

TEST(TerminalPlot, ofATroubledRun) {
  expect_golden("cli/troubled_plot.txt", plot_of(sample::troubled_run()));
}

TEST(TerminalPlot, inAscii) {
  const auto plot = plot_of(sample::troubled_run(), {80, 16}, PlotCharacters::ascii);
  expect_golden("cli/troubled_plot_ascii.txt", plot);
}

TEST(TerminalPlot, asciiIsAscii) {
  const auto plot = plot_of(sample::troubled_run(), {}, PlotCharacters::ascii);
  EXPECT_TRUE(std::all_of(plot.begin(), plot.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

TEST(TerminalPlot, negativeCostsLieBelowZero) {
  auto sample = sample::quiet_run();
  sample.estimates.points[2].total = sample::interval(-2700, -2600, -2500);
  expect_golden("cli/negative_plot.txt", plot_of(sample, {90, 16}));
}

TEST(TerminalPlot, fitsTheWidthGiven) {
  for (const int columns : {40, 61, 80, 100, 200})
    for (const auto& sample : {sample::quiet_run(), sample::troubled_run()})
      for (const auto& line : lines_of(plot_of(sample, {columns, 20}))) EXPECT_LE(width_of(line), columns) << line;
}

TEST(TerminalPlot, marksCachesInsideTheRangeOnly) {
  auto sample = sample::quiet_run();
  EXPECT_TRUE(has(plot_of(sample), "L2/2")) << "256 KiB lies between 16 KiB and 1 MiB";
  EXPECT_FALSE(has(plot_of(sample), "L3"));
  EXPECT_TRUE(has(plot_of(sample), "L1d"));
  sample.estimates.points[1] = {}; // 16 KiB failed: the range begins at 64 KiB
  EXPECT_FALSE(has(plot_of(sample), "L1d"));
  sample.run.before.caches.clear();
  EXPECT_FALSE(has(plot_of(sample), "L2"));
  EXPECT_FALSE(has(plot_of(sample), "┊"));
}

TEST(TerminalPlot, failedPointLeavesAGap) {
  auto sample = sample::quiet_run();
  const auto dots = [](const std::string& plot) {
    return std::count_if(plot.begin(), plot.end(), [](char c) { return c == '\xA1' || c == '\xA0' || c == '\xA2'; });
  };
  const auto whole = dots(plot_of(sample));
  sample.estimates.points[4] = {};
  EXPECT_LT(dots(plot_of(sample)), whole);
}

TEST(TerminalPlot, oneSizeStandsInTheMiddle) {
  auto sample = sample::quiet_run();
  sample.run.points.resize(2);
  sample.estimates.points.resize(2);
  const auto plot = plot_of(sample, {60, 10});
  EXPECT_TRUE(has(plot, "16 KiB")) << plot;
  EXPECT_TRUE(has(plot, "● total")) << plot;
}

TEST(TerminalPlot, manyCurvesAreNamedBelow) {
  auto sample = sample::quiet_run();
  for (int stride = 1; stride <= 24; ++stride)
    for (const int kib : {16, 512}) {
      auto point = sample::point(kib);
      point.stride_bytes = 8 * stride + 1024;
      sample.run.points.push_back(point);
      sample.estimates.points.push_back(
          sample::estimate(static_cast<int>(sample.estimates.points.size()), EstimateState::clean,
                           sample::interval(100 * stride - 1, 100 * stride, 100 * stride + 1)));
    }
  const auto plot = plot_of(sample, {100, 12});
  for (const auto& line : lines_of(plot)) EXPECT_LE(width_of(line), 100) << line;
  EXPECT_TRUE(has(plot, "o strided 1216 B")) << "the 25th curve has a letter\n" << plot;
}

TEST(TerminalPlot, theDirectCostHasItsIntervalAndState) {
  auto sample = sample::quiet_run();
  EXPECT_TRUE(has(unwrapped(plot_of(sample)), "C1: direct cost, without data: 2.640 µs (2.610 to 2.670)."))
      << plot_of(sample);
  sample.estimates.points[0].state = EstimateState::contended;
  EXPECT_TRUE(has(unwrapped(plot_of(sample)), "C1: direct cost, without data: 2.640 µs (2.610 to 2.670), contended."))
      << plot_of(sample);
}

TEST(TerminalPlot, manyCurvesSayThatTheirIntervalsAreNotDrawn) {
  auto sample = sample::quiet_run();
  const std::string said = "Intervals are not drawn for more than 4 curves.";
  for (const int curves : {4, 5}) {
    for (int stride = static_cast<int>(group_curves(sample.run.points).curves.size()); stride < curves; ++stride) {
      auto point = sample::point(512);
      point.stride_bytes = 128 << stride;
      sample.run.points.push_back(point);
      sample.estimates.points.push_back(sample::estimate(static_cast<int>(sample.estimates.points.size()),
                                                         EstimateState::clean, sample::interval(5000, 6000, 7000)));
    }
    EXPECT_EQ(has(unwrapped(plot_of(sample)), said), curves > 4) << plot_of(sample);
  }
}

TEST(TerminalPlot, wideIntervalDoesNotPressTheCurveFlat) {
  auto sample = sample::quiet_run();
  sample.estimates.points[3].total = sample::interval(-1e9, 2900, 1e9);
  const auto plot = plot_of(sample);
  EXPECT_TRUE(has(plot, "cut at the frame")) << plot;
  EXPECT_TRUE(has(plot, "10 µs")) << plot;
}

TEST(TerminalPlot, nothingMeasuredIsASentence) {
  auto sample = sample::quiet_run();
  for (auto& estimate : sample.estimates.points) estimate = {};
  EXPECT_EQ(plot_of(sample), "Nothing to draw: no point with data was measured.\n");
}

TEST(Canvas, linesHaveNoHolesAndBothEnds) {
  Canvas canvas(4, 2, false);
  canvas.line(0, 7, 7, 0);
  EXPECT_EQ(canvas.row_text(0), "  ⡠⠊");
  EXPECT_EQ(canvas.row_text(1), "⡠⠊  ");
}

TEST(Canvas, marksHideDotsAndDotsHideWhatIsBehind) {
  Canvas canvas(3, 1, true);
  for (int column = 0; column < 3; ++column) canvas.put_behind(column, 0, "-");
  canvas.line(0, 0, 3, 0);
  canvas.put_before(0, 0, "o");
  EXPECT_EQ(canvas.row_text(0), "o'-");
}

TEST(Canvas, whatLiesOutsideIsNotDrawn) {
  Canvas canvas(1, 1, true);
  canvas.dot(-1, 1);
  canvas.dot(0, 99);
  canvas.put_before(5, 0, "x");
  EXPECT_EQ(canvas.row_text(0), " ");
}

} // namespace
} // namespace switchscope
