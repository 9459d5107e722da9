// What a container's filter of system calls does to a visit: it refuses even root.
#include "worker_program.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace switchscope {
namespace {

// Every change of a scheduling policy ends with EPERM, as a container's default profile has it.
void refuse_scheduling_policies() {
  constexpr std::uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_setscheduler, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_setattr, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, refused),
  };
  const sock_fprog filter{sizeof program / sizeof *program, program};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

TEST(RefusedCalls, WithoutARealTimePolicyTheVisitIsMeasuredAndSaysSo) {
  const WorkerRun run =
      run_worker(visit_arguments({"--size", "65536", "--stride", "64"}), {}, refuse_scheduling_policies);
  ASSERT_NE(run.done(), nullptr) << (run.error() != nullptr ? run.error()->message : "");
  const VisitReport& report = run.done()->report;
  EXPECT_EQ(report.policy, Policy::other);
  EXPECT_NE(report.policy_reason.find("SCHED_FIFO was refused"), std::string::npos) << report.policy_reason;
  EXPECT_EQ(report.fifo_ns, 0);
  EXPECT_TRUE(report.checksum_ok);
  const auto expected = static_cast<double>(report.expected_switches);
  EXPECT_NEAR(static_cast<double>(report.observed_switches_a), expected, 0.01 * expected);
}

} // namespace
} // namespace switchscope
