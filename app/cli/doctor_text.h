// The findings of `doctor` for people and for scripts.
#pragma once

#include "engine/machine/machine.h"
#include "engine/machine/readiness.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace switchscope {

struct Diagnosis {
  Environment machine;   // with what the probe found
  CpuChoice chosen;      // what `auto` stands for
  std::vector<int> cpus; // judged
  std::vector<Finding> findings;
  std::string not_probed; // why cores were not probed for sharing; empty when they were
};

// Red first, at most 100 columns but for commands, which are not broken. `colour`: lights in colour.
[[nodiscard]] std::string doctor_text(const Diagnosis&, bool colour);

// docs/doctor.schema.json.
[[nodiscard]] nlohmann::json doctor_document(const Diagnosis&);

// "the hypervisor: guest of KVM (nested, PVM)": a finding within a sentence.
[[nodiscard]] std::string in_a_sentence(const Finding&);

} // namespace switchscope
