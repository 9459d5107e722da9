// The lights of a machine as one line.
#pragma once

#include "engine/machine/machine.h"
#include "engine/machine/readiness.h"

#include <string>

namespace switchscope {

// "yellow wsl, yellow shared-core": all that is not green, sorted as it is shown; unknown ones behind a bar.
inline std::string lights(const Environment& environment) {
  std::string text;
  std::string unknown;
  for (const Finding& finding : sorted_by_light(readiness(environment, {choose_cpu(environment).cpu}))) {
    if (finding.light == Light::green) continue;
    if (finding.light == Light::unknown)
      unknown += " " + finding.id;
    else
      text += std::string(name_of(finding.light)) + " " + finding.id + ", ";
  }
  return text + "unknown" + unknown;
}

} // namespace switchscope
