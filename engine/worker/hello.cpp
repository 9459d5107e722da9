#include "engine/worker/host.h"
#include "engine/worker/paper_traversal.h"
#include "engine/worker/traversal.h"

namespace switchscope {

Hello hello_of_this_worker() {
  Hello hello;
  hello.version = SWITCHSCOPE_WORKER_VERSION;
  hello.build = SWITCHSCOPE_WORKER_BUILD;
#if defined(__x86_64__)
  hello.architecture = "x86_64";
#elif defined(__aarch64__)
  hello.architecture = "aarch64";
#endif
  for (const auto& [mechanism, word] : Names<Mechanism>::table) hello.mechanisms.emplace_back(word);
  for (const std::string_view code : loop_codes(cpu_has_avx())) hello.kernel_codes.emplace_back(code);
  hello.kernel_codes.emplace_back(paper_code);
  return hello;
}

} // namespace switchscope
