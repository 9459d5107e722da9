// Series of throughputs -> does the other CPU share the core?
#include "engine/machine/core_sharing.h"
#include "engine/machine/machine.h"

#include <gtest/gtest.h>

#include <random>

using namespace switchscope;

namespace {

SharingSeries series(double quiet, double busy, int pairs = 10) {
  SharingSeries made;
  made.cpu = 3;
  for (int i = 0; i < pairs; ++i) {
    const double wobble = 1 + 0.01 * (i % 3 - 1);
    made.quiet.push_back(quiet * wobble);
    made.busy.push_back(busy / wobble);
  }
  return made;
}

std::string verdict(const SharingSeries& readings) {
  return std::string(name_of(neighbour_from(readings).verdict));
}

Environment machine_of(int cpus) {
  Environment environment;
  for (int number = 0; number < cpus; ++number) {
    Cpu cpu;
    cpu.number = number;
    cpu.siblings = {number};
    environment.cpus.push_back(cpu);
  }
  return environment;
}

} // namespace

TEST(CoreSharingVerdict, SharesWhereTheThroughputFalls) {
  EXPECT_EQ(verdict(series(3.8, 1.9)), "shares");
  EXPECT_EQ(verdict(series(3.35, 2.3)), "shares");
  EXPECT_EQ(neighbour_from(series(3.8, 1.9)).pairs, 10);
  EXPECT_NEAR(neighbour_from(series(3.8, 1.9)).quiet_adds_per_cycle, 3.8, 0.04);
  EXPECT_NEAR(neighbour_from(series(3.8, 1.9)).busy_adds_per_cycle, 1.9, 0.02);
}

TEST(CoreSharingVerdict, DoesNotWhereItStays) {
  EXPECT_EQ(verdict(series(3.8, 3.8)), "does not");
  EXPECT_EQ(verdict(series(1.9, 1.9)), "does not"); // a stranger keeps the other hyperthread all the time
}

TEST(CoreSharingVerdict, CannotTellInBetweenNorFromFew) {
  EXPECT_EQ(verdict(series(3.8, 3.4)), "cannot tell");
  EXPECT_EQ(verdict(series(3.8, 1.9, 5)), "cannot tell");
  EXPECT_EQ(verdict(SharingSeries{}), "cannot tell");
}

TEST(CoreSharingVerdict, CannotTellWhereSomebodyElseKeptTheOtherCpu) {
  SharingSeries kept = series(1.9, 1.9);
  kept.others_busy_ratio = 0.5;
  EXPECT_EQ(verdict(kept), "cannot tell");
  SharingSeries falls = series(3.8, 1.9);
  falls.others_busy_ratio = 0.5;
  EXPECT_EQ(verdict(falls), "shares");
}

// A stranger on the other hyperthread comes and goes; the CPU that is tried has nothing to do with it.
TEST(CoreSharingVerdict, AComingAndGoingStrangerIsNotTakenForASharedCore) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    SharingSeries noisy;
    for (int i = 0; i < 10; ++i) {
      noisy.quiet.push_back(random() % 2 == 0 ? 3.8 : 1.9);
      noisy.busy.push_back(random() % 2 == 0 ? 3.8 : 1.9);
    }
    EXPECT_NE(verdict(noisy), "shares") << seed;
  }
}

TEST(CoreSharing, SaysHowManyWereNotTried) {
  const SharingLine line{9, 1, {series(3.8, 1.9)}};
  const CoreSharing sharing = sharing_from(line, 5, "2026-11-30T19:22:00.000Z");
  EXPECT_EQ(sharing.cpu, 1);
  EXPECT_EQ(sharing.not_tried, 4);
  ASSERT_EQ(sharing.neighbours.size(), 1u);
  EXPECT_EQ(sharing.neighbours[0].cpu, 3);
}

TEST(SharingCandidates, IdleFirstThenReportedThenUsualNumbers) {
  Environment machine = machine_of(8);
  EXPECT_EQ(sharing_candidates(machine, 1), (std::vector<int>{0, 5, 2, 3, 4, 6, 7}));
  machine.cpus[1].siblings = {1, 7};
  machine.cpus[0].busy_ratio = 0.9;
  machine.cpus[2].online = false;
  machine.cpus[3].allowed = false;
  EXPECT_EQ(sharing_candidates(machine, 1), (std::vector<int>{7, 5, 4, 6, 0}));
}

TEST(CoreMates, ReportedAndMeasuredOfEither) {
  Environment machine = machine_of(4);
  machine.cpus[1].siblings = {1, 2};
  machine.core_sharing = {{1, "", {{0, Sharing::shares, 3.8, 1.9, 9}, {3, Sharing::does_not, 3.8, 3.8, 9}}, 0}};
  EXPECT_EQ(core_mates(machine, 1), (std::vector<int>{0, 2}));
  EXPECT_EQ(core_mates(machine, 0), (std::vector<int>{1}));
  EXPECT_EQ(core_mates(machine, 3), std::vector<int>{});
}

TEST(ChooseCpu, AvoidsBusyCpusAndBusyMates) {
  Environment machine = machine_of(4);
  machine.cpus[1].busy_ratio = 1;
  EXPECT_EQ(choose_cpu(machine).cpu, 2);
  EXPECT_EQ(
      choose_cpu(machine).reason,
      "CPU 2 is the first CPU this program may use away from CPU 0, which takes most interrupts. Others are busy, "
      "or share a core with a busy one.");
  machine.core_sharing = {{2, "", {{1, Sharing::shares, 3.8, 1.9, 9}}, 0}};
  EXPECT_EQ(choose_cpu(machine).cpu, 3);
  machine.cpus[3].busy_ratio = 0.5; // now and then is not busy
  EXPECT_EQ(choose_cpu(machine).cpu, 3);
}

TEST(ChooseCpu, AvoidsACoreMeasuredToBeThatOfCpu0) {
  Environment machine = machine_of(4);
  machine.core_sharing = {{1, "", {{0, Sharing::shares, 3.8, 1.9, 9}}, 0}};
  EXPECT_EQ(choose_cpu(machine).cpu, 2);
}
