// What one task does: traverses its own array and moves one byte, through its own pipe or to the other task and back.
#pragma once

#include "engine/worker/clock.h"
#include "engine/worker/traversal.h"

#include <cstdint>

namespace switchscope {

struct PipeEnds {
  int read_end = -1;
  int write_end = -1;
};

// A task's array and the account of what was done to it, for the check at the end of the visit.
struct Work {
  Traversal traverse = nullptr;
  Array array;
  double traversals = 0; // so far; a write stores its own number, so each traversal's value differs
  double sum = 0;        // of all that read traversals returned
};

// One byte in or out, without retries; false when the other side is gone. Straight system calls: the C library's
// functions take another path once a second thread exists.
[[nodiscard]] bool put_byte(int write_end);
[[nodiscard]] bool take_byte(int read_end);

// `trips` times: traverse, write one byte to `out`, read one byte from `in`. This one loop is what is timed in every
// block: with the task's own pipe it is the baseline (S2), with the pipes to and from the other task it is the
// switching (S1). False when the other side is gone.
[[nodiscard]] bool exchange(Work&, int out, int in, std::int64_t trips);
// The other task's part in S1: read one byte, traverse, write one byte.
[[nodiscard]] bool answer(Work&, int in, int out, std::int64_t trips);

// The same two, begun in the middle of a page of the stack, wherever the caller's own frame lies. Where a loop's frame
// reaches over the end of a page, a trip takes 1 to 4 % longer, in S1 or in S2 as it happens: seen in one worker of
// ten.
[[nodiscard]] bool exchange_mid_page(Work&, int out, int in, std::int64_t trips);
[[nodiscard]] bool answer_mid_page(Work&, int in, int out, std::int64_t trips);

} // namespace switchscope
