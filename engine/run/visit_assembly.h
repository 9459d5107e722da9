// From the lines that answer one request to the visit's outcome: what must be there, and what counts as garbage.
#pragma once

#include "engine/protocol/messages.h"
#include "engine/run/worker_link.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace switchscope {

class VisitAssembly {
public:
  explicit VisitAssembly(std::int64_t id) : id_(id) {} // of the request; lines with another id are garbage

  // The outcome when this line ends the visit: `done` with complete pairs, an error of the worker, or garbage.
  // Call it no more after that.
  [[nodiscard]] std::optional<VisitOutcome> take(const WorkerEvent&);

private:
  std::int64_t id_;
  std::vector<Block> blocks_;
};

} // namespace switchscope
