// What is shown while a run measures. Goes to stderr, so that stdout holds data only.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/run_event.h"

#include <chrono>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

namespace switchscope {

enum class ProgressStyle {
  none,
  plain, // a line per session, per pass, per failure, and one every 5 s; while a session is waited for, one a minute
  live,  // one line rewritten in place, at most 10 times a second; failures stay above it
};

struct ProgressSettings {
  ProgressStyle style = ProgressStyle::plain;
  bool utf8 = true;                                  // else ASCII only
  std::function<int()> columns = [] { return 100; }; // of the terminal, asked at every repaint
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

// The point's estimate as it stands; asked only when it is about to be shown. May be empty.
using LatestEstimate = std::function<std::optional<PointEstimate>(int point_index)>;

// One thread. The stream must outlive it. When it goes, a live line is erased.
class Progress {
public:
  Progress(std::ostream& out, ProgressSettings settings, LatestEstimate latest = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const RunEvent&);

private:
  void started(const RunStarted&);
  void waiting(const SessionWaiting&);
  void started(const SessionStarted&);
  void started(const VisitStarted&);
  void ended(const VisitEnded&);
  void ended(const PassEnded&);
  void added(const PointsAdded&);
  void ended(const RunEnded&);
  void repaint(); // unless the last one was just now
  void print_line(const std::string& line);
  void paint(const std::string& line); // in place
  void erase();
  [[nodiscard]] std::string session_words() const; // "Session 2 of 5"; empty where there is one only
  [[nodiscard]] std::string status_line() const;
  [[nodiscard]] std::string point_words(int point_index) const;
  [[nodiscard]] std::string last_words() const; // the point whose visit ended last, and its cost so far
  [[nodiscard]] std::string in_the_terminals_characters(const std::string& text) const;

  using Time = std::chrono::steady_clock::time_point;
  std::ostream& out_;
  ProgressSettings settings_;
  LatestEstimate latest_;
  std::optional<Run> run_;
  int session_ = 0;
  int sessions_ = 1;
  int pass_ = 0;
  std::optional<int> current_point_;
  std::optional<int> last_point_;
  double measuring_s_ = 0; // of the session
  std::optional<double> seconds_left_;
  std::optional<Time> shown_at_;
  std::optional<Time> waiting_told_at_;
  bool line_is_up_ = false;
};

// "[#####-----]", `columns` wide in all; `share` outside 0..1 or not finite draws an empty or a full bar.
[[nodiscard]] std::string bar_text(double share, int columns, bool utf8);

} // namespace switchscope
