// What doctor stored is what the next run on that machine knows, until the machine is booted again.
#include "engine/session/machine_checks.h"

#include "engine/machine/machine.h"
#include "engine/session/session.h"
#include "tests/store/samples.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

Environment machine_booted_at(std::optional<std::int64_t> unix_s) {
  Environment environment;
  environment.host_name = "bench";
  environment.cpu_model = "AMD EPYC 7B13";
  environment.booted_at_s = unix_s;
  for (const int number : {0, 1}) {
    Cpu cpu;
    cpu.number = number;
    environment.cpus.push_back(cpu);
  }
  return environment;
}

const CoreSharing sharing{1, "2026-11-30T19:22:00.000Z", {{0, Sharing::shares, 3.8, 1.9, 12}}, 0};
constexpr std::int64_t before_it = 1'796'000'000; // 2026-11-30T00:53:20Z
constexpr std::int64_t after_it = 1'796'100'000;  // 2026-12-01T04:40:00Z

TEST(StoredChecks, AreKnownUntilTheMachineIsBootedAgain) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  remember_sharing(machine_booted_at(before_it), sharing, store);
  const auto known = [&](const Environment& environment) {
    return with_stored_checks(environment, store).core_sharing;
  };
  EXPECT_EQ(known(machine_booted_at(before_it)), std::vector<CoreSharing>{sharing});
  EXPECT_EQ(known(machine_booted_at(after_it)), std::vector<CoreSharing>{});
  EXPECT_EQ(known(machine_booted_at(std::nullopt)), std::vector<CoreSharing>{});
  Environment other = machine_booted_at(before_it);
  other.host_name = "laptop";
  EXPECT_EQ(known(other), std::vector<CoreSharing>{});
}

TEST(StoredChecks, ThoseOfAnotherFormAreAsIfTheyWereNot) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  store.remember_check({"core-sharing", machine_key(machine_booted_at(before_it)), 1, sharing.taken_at, "{\"cpu\":1}"});
  EXPECT_TRUE(with_stored_checks(machine_booted_at(before_it), store).core_sharing.empty());
}

TEST(Emulation, IsRefused) {
  Environment machine;
  EXPECT_NO_THROW(refuse_emulation(machine));
  machine.emulation = "qemu-user";
  EXPECT_THROW(refuse_emulation(machine), SessionRefusal);
}

} // namespace
} // namespace switchscope
