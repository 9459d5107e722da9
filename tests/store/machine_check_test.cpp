// What was found of a machine outside of runs: the newest of each CPU, told apart by kind and machine.
#include "tests/store/samples.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

MachineCheck check(const std::string& kind, const std::string& machine, int cpu, const std::string& day) {
  return {kind, machine, cpu, "2026-11-" + day + "T00:00:00.000Z", "{\"day\":" + day + "}"};
}

TEST(MachineChecks, TheNewestOfEachCpu) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  EXPECT_TRUE(store.latest_checks("core-sharing", "bench/EPYC").empty());
  for (const MachineCheck& each :
       {check("core-sharing", "bench/EPYC", 1, "29"), check("core-sharing", "bench/EPYC", 1, "30"),
        check("core-sharing", "bench/EPYC", 1, "28"), check("core-sharing", "bench/EPYC", 0, "27"),
        check("core-sharing", "laptop/i7", 1, "30"), check("selftest", "bench/EPYC", -1, "30")})
    store.remember_check(each);
  EXPECT_EQ(store.latest_checks("core-sharing", "bench/EPYC"),
            (std::vector<MachineCheck>{check("core-sharing", "bench/EPYC", 0, "27"),
                                       check("core-sharing", "bench/EPYC", 1, "30")}));
  EXPECT_EQ(store.latest_checks("selftest", "bench/EPYC"),
            (std::vector<MachineCheck>{check("selftest", "bench/EPYC", -1, "30")}));
}

} // namespace
} // namespace switchscope
