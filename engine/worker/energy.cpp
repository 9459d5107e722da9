#include "engine/worker/energy.h"

#include <charconv>

namespace switchscope {
namespace {

std::optional<std::int64_t> number_in_file(const Sysroot& root, const std::string& path) {
  const auto text = root.text(path);
  if (!text) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc{} || end != text->data() + text->size() || number < 0) return std::nullopt;
  return number;
}

// "package-0", and "package-0-die-1" where a package has several dies.
bool is_of_package(const std::string& name, int package) {
  const std::string wanted = "package-" + (package < 0 ? "" : std::to_string(package));
  if (!name.starts_with(wanted)) return false;
  return package < 0 || name.size() == wanted.size() || name[wanted.size()] == '-';
}

} // namespace

std::vector<EnergyDomain> energy_domains(const Sysroot& root, int package) {
  const std::string directory = "/sys/class/powercap";
  const std::string prefix = "intel-rapl:"; // its name on AMD processors too; parts have a second number
  std::vector<EnergyDomain> domains;
  for (const std::string& entry : root.names_in(directory)) {
    if (!entry.starts_with(prefix) || entry.find(':', prefix.size()) != std::string::npos) continue;
    const std::string folder = directory + "/" + entry;
    if (!is_of_package(root.text(folder + "/name").value_or(""), package)) continue;
    const auto largest_uj = number_in_file(root, folder + "/max_energy_range_uj");
    if (largest_uj) domains.push_back({folder + "/energy_uj", *largest_uj});
  }
  return domains;
}

int package_of(const Sysroot& root, int cpu) {
  if (cpu < 0) return -1;
  const auto package =
      number_in_file(root, "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/physical_package_id");
  return package ? static_cast<int>(*package) : -1;
}

std::optional<std::vector<std::int64_t>> energy_now_uj(const Sysroot& root, const std::vector<EnergyDomain>& domains) {
  std::vector<std::int64_t> sums;
  for (const EnergyDomain& domain : domains) {
    const auto sum = number_in_file(root, domain.file);
    if (!sum) return std::nullopt;
    sums.push_back(*sum);
  }
  return sums;
}

double joules_between(const std::vector<EnergyDomain>& domains, const std::vector<std::int64_t>& before_uj,
                      const std::vector<std::int64_t>& after_uj) {
  double joules = 0;
  for (std::size_t i = 0; i < domains.size(); ++i) {
    const std::int64_t wrapped_uj = after_uj[i] < before_uj[i] ? domains[i].largest_uj : 0;
    joules += static_cast<double>(after_uj[i] - before_uj[i] + wrapped_uj) * 1e-6;
  }
  return joules;
}

} // namespace switchscope
