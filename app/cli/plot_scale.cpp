#include "app/cli/plot_scale.h"

#include "app/cli/columns.h"
#include "engine/model/quantity.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace switchscope {

namespace {

// 1, 2, 2.5 or 5 times a power of ten, so that about `wanted` steps fill the span.
double tick_step(double span, int wanted) {
  const double rough = span / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (factor * power >= rough * 0.999) return factor * power;
  return 10 * power;
}

} // namespace

bool is_shown(const Point& point, const PointEstimate& estimate) {
  return !point.is_direct() && estimate.state != EstimateState::failed && std::isfinite(estimate.total.estimate);
}

Drawing drawing_of(const Run& run, const RunEstimates& estimates) {
  Drawing drawing;
  drawing.groups = group_curves(run.points);
  const auto include = [&](double ns) {
    drawing.least_ns = std::min(drawing.least_ns, ns);
    drawing.most_ns = std::max(drawing.most_ns, ns);
  };
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const auto& point = run.points[i];
    const auto& estimate = estimates.points.at(i);
    if (!is_shown(point, estimate)) continue;
    ++drawing.shown;
    if (estimate.state == EstimateState::contended) ++drawing.contended;
    const double log2_bytes = std::log2(static_cast<double>(point.array_bytes));
    drawing.least_log2 = std::min(drawing.least_log2, log2_bytes);
    drawing.most_log2 = std::max(drawing.most_log2, log2_bytes);
    include(estimate.total.estimate);
  }
  if (drawing.shown == 0) return drawing;
  if (!drawing.groups.direct.empty()) {
    const auto& direct = estimates.points.at(drawing.groups.direct.front().points.front());
    if (direct.state != EstimateState::failed) drawing.direct = direct.total;
    drawing.direct_state = direct.state;
  }
  if (drawing.direct) include(drawing.direct->estimate);

  // One wide interval must not press every curve flat: the frame follows intervals as far as half its height.
  const double room = (drawing.most_ns - drawing.least_ns) / 2;
  const double lowest = drawing.least_ns - room;
  const double highest = drawing.most_ns + room;
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const auto& total = estimates.points[i].total;
    if (!is_shown(run.points[i], estimates.points[i]) || !total.has_interval) continue;
    if (total.low < lowest || total.high > highest) drawing.cuts_intervals = true;
    include(std::max(total.low, lowest));
    include(std::min(total.high, highest));
  }
  if (drawing.most_ns <= drawing.least_ns) drawing.most_ns = drawing.least_ns + 1;
  return drawing;
}

int Scale::x(double log2_bytes) const {
  const double span = drawing_.most_log2 - drawing_.least_log2;
  // A margin of one cell on both sides, for the marks.
  const double share = span > 0 ? (log2_bytes - drawing_.least_log2) / span : 0.5;
  return dots_per_column + static_cast<int>(std::lround(share * (dot_columns_ - 1 - 2 * dots_per_column)));
}

int Scale::y(double ns) const {
  const double inside = std::clamp(ns, drawing_.least_ns, drawing_.most_ns);
  const double share = (inside - drawing_.least_ns) / (drawing_.most_ns - drawing_.least_ns);
  return static_cast<int>(std::lround((1 - share) * (dot_rows_ - 1)));
}

CostAxis cost_axis(const Drawing& drawing, int rows) {
  CostAxis axis;
  axis.step_ns = tick_step(drawing.most_ns - drawing.least_ns, std::max(2, rows / 3));
  for (double tick = std::ceil(drawing.least_ns / axis.step_ns) * axis.step_ns; tick <= drawing.most_ns * 1.0001;
       tick += axis.step_ns) {
    axis.ticks_ns.push_back(tick);
    axis.columns = std::max(axis.columns, width_of(tick_text(tick, axis.step_ns, drawing.most_ns)));
  }
  return axis;
}

std::string tick_text(double ns, double step_ns, double most_ns) {
  const auto [unit_ns, unit] = most_ns >= 1e6   ? std::pair{1e6, "ms"}
                               : most_ns >= 1e3 ? std::pair{1e3, "µs"}
                                                : std::pair{1.0, "ns"};
  int decimals = 0; // until the step is whole in its last place
  for (double step = step_ns / unit_ns; decimals < 6 && std::abs(step - std::round(step)) > 1e-6 * step; step *= 10)
    ++decimals;
  const double value = std::abs(ns) < step_ns / 2 ? 0 : ns / unit_ns;
  return fmt::format("{}{:.{}f} {}", value < 0 ? "−" : "", std::abs(value), decimals, unit);
}

std::vector<std::int64_t> size_ticks(const Drawing& drawing, int columns) {
  constexpr double label_columns = 9; // "512 KiB" and some air
  const double octaves = drawing.most_log2 - drawing.least_log2;
  const int step = std::max(1, static_cast<int>(std::ceil(octaves * label_columns / columns)));
  std::vector<std::int64_t> ticks;
  for (int exponent = static_cast<int>(std::ceil(drawing.least_log2)); exponent <= std::floor(drawing.most_log2);
       exponent += step)
    ticks.push_back(std::int64_t{1} << exponent);
  if (ticks.empty()) ticks.push_back(std::llround(std::exp2(drawing.least_log2)));
  return ticks;
}

} // namespace switchscope
