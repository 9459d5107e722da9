#include "engine/worker/failure.h"

#include <cstring>

namespace switchscope {

std::string error_text(int error_number) {
  return std::string(std::strerror(error_number)) + " (error " + std::to_string(error_number) + ")";
}

} // namespace switchscope
