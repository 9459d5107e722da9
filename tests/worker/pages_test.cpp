#include "engine/worker/pages.h"

#include "engine/worker/failure.h"
#include "engine/worker/proc_counters.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>

namespace switchscope {
namespace {

TEST(Pages, BasePagesAreObtainedEvenWhereTheKernelLikesHugeOnes) {
  Pages pages(8 << 20, PageMode::base_4k);
  pages.write_all_pages();
  pages.verify();
  EXPECT_EQ(pages.obtained(), PageMode::base_4k);
  EXPECT_EQ(pages.reason(), "");
  EXPECT_GE(pages.mapped_bytes(), std::size_t{8} << 20);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages.data()) % 4096, 0u);
}

TEST(Pages, WhatWasObtainedIsAskedFromTheKernelAndTheRestExplained) {
  for (const PageMode asked : {PageMode::transparent_huge, PageMode::hugetlb}) {
    SCOPED_TRACE(name_of(asked));
    Pages pages(3 << 20, asked);
    pages.write_all_pages();
    pages.verify();
    if (pages.obtained() == asked) {
      EXPECT_EQ(pages.reason(), "");
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages.data()) % (2 << 20), 0u);
    } else {
      EXPECT_EQ(pages.obtained(), PageMode::base_4k);
      EXPECT_NE(pages.reason(), "");
    }
  }
}

TEST(Pages, AnEmptyHugetlbPoolFallsBackAndSaysSo) {
  if (number_after(file_text("/proc/meminfo"), "HugePages_Free").value_or(0) > 0)
    GTEST_SKIP() << "this machine's hugetlb pool is not empty";
  Pages pages(1 << 20, PageMode::hugetlb);
  pages.write_all_pages();
  pages.verify();
  EXPECT_EQ(pages.obtained(), PageMode::base_4k);
  EXPECT_NE(pages.reason().find("hugetlb"), std::string::npos) << pages.reason();
}

TEST(Pages, HugePagesHaveNoPartInAnUnwrittenArray) {
  Pages pages(4 << 20, PageMode::transparent_huge);
  pages.verify(); // nothing was written, so nothing was obtained
  EXPECT_EQ(pages.obtained(), PageMode::base_4k);
  EXPECT_NE(pages.reason(), "");
}

TEST(Pages, BasePagesOfAnotherSizeAreNotTheOnesAskedFor) {
  EXPECT_EQ(base_page_reason(4096), "");
  EXPECT_EQ(base_page_reason(65536), "this kernel's base page is 64 KiB, not 4 KiB");
  EXPECT_EQ(base_page_reason(16384), "this kernel's base page is 16 KiB, not 4 KiB");
}

TEST(Pages, AnArrayOfNothingStillHasAPage) {
  Pages pages(0, PageMode::base_4k);
  pages.write_all_pages();
  EXPECT_GE(pages.mapped_bytes(), 4096u);
}

TEST(PagesDeathTest, AnOverrunFaults) {
  Pages pages(4096, PageMode::base_4k);
  volatile double* const data = pages.data();
  const auto elements = static_cast<std::ptrdiff_t>(pages.mapped_bytes() / 8);
  EXPECT_DEATH(data[elements] = 1, "");
  EXPECT_DEATH(data[-1] = 1, "");
}

TEST(Pages, AddressSpaceThatIsNotThereIsASentence) {
  try {
    Pages pages(std::size_t{1} << 50, PageMode::base_4k);
    ADD_FAILURE() << "1 PiB was mapped";
  } catch (const VisitProblem& problem) {
    EXPECT_EQ(problem.code, "memory");
    EXPECT_NE(std::string(problem.what()).find("--size"), std::string::npos) << problem.what();
  }
}

TEST(MemoryRefusal, TwoArraysMustFit) {
  constexpr std::int64_t gib = 1 << 30;
  EXPECT_EQ(memory_refusal(gib, 0, 4 * gib), "");
  EXPECT_EQ(memory_refusal(0, 0, 0), "");
  EXPECT_EQ(memory_refusal(10 * gib, 0, std::nullopt), "");
  EXPECT_EQ(memory_refusal(10 * gib, 0, 4 * gib + 5),
            "two arrays of 10 GiB do not fit into the 4 GiB of memory that are available: choose a smaller --size");
  EXPECT_NE(memory_refusal(2 * gib, 0, 4 * gib), "");
  EXPECT_NE(memory_refusal(gib, 2 * gib, 4 * gib), "");
}

} // namespace
} // namespace switchscope
