// The work between two switches: one traversal of a task's own array.
// Each (access, pattern, loop) is one out-of-line, 64-byte aligned function, and a visit calls exactly one of them,
// through one pointer, from the baseline and from the switching blocks alike: inlined copies of the same loop were seen
// to run 40 % apart, which made differences of -6 us out of nothing.
#pragma once

#include "engine/model/names.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace switchscope {

// What a traversal walks over. `data` is aligned to at least 64 bytes.
struct Array {
  double* data = nullptr;
  std::size_t elements = 0;        // 0: the direct cost, through the same function
  std::size_t stride_elements = 1; // >= 1; not used by Pattern::random
  unsigned order_bits = 1;         // Pattern::random: the lines are numbered below 2^order_bits
};

// read: returns the sum of the elements visited, `value` unused. write: stores `value` in each. rmw: adds 1 to each.
// write and rmw return 0.
using Traversal = double (*)(const Array&, double value);

struct Loop {
  Traversal traverse = nullptr;
  std::string_view code; // "scalar": one plain element at a time; "unrolled"; "avx"
};

// The loop for a point on this CPU. Kernel::vector is AVX where the elements are neighbours (stride of one element, and
// whole lines in random order) and the CPU has it; where they are not, or it has not, several accumulators, unrolled.
[[nodiscard]] Loop choose_loop(Access, Pattern, Kernel, std::size_t stride_elements, bool with_avx);
[[nodiscard]] bool cpu_has_avx();
[[nodiscard]] std::vector<std::string_view> loop_codes(bool with_avx);

// An array that starts at `data` and is ready for choose_loop's function.
[[nodiscard]] Array array_over(double* data, std::size_t elements, std::size_t stride_elements);

// Fills with small distinct integers, so that every sum is exact in a double. `task` (0 or 1) makes the two differ.
void fill(const Array&, int task);
// What one read traversal of a freshly filled array returns.
[[nodiscard]] double expected_sum(const Array&, Pattern, int task);
// Whether every element holds what `traversals` traversals of a freshly filled array must have left; the last write
// stored `last_value`.
[[nodiscard]] bool holds_expected(const Array&, Access, Pattern, int task, double traversals, double last_value);

} // namespace switchscope
