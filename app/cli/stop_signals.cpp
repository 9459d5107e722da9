#include "app/cli/stop_signals.h"

#include "app/cli/output.h"

#include <cerrno>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <system_error>
#include <unistd.h>

namespace switchscope {

StopSignals::StopSignals() {
  sigset_t stopping;
  sigemptyset(&stopping);
  sigaddset(&stopping, SIGINT);
  sigaddset(&stopping, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &stopping, &before_);
  signals_ = ::signalfd(-1, &stopping, SFD_CLOEXEC);
  ending_ = ::eventfd(0, EFD_CLOEXEC);
  if (signals_ < 0 || ending_ < 0) throw std::system_error(errno, std::generic_category(), "signals cannot be watched");
}

StopSignals::~StopSignals() {
  stop_watching();
  ::close(signals_);
  ::close(ending_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
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
  const bool first = flag_.level() == StopFlag::none;
  if (first && measuring_) {
    flag_.raise(StopFlag::after_visit);
    say("\nStopping after the visit under way; Ctrl-C again to stop at once.");
    return;
  }
  flag_.raise(StopFlag::now);
  if (first) say("\nStopping.");
  link.stop_now();
}

} // namespace switchscope
