#include "engine/worker/traversal_loops.h"

#include "engine/worker/line_order.h"

namespace switchscope {
namespace {

constexpr std::size_t line_elements = 8;

template <Access access> [[gnu::always_inline]] inline void touch_plain(double& element, double value, double& sum) {
  // volatile keeps this loop to one element at a time, as in the paper's programs.
  volatile double& plain = element;
  if constexpr (access == Access::read) sum += plain;
  if constexpr (access == Access::write) plain = value;
  if constexpr (access == Access::read_modify_write) plain = plain + 1.0;
}

template <Access access> [[gnu::always_inline]] inline void touch(double& element, double value, double& sum) {
  if constexpr (access == Access::read) sum += element;
  if constexpr (access == Access::write) element = value;
  if constexpr (access == Access::read_modify_write) element += 1.0;
}

template <Access access> [[gnu::always_inline]] inline double strided_scalar(const Array& array, double value) {
  double* const data = array.data;
  const std::size_t elements = array.elements, stride = array.stride_elements;
  double sum = 0;
  for (std::size_t pass = 0; pass < stride; ++pass)
    for (std::size_t i = pass; i < elements; i += stride) touch_plain<access>(data[i], value, sum);
  return sum;
}

template <Access access> [[gnu::always_inline]] inline double sparse_scalar(const Array& array, double value) {
  double* const data = array.data;
  const std::size_t elements = array.elements, stride = array.stride_elements;
  double sum = 0;
  for (std::size_t i = 0; i < elements; i += stride) touch_plain<access>(data[i], value, sum);
  return sum;
}

template <Access access> [[gnu::always_inline]] inline double random_scalar(const Array& array, double value) {
  double* const data = array.data;
  const std::size_t elements = array.elements, lines = elements / line_elements;
  double sum = 0;
  const std::size_t counters = counters_for(lines, array.order_bits);
  LineBatch batch;
  for (std::size_t counter = 0; counter < counters; counter += LineBatch::capacity) {
    next_lines(batch, counter, lines, array.order_bits);
    for (std::size_t at = 0; at < batch.count; ++at)
      for (std::size_t i = 0; i < line_elements; ++i)
        touch_plain<access>(data[batch.lines[at] * line_elements + i], value, sum);
  }
  for (std::size_t i = lines * line_elements; i < elements; ++i) touch_plain<access>(data[i], value, sum);
  return sum;
}

template <Access access>
[[gnu::always_inline]] inline void walk_unrolled(double* data, std::size_t first, std::size_t elements,
                                                 std::size_t stride, double value, double (&sums)[4]) {
  std::size_t i = first;
  for (; i + 3 * stride < elements; i += 4 * stride) {
    touch<access>(data[i], value, sums[0]);
    touch<access>(data[i + stride], value, sums[1]);
    touch<access>(data[i + 2 * stride], value, sums[2]);
    touch<access>(data[i + 3 * stride], value, sums[3]);
  }
  for (; i < elements; i += stride) touch<access>(data[i], value, sums[0]);
}

template <Access access> [[gnu::always_inline]] inline double strided_unrolled(const Array& array, double value) {
  double sums[4] = {};
  for (std::size_t pass = 0; pass < array.stride_elements; ++pass)
    walk_unrolled<access>(array.data, pass, array.elements, array.stride_elements, value, sums);
  return sums[0] + sums[1] + sums[2] + sums[3];
}

template <Access access> [[gnu::always_inline]] inline double sparse_unrolled(const Array& array, double value) {
  double sums[4] = {};
  walk_unrolled<access>(array.data, 0, array.elements, array.stride_elements, value, sums);
  return sums[0] + sums[1] + sums[2] + sums[3];
}

template <Access access> [[gnu::always_inline]] inline double random_unrolled(const Array& array, double value) {
  double* const data = array.data;
  const std::size_t elements = array.elements, lines = elements / line_elements;
  double sums[4] = {};
  const std::size_t counters = counters_for(lines, array.order_bits);
  LineBatch batch;
  for (std::size_t counter = 0; counter < counters; counter += LineBatch::capacity) {
    next_lines(batch, counter, lines, array.order_bits);
    for (std::size_t at = 0; at < batch.count; ++at) {
      double* const element = data + batch.lines[at] * line_elements;
      touch<access>(element[0], value, sums[0]);
      touch<access>(element[1], value, sums[1]);
      touch<access>(element[2], value, sums[2]);
      touch<access>(element[3], value, sums[3]);
      touch<access>(element[4], value, sums[0]);
      touch<access>(element[5], value, sums[1]);
      touch<access>(element[6], value, sums[2]);
      touch<access>(element[7], value, sums[3]);
    }
  }
  for (std::size_t i = lines * line_elements; i < elements; ++i) touch<access>(data[i], value, sums[0]);
  return sums[0] + sums[1] + sums[2] + sums[3];
}

} // namespace

#define SWITCHSCOPE_DEFINE(word, access, walk)                                                                         \
  extern "C" SWITCHSCOPE_TRAVERSAL double traverse_##word##_##walk(const Array& array, double value) {                 \
    return walk<Access::access>(array, value);                                                                         \
  }
#define SWITCHSCOPE_DEFINE_WALKS(word, access)                                                                         \
  SWITCHSCOPE_DEFINE(word, access, strided_scalar)                                                                     \
  SWITCHSCOPE_DEFINE(word, access, sparse_scalar)                                                                      \
  SWITCHSCOPE_DEFINE(word, access, random_scalar)                                                                      \
  SWITCHSCOPE_DEFINE(word, access, strided_unrolled)                                                                   \
  SWITCHSCOPE_DEFINE(word, access, sparse_unrolled)                                                                    \
  SWITCHSCOPE_DEFINE(word, access, random_unrolled)
SWITCHSCOPE_DEFINE_WALKS(read, read)
SWITCHSCOPE_DEFINE_WALKS(write, write)
SWITCHSCOPE_DEFINE_WALKS(rmw, read_modify_write)

} // namespace switchscope
