#include "engine/worker/line_order.h"
#include "engine/worker/traversal_loops.h"

namespace switchscope {
namespace {

constexpr std::size_t line_elements = 8;

Traversal scalar_loop(Access access, Pattern pattern) {
  switch (access) {
  case Access::read:
    return pattern == Pattern::strided  ? traverse_read_strided_scalar
           : pattern == Pattern::sparse ? traverse_read_sparse_scalar
                                        : traverse_read_random_scalar;
  case Access::write:
    return pattern == Pattern::strided  ? traverse_write_strided_scalar
           : pattern == Pattern::sparse ? traverse_write_sparse_scalar
                                        : traverse_write_random_scalar;
  case Access::read_modify_write:
    return pattern == Pattern::strided  ? traverse_rmw_strided_scalar
           : pattern == Pattern::sparse ? traverse_rmw_sparse_scalar
                                        : traverse_rmw_random_scalar;
  }
  __builtin_unreachable();
}

Traversal unrolled_loop(Access access, Pattern pattern) {
  switch (access) {
  case Access::read:
    return pattern == Pattern::strided  ? traverse_read_strided_unrolled
           : pattern == Pattern::sparse ? traverse_read_sparse_unrolled
                                        : traverse_read_random_unrolled;
  case Access::write:
    return pattern == Pattern::strided  ? traverse_write_strided_unrolled
           : pattern == Pattern::sparse ? traverse_write_sparse_unrolled
                                        : traverse_write_random_unrolled;
  case Access::read_modify_write:
    return pattern == Pattern::strided  ? traverse_rmw_strided_unrolled
           : pattern == Pattern::sparse ? traverse_rmw_sparse_unrolled
                                        : traverse_rmw_random_unrolled;
  }
  __builtin_unreachable();
}

#if defined(__x86_64__)
Traversal avx_loop(Access access, Pattern pattern) {
  const bool random = pattern == Pattern::random;
  switch (access) {
  case Access::read:
    return random ? traverse_read_random_avx : traverse_read_sequential_avx;
  case Access::write:
    return random ? traverse_write_random_avx : traverse_write_sequential_avx;
  case Access::read_modify_write:
    return random ? traverse_rmw_random_avx : traverse_rmw_sequential_avx;
  }
  __builtin_unreachable();
}
#endif

double initial_value(std::size_t index, int task) {
  return static_cast<double>(1 + task + static_cast<int>(index % 251));
}

bool is_visited(std::size_t index, std::size_t stride_elements, Pattern pattern) {
  return pattern != Pattern::sparse || index % stride_elements == 0;
}

} // namespace

bool cpu_has_avx() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx") != 0; // the library also asks whether the kernel saves the registers
#else
  return false;
#endif
}

std::vector<std::string_view> loop_codes(bool with_avx) {
  std::vector<std::string_view> codes{"scalar", "unrolled"};
  if (with_avx) codes.emplace_back("avx");
  return codes;
}

Loop choose_loop(Access access, Pattern pattern, Kernel kernel, std::size_t stride_elements, bool with_avx) {
  if (kernel == Kernel::scalar) return {scalar_loop(access, pattern), "scalar"};
#if defined(__x86_64__)
  const bool neighbours = pattern == Pattern::random || stride_elements == 1;
  if (neighbours && with_avx) return {avx_loop(access, pattern), "avx"};
#else
  (void)stride_elements;
  (void)with_avx;
#endif
  return {unrolled_loop(access, pattern), "unrolled"};
}

Array array_over(double* data, std::size_t elements, std::size_t stride_elements) {
  return {data, elements, stride_elements, order_bits_for(elements / line_elements)};
}

void fill(const Array& array, int task) {
  for (std::size_t i = 0; i < array.elements; ++i) array.data[i] = initial_value(i, task);
}

double expected_sum(const Array& array, Pattern pattern, int task) {
  double sum = 0;
  for (std::size_t i = 0; i < array.elements; ++i)
    if (is_visited(i, array.stride_elements, pattern)) sum += initial_value(i, task);
  return sum;
}

bool holds_expected(const Array& array, Access access, Pattern pattern, int task, double traversals,
                    double last_value) {
  for (std::size_t i = 0; i < array.elements; ++i) {
    double expected = initial_value(i, task);
    if (traversals > 0 && is_visited(i, array.stride_elements, pattern)) {
      if (access == Access::write) expected = last_value;
      if (access == Access::read_modify_write) expected += traversals;
    }
    if (array.data[i] != expected) return false;
  }
  return true;
}

} // namespace switchscope
