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
  // Of the request: lines with another id are garbage, and the method says which blocks make it whole.
  VisitAssembly(std::int64_t id, Method method) : id_(id), method_(method) {}

  // The outcome when this line ends the visit: `done` with complete pairs (the paper's
  // method: with S2A and S1), an error of the worker, or garbage.
  // Call it no more after that.
  [[nodiscard]] std::optional<VisitOutcome> take(const WorkerEvent&);

private:
  std::int64_t id_;
  Method method_;
  std::vector<Block> blocks_;
};

} // namespace switchscope
