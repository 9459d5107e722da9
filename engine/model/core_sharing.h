// Whether CPUs share a core, found by measuring: a guest is often told that every CPU is a core of its own.
#pragma once

#include "engine/model/names.h"

#include <string>
#include <vector>

namespace switchscope {

enum class Sharing {
  shares,      // work on the one slows the other down
  does_not,    // it does not
  cannot_tell, // too noisy, or too few readings
};
template <> struct Names<Sharing> {
  static constexpr std::array table{std::pair{Sharing::shares, "shares"}, std::pair{Sharing::does_not, "does not"},
                                    std::pair{Sharing::cannot_tell, "cannot tell"}};
};

// The throughput of the chosen CPU, adds per core cycle, while another CPU slept and while it spun.
struct CoreNeighbour {
  int cpu = 0; // the other one
  Sharing verdict = Sharing::cannot_tell;
  double quiet_adds_per_cycle = 0; // medians; 0 where there is no reading
  double busy_adds_per_cycle = 0;
  int pairs = 0; // of readings, one quiet and one busy
  friend bool operator==(const CoreNeighbour&, const CoreNeighbour&) = default;
};

struct CoreSharing {
  int cpu = 0;                           // the chosen one
  std::string taken_at;                  // UTC
  std::vector<CoreNeighbour> neighbours; // those that were tried, in that order
  int not_tried = 0;                     // CPUs for which there was no time
  friend bool operator==(const CoreSharing&, const CoreSharing&) = default;
};

} // namespace switchscope
