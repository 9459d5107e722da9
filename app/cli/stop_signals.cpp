#include "app/cli/stop_signals.h"

#include "app/cli/output.h"
#include "engine/model/quantity.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <system_error>
#include <unistd.h>

namespace switchscope {

namespace {

constexpr double long_s = 2; // a wait that nobody expects after Ctrl-C

std::string stopping_text(std::int64_t visit_ns) {
  const double visit_s = static_cast<double>(visit_ns) * 1e-9;
  const std::string wait = visit_s > long_s ? fmt::format(" (it may take {})", seconds_text(visit_s)) : "";
  return fmt::format("\nStopping after the visit under way{}; Ctrl-C again to stop at once.", wait);
}

} // namespace

StopSignals::StopSignals() {
  sigset_t stopping;
  sigemptyset(&stopping);
  sigaddset(&stopping, SIGINT);
  sigaddset(&stopping, SIGTERM);
  sigaddset(&stopping, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &stopping, nullptr);
  signals_ = ::signalfd(-1, &stopping, SFD_CLOEXEC);
  ending_ = ::eventfd(0, EFD_CLOEXEC);
  if (signals_ < 0 || ending_ < 0) throw std::system_error(errno, std::generic_category(), "signals cannot be watched");
}

StopSignals::~StopSignals() {
  stop_watching();
  ::close(signals_);
  ::close(ending_);
}

void StopSignals::watch(WorkerLink& link) {
  watcher_ = std::thread([this, &link] { wait_for_signals(link); });
}

void StopSignals::stop_watching() {
  if (!watcher_.joinable()) return;
  const std::uint64_t one = 1;
  while (::write(ending_, &one, sizeof one) < 0 && errno == EINTR) {
  }
  watcher_.join();
}

void StopSignals::wait_for_signals(WorkerLink& link) {
  while (true) {
    pollfd sources[] = {{signals_, POLLIN, 0}, {ending_, POLLIN, 0}};
    if (::poll(sources, 2, -1) < 0) continue;
    if (sources[1].revents != 0) return;
    signalfd_siginfo taken{};
    if (::read(signals_, &taken, sizeof taken) == sizeof taken) take(link);
  }
}

void StopSignals::take(WorkerLink& link) {
  if (printing_) return;
  const bool first = flag_.level() == StopFlag::none;
  if (first && measuring_) {
    flag_.raise(StopFlag::after_visit);
    say(stopping_text(visit_ns_));
    return;
  }
  flag_.raise(StopFlag::now);
  if (first) say("\nStopping.");
  link.stop_now();
}

} // namespace switchscope
