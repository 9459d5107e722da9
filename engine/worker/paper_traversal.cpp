// Built with -O0 in every configuration: CMakeLists.txt. `volatile` keeps each element's load and store where a
// compiler would merge them all the same.
#include "engine/worker/paper_traversal.h"

#include "engine/worker/traversal_loops.h"

namespace switchscope {

extern "C" {

SWITCHSCOPE_TRAVERSAL double traverse_read_paper(const Array& array, double) {
  const volatile double* const data = array.data;
  const std::size_t elements = array.elements, stride = array.stride_elements;
  double sum = 0;
  for (std::size_t pass = 0; pass < stride; ++pass)
    for (std::size_t i = pass; i < elements; i += stride) sum = sum + data[i];
  return sum;
}

SWITCHSCOPE_TRAVERSAL double traverse_write_paper(const Array& array, double value) {
  volatile double* const data = array.data;
  const std::size_t elements = array.elements, stride = array.stride_elements;
  for (std::size_t pass = 0; pass < stride; ++pass)
    for (std::size_t i = pass; i < elements; i += stride) data[i] = value;
  return 0;
}

SWITCHSCOPE_TRAVERSAL double traverse_rmw_paper(const Array& array, double) {
  volatile double* const data = array.data;
  const std::size_t elements = array.elements, stride = array.stride_elements;
  for (std::size_t pass = 0; pass < stride; ++pass)
    for (std::size_t i = pass; i < elements; i += stride) data[i] = data[i] + 1.0;
  return 0;
}

} // extern "C"

Traversal paper_loop(Access access) {
  switch (access) {
  case Access::read:
    return traverse_read_paper;
  case Access::write:
    return traverse_write_paper;
  case Access::read_modify_write:
    return traverse_rmw_paper;
  }
  __builtin_unreachable();
}

} // namespace switchscope
