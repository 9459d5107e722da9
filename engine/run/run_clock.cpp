#include "engine/run/run_clock.h"

#include "engine/model/utc.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace switchscope {

namespace {

// A signal handler can raise the flag but wake nobody; at this step a stop is felt as immediate.
constexpr std::int64_t step_ns = 20'000'000;
constexpr std::int64_t long_step_ns = 100'000'000; // of a wait of many seconds, which must not disturb who measures

} // namespace

std::int64_t SystemClock::now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string SystemClock::utc_text() {
  return utc_now_text();
}

void SystemClock::wait(std::int64_t ns, const StopFlag& stop) {
  const std::int64_t until = now_ns() + ns;
  for (std::int64_t left = ns; left > 0 && stop.level() == StopFlag::none; left = until - now_ns())
    std::this_thread::sleep_for(
        std::chrono::nanoseconds(left > 10 * long_step_ns ? long_step_ns : std::min(left, step_ns)));
}

} // namespace switchscope
