#include "engine/session/machine_checks.h"

#include "engine/machine/machine.h"
#include "engine/model/utc.h"
#include "engine/protocol/json.h"
#include "engine/session/session.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace switchscope {

namespace {

constexpr const char* sharing_kind = "core-sharing";

std::string booted_at(const Environment& environment) {
  return utc_text(std::chrono::system_clock::time_point(std::chrono::seconds(*environment.booted_at_s)));
}

} // namespace

Environment with_stored_checks(Environment environment, const Store& store) {
  if (!environment.booted_at_s) return environment;
  const std::string boot = booted_at(environment);
  for (const MachineCheck& check : store.latest_checks(sharing_kind, machine_key(environment))) {
    if (check.taken_at < boot) continue; // dates of one form compare as texts
    try {
      environment.core_sharing.push_back(core_sharing_from_text(check.document));
    } catch (const JsonProblem&) { // of another version: as if it had not been checked
    }
  }
  return environment;
}

void remember_sharing(const Environment& environment, const CoreSharing& sharing, Store& store) {
  store.remember_check({sharing_kind, machine_key(environment), sharing.cpu, sharing.taken_at, text_of(sharing)});
}

void refuse_emulation(const Environment& environment) {
  if (environment.emulation.empty()) return;
  throw SessionRefusal(SessionRefusal::Kind::machine,
                       "Instructions are emulated here (" + environment.emulation +
                           "), so that costs would be those of the emulator and not of a processor. Use a program "
                           "built for this machine, or give --emulated-anyway to measure the emulator knowingly.");
}

} // namespace switchscope
