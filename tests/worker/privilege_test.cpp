// What an ordinary user gets: a labelled fallback, or, from a worker with file capabilities, the same as root.
#include "worker_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

namespace switchscope {
namespace {

const std::vector<std::string> as_nobody{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                                         "--inh-caps=-all"};

class Unprivileged : public testing::Test {
protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
    if (std::system("command -v setpriv >/dev/null 2>&1") != 0) GTEST_SKIP() << "no setpriv";
    folder_ = std::filesystem::temp_directory_path() / ("switchscope-worker-test-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder_);
    std::filesystem::permissions(folder_, std::filesystem::perms(0755));
    worker_ = folder_ / "switchscope-worker"; // where nobody may read it, whatever the build tree's modes are
    std::filesystem::copy_file(SWITCHSCOPE_WORKER, worker_);
    std::filesystem::permissions(worker_, std::filesystem::perms(0755));
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  [[nodiscard]] std::vector<std::string> launcher() const {
    std::vector<std::string> command = as_nobody;
    command.push_back(worker_);
    return command;
  }
  std::filesystem::path folder_, worker_;
};

void limit_rtprio(rlim_t priority) {
  const rlimit limit{priority, priority};
  setrlimit(RLIMIT_RTPRIO, &limit);
}

TEST_F(Unprivileged, WithoutAnyRightTheFallbackIsLabelled) {
  const WorkerRun run =
      run_worker(visit_arguments({"--size", "65536", "--stride", "64"}), launcher(), [] { limit_rtprio(0); });
  ASSERT_NE(run.done(), nullptr) << (run.error() != nullptr ? run.error()->message : "");
  const VisitReport& report = run.done()->report;
  EXPECT_EQ(report.policy, Policy::other);
  EXPECT_EQ(report.priority, 0);
  EXPECT_NE(report.policy_reason.find("SCHED_FIFO was refused"), std::string::npos) << report.policy_reason;
  EXPECT_NE(report.policy_reason.find("RLIMIT_RTPRIO is 0"), std::string::npos) << report.policy_reason;
  EXPECT_EQ(report.fifo_ns, 0);
  EXPECT_TRUE(report.checksum_ok);
}

TEST_F(Unprivileged, TheLimitOfPrioritiesIsKept) {
  rlimit limit{};
  getrlimit(RLIMIT_RTPRIO, &limit);
  const rlimit seven{std::min<rlim_t>(limit.rlim_cur, 7), std::max<rlim_t>(limit.rlim_max, 7)};
  if (setrlimit(RLIMIT_RTPRIO, &seven) != 0)
    GTEST_SKIP() << "this root may not raise RLIMIT_RTPRIO (no CAP_SYS_RESOURCE)";
  const WorkerRun run = run_worker(visit_arguments({"--size", "0"}), launcher(), [] { limit_rtprio(7); });
  ASSERT_NE(run.done(), nullptr);
  EXPECT_EQ(run.done()->report.policy, Policy::fifo) << run.done()->report.policy_reason;
  EXPECT_EQ(run.done()->report.priority, 7);
}

TEST_F(Unprivileged, MemoryThatCannotBeLockedIsSaid) {
#ifdef SWITCHSCOPE_SANITIZED
  GTEST_SKIP() << "the address sanitizer makes mlock do nothing";
#endif
  const WorkerRun run = run_worker(visit_arguments({"--size", "65536", "--stride", "64"}), launcher(), [] {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_MEMLOCK, &none);
  });
  ASSERT_NE(run.done(), nullptr);
  EXPECT_FALSE(run.done()->report.locked);
}

TEST_F(Unprivileged, FileCapabilitiesGiveRealTimeAndLockedMemory) {
  const std::string command = "setcap cap_sys_nice,cap_ipc_lock+ep " + worker_.string() + " 2>/dev/null";
  if (std::system(command.c_str()) != 0) GTEST_SKIP() << "no setcap, or a file system without capabilities";
  const WorkerRun run =
      run_worker(visit_arguments({"--size", "65536", "--stride", "64", "--pages", "thp"}), launcher(), [] {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_MEMLOCK, &none);
        limit_rtprio(0);
      });
  ASSERT_NE(run.done(), nullptr) << (run.error() != nullptr ? run.error()->message : "");
  const VisitReport& report = run.done()->report;
  EXPECT_EQ(report.policy, Policy::fifo) << report.policy_reason;
  EXPECT_EQ(report.priority, 50);
  EXPECT_TRUE(report.locked);
  EXPECT_TRUE(report.checksum_ok);
}

TEST_F(Unprivileged, NoRoomForAnotherProcessIsASentence) {
#ifdef SWITCHSCOPE_SANITIZED
  GTEST_SKIP() << "the leak sanitizer starts a process of its own at the end";
#endif
  const WorkerRun run = run_worker(visit_arguments({"--size", "0"}), launcher(), [] {
    const rlimit none{1, 1};
    setrlimit(RLIMIT_NPROC, &none);
  });
  ASSERT_NE(run.error(), nullptr);
  EXPECT_EQ(run.error()->code, "fork") << run.error()->message;
  EXPECT_EQ(run.exit_code, 3);
}

} // namespace
} // namespace switchscope
