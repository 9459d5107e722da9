// The names of the traversal functions, for the table that chooses among them and for the test that disassembles them.
#pragma once

#include "engine/worker/traversal.h"

// No cloning or constant propagation into these functions: what S1 runs and what S2 runs must be the same code.
#if defined(__clang__)
#define SWITCHSCOPE_TRAVERSAL __attribute__((noinline, aligned(64)))
#else
#define SWITCHSCOPE_TRAVERSAL __attribute__((noipa, aligned(64)))
#endif

namespace switchscope {

extern "C" {
double traverse_read_strided_scalar(const Array&, double);
double traverse_read_sparse_scalar(const Array&, double);
double traverse_read_random_scalar(const Array&, double);
double traverse_write_strided_scalar(const Array&, double);
double traverse_write_sparse_scalar(const Array&, double);
double traverse_write_random_scalar(const Array&, double);
double traverse_rmw_strided_scalar(const Array&, double);
double traverse_rmw_sparse_scalar(const Array&, double);
double traverse_rmw_random_scalar(const Array&, double);

double traverse_read_strided_unrolled(const Array&, double);
double traverse_read_sparse_unrolled(const Array&, double);
double traverse_read_random_unrolled(const Array&, double);
double traverse_write_strided_unrolled(const Array&, double);
double traverse_write_sparse_unrolled(const Array&, double);
double traverse_write_random_unrolled(const Array&, double);
double traverse_rmw_strided_unrolled(const Array&, double);
double traverse_rmw_sparse_unrolled(const Array&, double);
double traverse_rmw_random_unrolled(const Array&, double);

#if defined(__x86_64__)
// Stride of one element: strided and sparse are then the same walk.
double traverse_read_sequential_avx(const Array&, double);
double traverse_write_sequential_avx(const Array&, double);
double traverse_rmw_sequential_avx(const Array&, double);
double traverse_read_random_avx(const Array&, double);
double traverse_write_random_avx(const Array&, double);
double traverse_rmw_random_avx(const Array&, double);
#endif
}

} // namespace switchscope
