// The worker a command speaks to, and the machine it stands on.
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/stop_signals.h"
#include "engine/model/environment.h"
#include "engine/model/presets.h"
#include "engine/run/local_link.h"

#include <filesystem>
#include <string>
#include <variant>

namespace switchscope {

// A worker that holds the machine and is ready to measure. The signals are watched as long as it lives; it is closed in
// good order when it goes.
class OpenedWorker {
public:
  OpenedWorker(const CommonOptions&, const WorkerOptions&, StopSignals&); // throws WorkerProblem
  ~OpenedWorker();
  OpenedWorker(const OpenedWorker&) = delete;
  OpenedWorker& operator=(const OpenedWorker&) = delete;

  [[nodiscard]] WorkerLink& link() { return link_; }
  [[nodiscard]] const Hello& hello() const { return hello_; }
  [[nodiscard]] Environment describe();
  [[nodiscard]] std::variant<SharingLine, VisitFailure> probe_sharing(const SharesRequest& request) {
    return link_.probe_sharing(request);
  }

private:
  struct Watching {
    Watching(StopSignals& signals_, WorkerLink& link) : signals(signals_) { signals.watch(link); }
    ~Watching() { signals.stop_watching(); }
    Watching(const Watching&) = delete;
    Watching& operator=(const Watching&) = delete;
    StopSignals& signals;
  };

  LaunchThread launch_thread_;
  ServeLink link_;
  Watching watching_; // before the worker is opened: opening may wait for another measurement
  Hello hello_;
};

// The machine, without taking it for a measurement. Throws WorkerProblem.
[[nodiscard]] Environment describe_without_measuring(const CommonOptions&, const WorkerOptions& = {});

// The same with what earlier checks found, as a run would know it, from the database if there is one: it is not made.
[[nodiscard]] Environment describe_with_stored_checks(const CommonOptions&, const WorkerOptions& = {});

// Where the worker lies on its machine, for commands to be typed there.
[[nodiscard]] std::string worker_path(const CommonOptions&, const WorkerOptions&);

// The caches of the CPU that presets are made for: the first one asked for, else the one `auto` stands for.
[[nodiscard]] CacheSizes caches_for(const PlanOptions&, const Environment&);

} // namespace switchscope
