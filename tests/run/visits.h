// Small complete visits for tests.
#pragma once

#include "engine/model/visit.h"

namespace switchscope::testing {

inline VisitData visit_with_pairs(int pairs, std::int64_t fifo_ns = 0) {
  VisitData data;
  data.report.fifo_ns = fifo_ns;
  data.report.checksum_ok = true;
  data.report.checksum_ok = true;
  for (int pair = 0; pair < pairs; ++pair)
    for (const Phase phase : {Phase::baseline_a, Phase::switching, Phase::baseline_b}) {
      Block block;
      block.pair = pair;
      block.phase = phase;
      block.trips = 4;
      block.elapsed_ns = 1000;
      data.blocks.push_back(block);
    }
  return data;
}

} // namespace switchscope::testing
