// A link that answers from recorded lines of a worker, in their order: for tests, demonstrations and bug reports.
#pragma once

#include "engine/run/worker_link.h"

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

namespace switchscope {

// The lines are what a worker wrote to its output: hello, ready, facts, and for each visit blocks and done, or an
// error. Ids of requests are not compared, but must agree within a visit. A line that is not understood ends its visit
// as garbage; after the last line every visit fails with code "crashed". open() and describe() throw WorkerProblem when
// the next line is not what they need. Takes no time: a visit is answered at once.
class RecordedLink : public WorkerLink {
public:
  explicit RecordedLink(std::vector<std::string> lines) : lines_(std::move(lines)) {}

  Hello open() override;
  Facts describe() override;
  VisitOutcome measure(const VisitRequest&) override;
  void stop_now() override { stopped_.store(true); }
  void close() override {}

private:
  WorkerEvent next_event();

  std::vector<std::string> lines_;
  std::size_t next_ = 0;
  std::atomic<bool> stopped_{false};
};

// Throws WorkerProblem when the file cannot be read, or a line is longer than the protocol allows.
[[nodiscard]] std::vector<std::string> recorded_lines(const std::filesystem::path&);

} // namespace switchscope
