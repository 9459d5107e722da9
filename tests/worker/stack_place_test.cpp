// Where on its stack a timed loop runs: the same place of a page from every caller.
#include "engine/worker/pipe.h"
#include "engine/worker/task_work.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace switchscope {
namespace {

std::vector<std::uintptr_t> seen_places;

double see_place(const Array&, double) {
  seen_places.push_back(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) % 4096);
  return 0;
}

[[gnu::noinline]] bool from_depth(std::size_t bytes, bool answers, Work& work, const PipeEnds& own) {
  void* const space = __builtin_alloca(bytes + 16);
  asm volatile("" : : "r"(space) : "memory");
  if (!answers) return exchange_mid_page(work, own.write_end, own.read_end, 1);
  return put_byte(own.write_end) && answer_mid_page(work, own.read_end, own.write_end, 1) && take_byte(own.read_end);
}

TEST(StackPlace, OfATimedLoopDoesNotDependOnItsCaller) {
  const Pipe own;
  Work work;
  work.traverse = see_place;
  for (const bool answers : {false, true}) {
    seen_places.clear();
    for (std::size_t depth = 0; depth < 4096; depth += 272) ASSERT_TRUE(from_depth(depth, answers, work, own.ends()));
    ASSERT_EQ(seen_places.size(), 16u);
    for (const std::uintptr_t place : seen_places) {
      EXPECT_GT(place, 1024u) << "below it there is room for the frames of the system calls";
      EXPECT_LE(place, 2048u);
      EXPECT_NEAR(static_cast<double>(place), static_cast<double>(seen_places[0]), 64);
    }
  }
}

} // namespace
} // namespace switchscope
