// A task on another CPU that spins on demand. It ends with its parent, by its deadline at the latest.
#pragma once

#include <atomic>
#include <cstdint>
#include <sys/types.h>

namespace switchscope {

class Spinner {
public:
  // Forks. `deadline_ns`: of the whole process. Throws VisitProblem ("fork").
  Spinner(int cpu, std::int64_t deadline_ns);
  ~Spinner();
  Spinner(const Spinner&) = delete;
  Spinner& operator=(const Spinner&) = delete;

  void start(std::int64_t longest_ns); // spins until stop(), that long at most
  void stop();                         // returns at once; it sleeps within some microseconds
  // CPU time spun so far; 0 for good where it could not be pinned.
  [[nodiscard]] std::int64_t spun_ns() const { return shared_->spun_ns.load(std::memory_order_relaxed); }

private:
  struct Shared {
    std::atomic<std::int64_t> spun_ns{0};
    std::atomic<std::uint32_t> order{0}; // odd: spin; another number: another order
    std::atomic<std::int64_t> longest_ns{0};
  };
  [[noreturn]] static void obey(Shared&, int cpu, int orders);

  Shared* shared_ = nullptr;
  pid_t pid_ = -1;
  int orders_ = -1; // a byte for each start(); closed: the end
};

} // namespace switchscope
