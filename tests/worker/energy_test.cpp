// The energy meter from recorded trees: which domains count, and a sum that began again at 0.
#include "engine/worker/energy.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace switchscope {
namespace {

// Two packages, each with a core domain as its part, and the same package once more through another interface.
class Energy : public testing::Test {
protected:
  Energy() {
    std::string pattern = (std::filesystem::temp_directory_path() / "switchscope-energy-XXXXXX").string();
    root_path = ::mkdtemp(pattern.data());
    domain("intel-rapl:0", "package-0", "1000000", "262143328850");
    domain("intel-rapl:0:0", "core", "7", "262143328850");
    domain("intel-rapl:1", "package-1", "5000000", "262143328850");
    domain("intel-rapl-mmio:0", "package-0", "9", "262143328850");
    write("/sys/devices/system/cpu/cpu3/topology/physical_package_id", "1");
  }
  ~Energy() override { std::filesystem::remove_all(root_path); }

  void write(const std::string& path, const std::string& text) const {
    const auto file = root_path / std::filesystem::path(path).relative_path();
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  void domain(const std::string& folder, const std::string& name, const std::string& energy,
              const std::string& largest) const {
    const std::string path = "/sys/class/powercap/" + folder;
    write(path + "/name", name);
    write(path + "/energy_uj", energy);
    write(path + "/max_energy_range_uj", largest);
  }
  [[nodiscard]] Sysroot root() const { return Sysroot(root_path.string()); }

  std::filesystem::path root_path;
};

using Sums = std::vector<std::int64_t>;

TEST_F(Energy, IsThatOfThePackageOfTheMeasuredCpu) {
  EXPECT_EQ(package_of(root(), 3), 1);
  const auto domains = energy_domains(root(), 1);
  ASSERT_EQ(domains.size(), 1u);
  EXPECT_EQ(domains[0].file, "/sys/class/powercap/intel-rapl:1/energy_uj");
  EXPECT_EQ(domains[0].largest_uj, 262'143'328'850);
  EXPECT_EQ(energy_now_uj(root(), domains), Sums{5'000'000});
}

TEST_F(Energy, IsThatOfAllPackagesWhereTheCpuIsNotKnown) {
  EXPECT_EQ(package_of(root(), 0), -1); // the tree does not tell
  EXPECT_EQ(package_of(root(), -1), -1);
  EXPECT_EQ(energy_now_uj(root(), energy_domains(root(), -1)), (Sums{1'000'000, 5'000'000}));
}

TEST_F(Energy, APackageOfSeveralDiesHasSeveralDomains) {
  domain("intel-rapl:2", "package-2-die-0", "1", "100");
  domain("intel-rapl:3", "package-2-die-1", "2", "100");
  domain("intel-rapl:4", "package-20", "3", "100");
  EXPECT_EQ(energy_now_uj(root(), energy_domains(root(), 2)), (Sums{1, 2}));
}

TEST_F(Energy, ASumThatBeganAgainIsGoneOnWith) {
  domain("intel-rapl:0", "package-0", "262143328000", "262143328850");
  const auto domains = energy_domains(root(), -1);
  const auto before = energy_now_uj(root(), domains);
  domain("intel-rapl:0", "package-0", "499150", "262143328850");
  domain("intel-rapl:1", "package-1", "5250000", "262143328850");
  const auto after = energy_now_uj(root(), domains);
  ASSERT_TRUE(before && after);
  EXPECT_DOUBLE_EQ(joules_between(domains, *before, *after), 0.5 + 0.25);
}

TEST_F(Energy, IsAbsentWhereItCannotBeRead) {
  const auto domains = energy_domains(root(), 0);
  std::filesystem::remove(root_path / "sys/class/powercap/intel-rapl:0/energy_uj"); // as for all but root
  EXPECT_EQ(energy_now_uj(root(), domains), std::nullopt);
  write("/sys/class/powercap/intel-rapl:0/energy_uj", "a lot");
  EXPECT_EQ(energy_now_uj(root(), domains), std::nullopt);
  EXPECT_TRUE(energy_domains(Sysroot("/nowhere"), -1).empty());
}

} // namespace
} // namespace switchscope
