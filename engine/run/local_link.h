// The worker that measures, on this machine or behind a launcher such as `ssh host`: one connection for a whole run.
#pragma once

#include "engine/run/visit_assembly.h"
#include "engine/run/worker_link.h"
#include "engine/run/worker_process.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace switchscope {

struct ServeOptions {
  std::string worker;                // path of switchscope-worker; behind a launcher, its path over there
  std::vector<std::string> launcher; // command words put before it; empty: started here
  bool wait = false;                 // the first start queues while another measurement holds the machine, instead of
                                     // refusing; later ones always do
  std::string sysroot;               // the worker reads /proc and /sys below it; empty: /
  std::chrono::milliseconds start_patience{30'000};          // for hello, and again for the answer to `describe`
  std::function<void(const std::string& holder)> on_waiting; // called in open(), and in measure() after a restart
};

// open(), describe(), measure() and close() are for one thread; stop_now() for any, and for signal handlers.
// A worker that crashed, fell silent or wrote garbage is ended, and started again for the next visit.
class ServeLink : public WorkerLink {
public:
  ServeLink(LaunchThread&, ServeOptions);
  ~ServeLink() override;

  Hello open() override;
  Facts describe() override;
  VisitOutcome measure(const VisitRequest&) override;
  // Which CPUs share a core: see engine/worker/sharing.h. A failure as of a visit; throws WorkerProblem.
  [[nodiscard]] std::variant<SharingLine, VisitFailure> probe_sharing(const SharesRequest&);
  void stop_now() override;
  void close() override;

private:
  using Clock = WorkerProcess::Clock;

  Hello start();
  WorkerEvent await_event(Clock::time_point deadline, const char* doing);
  [[noreturn]] void give_up(WorkerProblem::Kind, const std::string& sentence);
  std::optional<VisitOutcome> take_line(VisitAssembly&, const std::string& line);
  VisitOutcome end_of_visit(const Received&, const VisitRequest&, std::chrono::nanoseconds limit);
  VisitFailure lose(const std::string& code, const std::string& what);

  LaunchThread& launch_thread_;
  ServeOptions options_;
  WakeUp wake_;
  std::unique_ptr<WorkerProcess> process_;
  std::optional<Hello> hello_; // of the first start: a restarted worker must be the same
  std::int64_t last_id_ = 0;
};

} // namespace switchscope
