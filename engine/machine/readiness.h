// What on a machine limits the precision of a measurement, as a list of traffic lights. A pure function: it looks at
// nothing and changes nothing. docs/doctor.md explains each finding.
#pragma once

#include "engine/model/environment.h"
#include "engine/model/run.h"

#include <optional>
#include <string>
#include <vector>

namespace switchscope {

enum class Light {
  red,     // figures are spoiled, or are not those of a processor: change it first
  yellow,  // intervals are wider, or say less
  unknown, // the machine does not tell
  green,
};
template <> struct Names<Light> {
  static constexpr std::array table{std::pair{Light::red, "red"}, std::pair{Light::yellow, "yellow"},
                                    std::pair{Light::unknown, "unknown"}, std::pair{Light::green, "green"}};
};

struct Finding {
  std::string id; // "governor": the heading in docs/doctor.md, for scripts
  Light light = Light::unknown;
  int cpu = -1;       // the CPU it is about; -1: the whole machine
  std::string title;  // "frequency governor"
  std::string here;   // what it is here, without a stop
  std::string means;  // a sentence or two
  std::string change; // the command that changes it; empty where none can, or nothing needs to
  std::string undo;   // the command that takes it back
  friend bool operator==(const Finding&, const Finding&) = default;
};

// In order of harm, whatever their lights. `worker`: its path, for commands that give it rights.
[[nodiscard]] std::vector<Finding> readiness(const Environment&, const std::vector<int>& cpus,
                                             const std::string& worker = "switchscope-worker");

// Red first, then yellow, unknown and green; among equals in order of harm.
[[nodiscard]] std::vector<Finding> sorted_by_light(std::vector<Finding>);

// The first red finding, else the first yellow one; absent when there is neither.
[[nodiscard]] std::optional<Finding> worst_finding(const std::vector<Finding>&);

// Those that bear on the precision of that run, from what the machine was before it: real-time findings where real time
// was asked, huge pages where they were.
[[nodiscard]] std::vector<Finding> findings_of(const Run&);

// What to do where a real-time policy was refused: a sentence.
[[nodiscard]] std::string how_to_get_real_time(const Environment&);

// False: no CPU may be used, so that nothing can be measured at all.
[[nodiscard]] bool can_be_measured(const Environment&);

} // namespace switchscope
