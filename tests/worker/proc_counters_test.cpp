#include "engine/worker/proc_counters.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

constexpr const char* stat = "cpu  10 0 20 300 1 0 2 9 0 0\n"
                             "cpu0 5 0 10 150 1 0 1 4 0 0\n"
                             "cpu1 5 0 10 150 0 0 1 5 0 0\n"
                             "intr 100 1 2 3\nctxt 7\n";

TEST(ProcCounters, StealIsTheEighthColumnOfTheMeasuredCpus) {
  EXPECT_EQ(steal_ticks(stat, {1}), 5);
  EXPECT_EQ(steal_ticks(stat, {0, 1}), 9);
  EXPECT_EQ(steal_ticks(stat, {}), 9);
  EXPECT_EQ(steal_ticks(stat, {7}), 0);
  EXPECT_EQ(steal_ticks("cpu0 1 2 3 4 5 6 7\n", {0}), 0); // a kernel that has no such column
  EXPECT_EQ(steal_ticks("", {}), 0);
}

constexpr const char* interrupts = "           CPU0       CPU2\n"
                                   "  0:         10         20   IO-APIC   2-edge      timer\n"
                                   "LOC:       1000       2000   Local timer interrupts\n"
                                   "ERR:          5\n"
                                   "MIS:          0\n";

TEST(ProcCounters, InterruptsAreTheColumnsOfTheMeasuredCpus) {
  EXPECT_EQ(interrupt_count(interrupts, {0}), 10 + 1000 + 5);
  EXPECT_EQ(interrupt_count(interrupts, {2}), 20 + 2000); // its column is not its number: CPU 1 is offline
  EXPECT_EQ(interrupt_count(interrupts, {1}), 0);
  EXPECT_EQ(interrupt_count(interrupts, {}), 1015 + 2020);
  EXPECT_EQ(interrupt_count("", {0}), 0);
}

TEST(ProcCounters, NumbersFollowTheirExactName) {
  constexpr const char* text = "MemTotal:   100 kB\nMemAvailableX: 1 kB\nMemAvailable:    64 kB\nHugePages_Free:   3\n";
  EXPECT_EQ(number_after(text, "MemAvailable"), 64);
  EXPECT_EQ(number_after(text, "HugePages_Free"), 3);
  EXPECT_EQ(number_after(text, "MemFree"), std::nullopt);
  EXPECT_EQ(number_after("MemAvailable: many kB\n", "MemAvailable"), std::nullopt);
}

constexpr const char* smaps = "55550000-55551000 r-xp 00000000 00:00 0   /bin/x\nSize: 4 kB\nAnonHugePages: 0 kB\n"
                              "7f0000000000-7f0000400000 rw-p 00000000 00:00 0\nSize: 4096 kB\nAnonHugePages: 2048 kB\n"
                              "7fff0000-7fff1000 rw-p 00000000 00:00 0 [stack]\nSize: 4 kB\n";

TEST(ProcCounters, AMappingIsFoundByAnyAddressInIt) {
  EXPECT_EQ(number_after(mapping_at(smaps, 0x7f0000000000), "AnonHugePages"), 2048);
  EXPECT_EQ(number_after(mapping_at(smaps, 0x7f00003fffff), "Size"), 4096);
  EXPECT_EQ(number_after(mapping_at(smaps, 0x7fff0000), "Size"), 4);
  EXPECT_EQ(mapping_at(smaps, 0x7f0000400000), "");
}

TEST(ProcCounters, UsersAreNamedByThePasswordFile) {
  constexpr const char* passwd = "root:x:0:0:root:/root:/bin/sh\nbroken\nann:x:1000:1000::/home/ann:/bin/sh\n";
  EXPECT_EQ(user_name(passwd, 0), "root");
  EXPECT_EQ(user_name(passwd, 1000), "ann");
  EXPECT_EQ(user_name(passwd, 100), "user 100");
  EXPECT_EQ(user_name("", 0), "user 0");
}

} // namespace
} // namespace switchscope
