// Ends the waits of another thread. Raised once, it stays raised.
#pragma once

#include "engine/run/descriptor.h"

#include <atomic>

namespace switchscope {

class WakeUp {
public:
  WakeUp(); // throws std::system_error when the process has no descriptor left
  // Any thread, and from a signal handler.
  void raise() noexcept;
  [[nodiscard]] bool raised() const noexcept { return raised_.load(); }
  // Readable once raised: for poll().
  [[nodiscard]] int descriptor() const noexcept { return event_.get(); }

private:
  std::atomic<bool> raised_{false};
  Descriptor event_;
};

} // namespace switchscope
