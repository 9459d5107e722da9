// The walk of the paper's method: one element at a time, compiled without optimisation, as the authors' programs are.
#pragma once

#include "engine/worker/traversal.h"

namespace switchscope {

// Strided only. The code word of its loop is "paper".
[[nodiscard]] Traversal paper_loop(Access);
inline constexpr std::string_view paper_code = "paper";

extern "C" {
double traverse_read_paper(const Array&, double);
double traverse_write_paper(const Array&, double);
double traverse_rmw_paper(const Array&, double);
}

} // namespace switchscope
