#include "app/cli/progress.h"

#include "app/cli/columns.h"
#include "app/cli/wording.h"
#include "engine/model/quantity.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace switchscope {

namespace {

constexpr std::chrono::milliseconds between_repaints{100};
constexpr std::chrono::seconds between_plain_lines{5};
constexpr std::chrono::minutes between_waiting_lines{1};
constexpr int bar_columns = 22;

std::string left_text(std::optional<double> seconds_left) {
  return seconds_left ? seconds_text(*seconds_left) + " left" : std::string();
}

} // namespace

std::string bar_text(double share, int columns, bool utf8) {
  const int inside = std::max(columns - 2, 0);
  const double safe = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0;
  const int filled = static_cast<int>(std::floor(safe * inside));
  std::string bar = "[";
  for (int i = 0; i < inside; ++i) {
    if (i < filled)
      bar += utf8 ? "█" : "#";
    else
      bar += utf8 ? "░" : "-";
  }
  return bar + ']';
}

Progress::Progress(std::ostream& out, ProgressSettings settings, LatestEstimate latest)
    : out_(out), settings_(std::move(settings)), latest_(std::move(latest)) {}

Progress::~Progress() {
  erase();
}

void Progress::show(const RunEvent& event) {
  if (settings_.style == ProgressStyle::none) return;
  if (const auto* start = std::get_if<RunStarted>(&event))
    started(*start);
  else if (const auto* wait = std::get_if<SessionWaiting>(&event))
    waiting(*wait);
  else if (const auto* session = std::get_if<SessionStarted>(&event))
    started(*session);
  else if (const auto* visit = std::get_if<VisitStarted>(&event))
    started(*visit);
  else if (const auto* measured = std::get_if<VisitEnded>(&event))
    ended(*measured);
  else if (const auto* pass = std::get_if<PassEnded>(&event))
    ended(*pass);
  else if (const auto* more = std::get_if<PointsAdded>(&event))
    added(*more);
  else if (const auto* end = std::get_if<RunEnded>(&event))
    ended(*end);
}

void Progress::started(const RunStarted& start) {
  run_ = start.run;
  shown_at_ = settings_.now();
}

void Progress::waiting(const SessionWaiting& wait) {
  session_ = wait.session;
  sessions_ = wait.sessions;
  const std::string line = fmt::format("{} begins in {}", session_words(), seconds_text(wait.seconds));
  if (settings_.style == ProgressStyle::live) {
    paint(line);
    return;
  }
  const auto now = settings_.now();
  if (waiting_told_at_ && now - *waiting_told_at_ < between_waiting_lines) return;
  waiting_told_at_ = now;
  print_line(line);
}

void Progress::started(const SessionStarted& start) {
  session_ = start.session.number;
  sessions_ = start.sessions;
  measuring_s_ = start.session.measuring_s;
  seconds_left_.reset();
  last_point_.reset();
  waiting_told_at_.reset();
  if (settings_.style == ProgressStyle::plain && sessions_ > 1) print_line(session_words() + " begins");
}

void Progress::started(const VisitStarted& visit) {
  pass_ = visit.pass;
  current_point_ = visit.point_index;
  if (settings_.style == ProgressStyle::live) repaint();
}

void Progress::ended(const VisitEnded& event) {
  measuring_s_ = event.session_measuring_s;
  seconds_left_ = event.seconds_left;
  if (const auto* failure = event.visit.failure()) {
    if (event.visit.request.counters) {
      print_line(fmt::format("Counting visit failed: {}: {}", point_words(event.visit.point_index), failure->message));
      return;
    }
    print_line(fmt::format("Visit failed (try {} of 3): {}: {}", event.visit.attempt + 1,
                           point_words(event.visit.point_index), failure->message));
    return;
  }
  last_point_ = event.visit.point_index;
  repaint();
}

void Progress::ended(const PassEnded& pass) {
  if (settings_.style != ProgressStyle::plain || !run_) return;
  const auto paired = std::count_if(run_->points.begin(), run_->points.end(),
                                    [](const Point& point) { return point.method == Method::paired; });
  const auto done =
      paired == 0 ? fmt::format("Round {} of {} done", pass.pass + 1, paper_rounds)
                  : fmt::format("Pass {} done: {} of {} points precise", pass.pass + 1, pass.points_precise, paired);
  print_line(joined({done, pass.points_failed > 0 ? fmt::format("{} failed", pass.points_failed) : std::string(),
                     seconds_text(measuring_s_) + " measured", left_text(seconds_left_)},
                    ", "));
}

