#include "engine/run/wake_up.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace switchscope {

WakeUp::WakeUp() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!event_.is_open()) throw std::system_error(errno, std::generic_category(), "no descriptor for a wake-up");
}

void WakeUp::raise() noexcept {
  const int kept_errno = errno;
  raised_.store(true);
  const std::uint64_t one = 1;
  // It fails only when the counter is full, and then the descriptor is readable already.
  [[maybe_unused]] const auto written = ::write(event_.get(), &one, sizeof one);
  errno = kept_errno;
}

} // namespace switchscope
