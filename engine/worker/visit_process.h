// A visit in a process of its own, which writes its lines itself after its last block.
#pragma once

#include "engine/protocol/messages.h"
#include "engine/worker/machine_lock.h"

#include <cstdint>
#include <optional>
#include <sys/types.h>

namespace switchscope {

// Forks task A. Throws VisitProblem ("fork"). `received_ns`: CLOCK_MONOTONIC_RAW time of the request.
[[nodiscard]] pid_t start_visit(const MeasureCommand&, std::int64_t received_ns, MachineLock&);
// The same for the probe of shared cores, which writes one line.
[[nodiscard]] pid_t start_sharing(const SharesCommand&, MachineLock&);

// What the visit's end means: absent when it wrote `done` or its own `error` line; else the error to write for it.
[[nodiscard]] std::optional<WorkerError> error_of_end(std::int64_t id, int wait_status);
[[nodiscard]] bool was_done(int wait_status);
[[nodiscard]] bool found_no_reader(int wait_status); // its lines could not be written

} // namespace switchscope
