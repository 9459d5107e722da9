// The walks over neighbouring elements with 256-bit plain loads, adds and stores: no FMA, so that rmw is one rounding
// as in the scalar loop, and nothing wider, which would change the clock on some CPUs. The compiler puts vzeroupper
// before each return (tested by disassembly). Only these functions are built for AVX: no inline function that the rest
// of the program shares may be.
#include "engine/worker/traversal_loops.h"

#include "engine/worker/line_order.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define SWITCHSCOPE_AVX __attribute__((target("avx")))

namespace switchscope {
namespace {

constexpr std::size_t vector_elements = 4, line_elements = 8;

template <Access access>
[[gnu::always_inline]] SWITCHSCOPE_AVX inline void touch_vector(double* at, __m256d value, __m256d one, __m256d& sum) {
  if constexpr (access == Access::read) sum = _mm256_add_pd(sum, _mm256_loadu_pd(at));
  if constexpr (access == Access::write) _mm256_storeu_pd(at, value);
  if constexpr (access == Access::read_modify_write) _mm256_storeu_pd(at, _mm256_add_pd(_mm256_loadu_pd(at), one));
}

template <Access access> [[gnu::always_inline]] inline void touch(double& element, double value, double& sum) {
  if constexpr (access == Access::read) sum += element;
  if constexpr (access == Access::write) element = value;
  if constexpr (access == Access::read_modify_write) element += 1.0;
}

[[gnu::always_inline]] SWITCHSCOPE_AVX inline double total(const __m256d (&sums)[4]) {
  const __m256d all = _mm256_add_pd(_mm256_add_pd(sums[0], sums[1]), _mm256_add_pd(sums[2], sums[3]));
  const __m128d halves = _mm_add_pd(_mm256_castpd256_pd128(all), _mm256_extractf128_pd(all, 1));
  return _mm_cvtsd_f64(_mm_add_sd(halves, _mm_unpackhi_pd(halves, halves)));
}

template <Access access>
[[gnu::always_inline]] SWITCHSCOPE_AVX inline double sequential(const Array& array, double value) {
  double* const data = array.data;
  const std::size_t elements = array.elements;
  const __m256d values = _mm256_set1_pd(value), one = _mm256_set1_pd(1.0);
  __m256d sums[4] = {_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd()};
  std::size_t i = 0;
  for (; i + 4 * vector_elements <= elements; i += 4 * vector_elements) {
    touch_vector<access>(data + i, values, one, sums[0]);
    touch_vector<access>(data + i + vector_elements, values, one, sums[1]);
    touch_vector<access>(data + i + 2 * vector_elements, values, one, sums[2]);
    touch_vector<access>(data + i + 3 * vector_elements, values, one, sums[3]);
  }
  double rest = 0;
  for (; i < elements; ++i) touch<access>(data[i], value, rest);
  return total(sums) + rest;
}

template <Access access>
[[gnu::always_inline]] SWITCHSCOPE_AVX inline double random_lines(const Array& array, double value) {
  double* const data = array.data;
  const std::size_t elements = array.elements, lines = elements / line_elements;
  const __m256d values = _mm256_set1_pd(value), one = _mm256_set1_pd(1.0);
  __m256d sums[4] = {_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd()};
  const std::size_t counters = counters_for(lines, array.order_bits);
  LineBatch batch;
  for (std::size_t counter = 0; counter < counters; counter += LineBatch::capacity) {
    next_lines(batch, counter, lines, array.order_bits);
    for (std::size_t at = 0; at < batch.count; ++at) {
      double* const element = data + batch.lines[at] * line_elements;
      touch_vector<access>(element, values, one, sums[0]);
      touch_vector<access>(element + vector_elements, values, one, sums[1]);
    }
  }
  double rest = 0;
  for (std::size_t i = lines * line_elements; i < elements; ++i) touch<access>(data[i], value, rest);
  return total(sums) + rest;
}

} // namespace

#define SWITCHSCOPE_DEFINE_AVX(word, access)                                                                           \
  extern "C" SWITCHSCOPE_AVX SWITCHSCOPE_TRAVERSAL double traverse_##word##_sequential_avx(const Array& array,         \
                                                                                           double value) {             \
    return sequential<Access::access>(array, value);                                                                   \
  }                                                                                                                    \
  extern "C" SWITCHSCOPE_AVX SWITCHSCOPE_TRAVERSAL double traverse_##word##_random_avx(const Array& array,             \
                                                                                       double value) {                 \
    return random_lines<Access::access>(array, value);                                                                 \
  }
SWITCHSCOPE_DEFINE_AVX(read, read)
SWITCHSCOPE_DEFINE_AVX(write, write)
SWITCHSCOPE_DEFINE_AVX(rmw, read_modify_write)

} // namespace switchscope
#endif
