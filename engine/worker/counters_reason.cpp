#include "engine/worker/counters.h"
#include "engine/worker/failure.h"

#include <cerrno>
#include <utility>

namespace switchscope {
namespace {

constexpr int paranoid_for_kernel_mode = 1; // the highest that lets a task count what the kernel does for it

std::string setting_of(std::optional<int> paranoid) {
  return paranoid ? "kernel.perf_event_paranoid is " + std::to_string(*paranoid) : "the kernel refuses it";
}

std::string refusal(std::optional<int> paranoid) {
  if (paranoid && *paranoid > paranoid_for_kernel_mode)
    return "cannot be counted: " + setting_of(paranoid) + ". Allow it with: sudo sysctl kernel.perf_event_paranoid=1";
  return "cannot be counted: the kernel refuses it, and not by kernel.perf_event_paranoid. The filter of a container "
         "may be the cause; run the worker outside of it.";
}

std::string why(int error, std::optional<int> paranoid) {
  switch (error) {
  case ENOENT:
  case ENODEV:
  case ENXIO:
  case EOPNOTSUPP:
    return "cannot be counted: this processor, or the hypervisor it is lent by, offers no such counter.";
  case EACCES:
  case EPERM:
    return refusal(paranoid);
  case ENOSYS:
    return "cannot be counted: this kernel is built without performance events.";
  default:
    return "cannot be counted: " + error_text(error) + ".";
  }
}

std::string what_is_off(const EventOfBoth& event, std::optional<int> paranoid) {
  if (event.error() != 0) return why(event.error(), paranoid);
  if (event.never_ran())
    return "had no turn: others hold the processor's counters. End other measurements, and free one with: sudo sysctl "
           "kernel.nmi_watchdog=0";
  if (event.user_only())
    return "are counted in user mode only (:u): " + setting_of(paranoid) +
           ". Count the kernel's part too with: sudo sysctl kernel.perf_event_paranoid=1";
  return {};
}

} // namespace

std::string counters_reason(const CountedPhases& a, const CountedPhases& b, std::optional<int> paranoid) {
  std::vector<std::pair<std::string, std::string>> names_by_reason; // in the order of the events
  for (std::size_t i = 0; i < event_count; ++i) {
    const std::string off = what_is_off({a.events[i], b.events[i]}, paranoid);
    if (off.empty()) continue;
    const std::string name(name_of_event(i));
    if (names_by_reason.empty() || names_by_reason.back().first != off)
      names_by_reason.emplace_back(off, name);
    else
      names_by_reason.back().second += ", " + name;
  }
  if ((a.has_energy_meter || b.has_energy_meter) && !(a.has_energy && b.has_energy))
    names_by_reason.emplace_back("cannot be read: only root may. Allow it with: sudo chmod a+r "
                                 "/sys/class/powercap/intel-rapl:*/energy_uj",
                                 "package-joules");
  std::string text;
  for (const auto& [reason, names] : names_by_reason) text += (text.empty() ? "" : "\n") + names + " " + reason;
  return text;
}

} // namespace switchscope
