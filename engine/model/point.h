// One combination of parameters whose cost is measured: a point of the curve.
#pragma once

#include "engine/model/names.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace switchscope {

inline constexpr std::int64_t element_bytes = 8; // elements are doubles, as in the paper
// Sizes are rounded to it, and the random pattern visits it as a whole, whatever lines the processor has.
inline constexpr std::int64_t line_bytes = 64;

// Where the two tasks run. `automatic` is replaced by one CPU before points are made.
struct Placement {
  enum class Kind { automatic, same_cpu, two_cpus, free };
  Kind kind = Kind::automatic;
  int cpu_a = -1; // same_cpu and two_cpus; -1 otherwise
  int cpu_b = -1; // two_cpus; equals cpu_a for same_cpu
  friend bool operator==(const Placement&, const Placement&) = default;
};

// "auto", "free", "1" (both tasks there), "0:1" (A on 0, B on 1).
[[nodiscard]] std::string text_of(const Placement&);
// nullopt when the text is none of these; "1:1" reads as "1".
[[nodiscard]] std::optional<Placement> parse_placement(std::string_view);

struct Point {
  std::int64_t array_bytes =
      0; // per task; 0 measures the direct cost C1 and then stride, access and pattern stay as here
  std::int64_t stride_bytes = 0; // a multiple of 8; 0 where it has no meaning (array_bytes 0, Pattern::random)
  Access access = Access::read_modify_write;
  Pattern pattern = Pattern::strided;
  Mechanism mechanism = Mechanism::pipe;
  TaskKind tasks = TaskKind::process;
  Kernel kernel = Kernel::vector;
  Placement placement;
  Policy policy = Policy::automatic;  // asked; what was obtained stands in the visit
  PageMode pages = PageMode::base_4k; // asked
  Method method = Method::paired;     // paper: with Kernel::scalar, processes and Pattern::strided only

  [[nodiscard]] bool is_direct() const { return array_bytes == 0; }
  friend bool operator==(const Point&, const Point&) = default;
};

// The D = 0 point that belongs to a point: the same method, tasks, placement, policy, pages and kernel without data.
[[nodiscard]] Point direct_point_of(const Point&);

// Equal points have equal keys: "paired/pipe/process/vector/1/fifo/4k/393216/strided/128/rmw".
[[nodiscard]] std::string key_of(const Point&);

} // namespace switchscope
