#include "engine/run/local_link.h"

#include "engine/model/visit_time.h"
#include "engine/run/printable.h"
#include "engine/run/visit_assembly.h"

#include <fmt/core.h>

#include <stdexcept>

namespace switchscope {

namespace {

using namespace std::chrono_literals;
using Kind = WorkerProblem::Kind;

constexpr auto close_patience = 2s;
constexpr auto send_patience = 2s;
constexpr auto last_words = 500ms; // between the end of a worker's output and its own end

std::vector<std::string> command_of(const ServeOptions& options, bool wait) {
  std::vector<std::string> argv = options.launcher;
  // Here a plain file name means the file in this folder, as everywhere else on our command line, not one in PATH.
  const bool plain =
      options.launcher.empty() && options.worker.find('/') == std::string::npos && !options.worker.empty();
  argv.push_back(plain ? "./" + options.worker : options.worker);
  argv.emplace_back("serve");
  if (wait) argv.emplace_back("--wait");
  if (!options.sysroot.empty()) {
    argv.emplace_back("--sysroot");
    argv.push_back(options.sysroot);
  }
  return argv;
}

std::string said(const WorkerProcess& process) {
  const std::string errors = printable_tail(process.last_errors());
  return errors.empty() ? "" : fmt::format(" It wrote: \"{}\".", errors);
}

VisitFailure stopped_by_user() {
  return {"stopped", "The visit was stopped by the user."};
}

} // namespace

ServeLink::ServeLink(LaunchThread& launch_thread, ServeOptions options)
    : launch_thread_(launch_thread), options_(std::move(options)) {}

ServeLink::~ServeLink() = default;

Hello ServeLink::open() {
  hello_ = start();
  return *hello_;
}

Hello ServeLink::start() {
  process_.reset();
  if (wake_.raised()) throw WorkerProblem(Kind::stopped, "The worker was stopped before it was started.");
  // A run under way, or its next session, waits for whoever measures by now: nobody need be there to try again.
  const bool wait = options_.wait || hello_.has_value();
  process_ = std::make_unique<WorkerProcess>(launch_thread_, command_of(options_, wait), wake_);

  const auto deadline = Clock::now() + options_.start_patience;
  WorkerEvent event = await_event(deadline, "starting");
  const auto* greeting = std::get_if<Hello>(&event);
  if (greeting == nullptr) {
    if (const auto* error = std::get_if<WorkerError>(&event))
      give_up(error->code == "busy" ? Kind::busy : Kind::refused, printable(error->message, 1000));
    give_up(Kind::broken, "The worker did not greet first. Check that the path names switchscope-worker.");
  }
  const Hello hello = *greeting;
  if (hello.protocol != protocol_version)
    give_up(
        Kind::wrong_version,
        fmt::format("The worker speaks version {} of the protocol (Switchscope {}), this program version {}. Install "
                    "both from the same release.",
                    hello.protocol, printable(hello.version, 40), protocol_version));
  if (hello_ && (hello.build != hello_->build || hello.architecture != hello_->architecture))
    give_up(Kind::broken,
            fmt::format("The worker was replaced during the run: build {} before, {} now. A run must not mix "
                        "them; start a new one.",
                        printable(hello_->build, 60), printable(hello.build, 60)));

  bool queued = false;
  for (;;) {
    event = await_event(queued ? Clock::time_point::max() : deadline, "starting");
    if (std::holds_alternative<Ready>(event)) return hello;
    if (const auto* waiting = std::get_if<Waiting>(&event)) {
      queued = true;
      if (options_.on_waiting) options_.on_waiting(printable(waiting->holder));
    } else if (const auto* error = std::get_if<WorkerError>(&event)) {
      give_up(error->code == "busy" ? Kind::busy : Kind::refused, printable(error->message, 1000));
    } else {
      give_up(Kind::broken, "The worker sent something else where it should have said that it is ready. Install worker "
                            "and program from the same release.");
    }
  }
}

// For the parts of the conversation without which nothing can be measured.
WorkerEvent ServeLink::await_event(Clock::time_point deadline, const char* doing) {
  using What = Received::What;
  const Received received = process_->next_line(deadline);
  switch (received.what) {
  case What::line: {
    auto decoded = decode_event(received.text);
    if (auto* event = std::get_if<WorkerEvent>(&decoded)) return std::move(*event);
    give_up(Kind::broken, fmt::format("The worker is not understood while {}: {}", doing,
                                      printable(std::get<DecodeError>(decoded).message)));
  }
  case What::half_line:
    give_up(Kind::broken, fmt::format("The worker broke off in the middle of a line while {}: \"{}\".", doing,
                                      printable(received.text, 80)));
  case What::end:
    give_up(Kind::broken, fmt::format("The worker ended while {}.", doing));
  case What::too_long:
    give_up(Kind::broken, fmt::format("The worker sent more than {} MiB without a line's end while {}: \"{}\".",
                                      max_line_bytes >> 20, doing, printable(received.text, 80)));
  case What::timed_out:
    give_up(Kind::broken,
            fmt::format("The worker did not answer within {} s while {}.{}",
                        std::chrono::duration_cast<std::chrono::seconds>(options_.start_patience).count(), doing,
                        options_.launcher.empty() ? ""
                                                  : " Check that the launcher works without asking for a "
                                                    "password."));
  case What::stopped:
    give_up(Kind::stopped, fmt::format("The worker was stopped while {}.", doing));
  }
  throw std::logic_error("no such reception");
}

void ServeLink::give_up(Kind kind, const std::string& sentence) {
  const ProcessEnd end = process_->close(kind == Kind::stopped ? 0ms : last_words);
  std::string whole = sentence;
  if (!whole.empty() && whole[0] >= 'a' && whole[0] <= 'z') whole[0] = static_cast<char>(whole[0] - 'a' + 'A');
  if (kind == Kind::broken) whole += fmt::format(" It {}.{}", text_of(end), said(*process_));
  process_.reset();
  throw WorkerProblem(kind, whole);
}

Facts ServeLink::describe() {
  if (!process_) start();
  const auto deadline = Clock::now() + options_.start_patience;
  const std::int64_t id = ++last_id_;
  // A worker that has gone shows by its silence; what it left says more than a failed write.
  static_cast<void>(process_->send_line(encode(WorkerCommand{DescribeCommand{id}}), deadline));
  const WorkerEvent event = await_event(deadline, "describing the machine");
  if (const auto* facts = std::get_if<Facts>(&event)) return *facts;
  if (const auto* error = std::get_if<WorkerError>(&event)) give_up(Kind::refused, printable(error->message, 1000));
  give_up(Kind::broken, "The worker sent something else where it should have described the machine. Install worker and "
                        "program from the same release.");
}

std::variant<SharingLine, VisitFailure> ServeLink::probe_sharing(const SharesRequest& request) {
  if (!process_) start();
  const std::int64_t id = ++last_id_;
  const auto deadline = Clock::now() + options_.start_patience + std::chrono::nanoseconds(request.duration_ns);
  static_cast<void>(process_->send_line(encode(WorkerCommand{SharesCommand{id, request}}), deadline));
  const WorkerEvent event = await_event(deadline, "looking for shared cores");
  if (const auto* sharing = std::get_if<SharingLine>(&event)) return *sharing;
  if (const auto* error = std::get_if<WorkerError>(&event))
    return VisitFailure{error->code, printable(error->message, 1000)};
  give_up(Kind::broken, "The worker sent something else where it should have told of shared cores. Install worker and "
                        "program from the same release.");
}

// The worker is not to be trusted any more: it is ended, and a new one is started for the next visit.
VisitFailure ServeLink::lose(const std::string& code, const std::string& what) {
  const ProcessEnd end = process_->close(code == "crashed" ? last_words : 0ms);
  const VisitFailure failure{code, fmt::format("{} It {}.{}", what, text_of(end), said(*process_))};
  process_.reset();
  return failure;
}

VisitOutcome ServeLink::measure(const VisitRequest& request) {
  if (wake_.raised()) return stopped_by_user();
  if (!process_) {
    try {
      start();
    } catch (const WorkerProblem& problem) {
      if (problem.kind == Kind::stopped) return stopped_by_user();
      throw;
    }
  }
  VisitAssembly assembly(++last_id_, request.point.method);
  const auto limit = std::chrono::nanoseconds(watchdog_ns(request));
  const auto deadline = Clock::now() + limit;
  const auto sent =
      process_->send_line(encode(WorkerCommand{MeasureCommand{last_id_, request}}), Clock::now() + send_patience);
  if (sent == WorkerProcess::Sent::timed_out) return lose("timeout", "The worker did not take the request.");
  for (;;) {
    const Received received = process_->next_line(deadline);
    auto outcome = received.what == Received::What::line ? take_line(assembly, received.text)
                                                         : end_of_visit(received, request, limit);
    if (outcome) return std::move(*outcome);
  }
}

// Absent while the visit goes on.
std::optional<VisitOutcome> ServeLink::take_line(VisitAssembly& assembly, const std::string& line) {
  const auto decoded = decode_event(line);
  if (const auto* problem = std::get_if<DecodeError>(&decoded))
    return lose("garbage", fmt::format("The worker is not understood: {}", printable(problem->message)));
  const WorkerEvent& event = std::get<WorkerEvent>(decoded);
  auto outcome = assembly.take(event);
  if (!outcome) return std::nullopt;
  const auto* failure = std::get_if<VisitFailure>(&*outcome);
  const auto* error = std::get_if<WorkerError>(&event);
  const bool connection_good = failure == nullptr || (error != nullptr && error->id == last_id_);
  if (!connection_good) return lose(failure->code, failure->message);
  return outcome;
}

// What ends a visit without an answer of the worker's.
VisitOutcome ServeLink::end_of_visit(const Received& received, const VisitRequest& request,
                                     std::chrono::nanoseconds limit) {
  using What = Received::What;
  switch (received.what) {
  case What::line:
    break;
  case What::half_line:
    return lose("crashed",
                fmt::format("The worker broke off in the middle of a line (\"{}\").", printable(received.text, 80)));
  case What::end:
    return lose("crashed", "The worker ended before the visit was done.");
  case What::too_long:
    return lose("garbage", fmt::format("The worker sent more than {} MiB without a line's end (\"{}\").",
                                       max_line_bytes >> 20, printable(received.text, 80)));
  case What::timed_out:
    return lose("timeout", fmt::format("The worker did not finish the visit within {:.1f} s; {:.2f} s were planned.",
                                       static_cast<double>(limit.count()) * 1e-9,
                                       static_cast<double>(planned_ns(request)) * 1e-9));
  case What::stopped:
    process_->end();
    process_.reset();
    return stopped_by_user();
  }
  throw std::logic_error("a line does not end a visit");
}

void ServeLink::stop_now() {
  wake_.raise();
}

void ServeLink::close() {
  if (!process_) return;
  process_->close(wake_.raised() ? 0ms : close_patience);
  process_.reset();
}

} // namespace switchscope