void Progress::added(const PointsAdded& more) {
  if (!run_) return;
  run_->points.insert(run_->points.end(), more.points.begin(), more.points.end());
  std::set<std::int64_t> sizes;
  for (const Point& point : more.points) sizes.insert(point.array_bytes);
  std::vector<std::string> words;
  for (const auto bytes : sizes) words.push_back(rounded_bytes_text(bytes));
  print_line(fmt::format("{} point{} added, to see where the cost changes: {}", more.points.size(),
                         more.points.size() == 1 ? "" : "s", joined(words, ", ")));
}

void Progress::ended(const RunEnded& end) {
  erase();
  current_point_.reset();
  std::string line = fmt::format("Run {}: {} measured, {} in all", name_of(end.state), seconds_text(end.measuring_s),
                                 seconds_text(end.elapsed_s));
  if (end.throttle_wait_s > 0)
    line += fmt::format(", {} waited for the limit on real-time tasks", seconds_text(end.throttle_wait_s));
  line += '.';
  if (!end.reason.empty()) line += ' ' + end.reason;
  print_line(line);
}

void Progress::repaint() {
  const bool live = settings_.style == ProgressStyle::live;
  const auto now = settings_.now();
  const auto pause =
      live ? std::chrono::milliseconds(between_repaints) : std::chrono::milliseconds(between_plain_lines);
  if (shown_at_ && now - *shown_at_ < pause && (!live || line_is_up_)) return;
  shown_at_ = now;
  if (!live) {
    print_line(joined({fmt::format("Pass {}: {}", pass_ + 1, last_words()), left_text(seconds_left_)}, ", "));
    return;
  }
  paint(status_line());
}

void Progress::paint(const std::string& line) {
  // One column stays free: a full line would make some terminals wrap.
  const int columns = std::max(settings_.columns() - 1, 1);
  out_ << "\r\x1b[K" << cut_to(in_the_terminals_characters(line), columns, settings_.utf8) << std::flush;
  line_is_up_ = true;
}

std::string Progress::session_words() const {
  return sessions_ > 1 ? fmt::format("Session {} of {}", session_ + 1, sessions_) : std::string();
}

// The most wanted first: a narrow terminal cuts the end.
std::string Progress::status_line() const {
  double share = 0;
  if (seconds_left_)
    share = measuring_s_ / std::max(measuring_s_ + *seconds_left_, 1e-9);
  else if (run_ && run_->plan.budget_s)
    share = measuring_s_ / *run_->plan.budget_s;
  const auto percent = fmt::format("{:3.0f} %", 100 * std::clamp(share, 0.0, 1.0));
  std::vector<std::string> parts{bar_text(share, bar_columns, settings_.utf8) + ' ' + percent, left_text(seconds_left_),
                                 sessions_ > 1 ? fmt::format("session {} of {}", session_ + 1, sessions_) : "",
                                 fmt::format("pass {}", pass_ + 1)};
  if (current_point_) parts.push_back(point_words(*current_point_));
  if (last_point_) parts.push_back("last: " + last_words());
  return joined(parts, " · ");
}

std::string Progress::point_words(int point_index) const {
  const auto index = static_cast<std::size_t>(point_index);
  return run_ && index < run_->points.size() ? short_words(run_->points[index]) : fmt::format("point {}", point_index);
}

std::string Progress::last_words() const {
  if (!last_point_) return {};
  auto words = point_words(*last_point_);
  const auto estimate = latest_ ? latest_(*last_point_) : std::nullopt;
  if (estimate && estimate->state != EstimateState::failed) words += ' ' + cost_words(estimate->total).together();
  return words;
}

std::string Progress::in_the_terminals_characters(const std::string& text) const {
  const auto safe = printable(text);
  return settings_.utf8 ? safe : in_ascii(safe);
}

void Progress::print_line(const std::string& line) {
  erase();
  out_ << in_the_terminals_characters(line) << '\n' << std::flush;
  if (settings_.style == ProgressStyle::plain) shown_at_ = settings_.now();
}

void Progress::erase() {
  if (!line_is_up_) return;
  out_ << "\r\x1b[K" << std::flush;
  line_is_up_ = false;
}

} // namespace switchscope
