#include "engine/worker/core_pmu.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace switchscope {
namespace {

TEST(CpuList, HoldsItsNumbersAndRanges) {
  for (const int cpu : {0, 1, 3, 8, 12}) EXPECT_TRUE(list_holds("0-3,8,12-12", cpu)) << cpu;
  for (const int cpu : {4, 7, 9, 11, 13}) EXPECT_FALSE(list_holds("0-3,8,12-12", cpu)) << cpu;
  for (const std::string list : {"", ",", "a", "3-", "-3", "5-2", "3x"}) EXPECT_FALSE(list_holds(list, 3)) << list;
}

TEST(CorePmu, IsThatOfTheCpusCoreTypeOnAHybridProcessorAndNoneElsewhere) {
  std::string pattern = (std::filesystem::temp_directory_path() / "switchscope-pmu-XXXXXX").string();
  const std::filesystem::path tree = ::mkdtemp(pattern.data());
  const auto write = [&](const std::string& pmu, const std::string& cpus, const std::string& type) {
    std::filesystem::create_directories(tree / "sys/devices" / pmu);
    std::ofstream(tree / "sys/devices" / pmu / "cpus") << cpus << '\n';
    std::ofstream(tree / "sys/devices" / pmu / "type") << type << '\n';
  };
  const Sysroot root(tree.string());
  EXPECT_EQ(core_pmu_bits(root, 5), 0u);
  write("cpu_core", "0-3", "4");
  write("cpu_atom", "4-7", "10");
  EXPECT_EQ(core_pmu_bits(root, 3), std::uint64_t{4} << 32);
  EXPECT_EQ(core_pmu_bits(root, 5), std::uint64_t{10} << 32);
  EXPECT_EQ(core_pmu_bits(root, 8), 0u);
  EXPECT_EQ(core_pmu_bits(root, -1), 0u);
  std::filesystem::remove_all(tree);
}

} // namespace
} // namespace switchscope
