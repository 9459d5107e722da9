// The parts of a round by the paper's method that need no machine.
#include "engine/worker/paper_round.h"

#include "engine/worker/paper_traversal.h"

#include <gtest/gtest.h>

#include <vector>

namespace switchscope {
namespace {

TEST(PaperLoop, VisitsEveryElementOnceWhateverTheStride) {
  for (const std::size_t stride : {1u, 2u, 16u, 100u})
    for (const Access access : {Access::read, Access::write, Access::read_modify_write}) {
      std::vector<double> data(100);
      const Array array = array_over(data.data(), data.size(), stride);
      fill(array, 0);
      const Traversal traverse = paper_loop(access);
      const double sum = traverse(array, 1) + traverse(array, 2);
      EXPECT_EQ(sum, access == Access::read ? 2 * expected_sum(array, Pattern::strided, 0) : 0) << stride;
      EXPECT_TRUE(holds_expected(array, access, Pattern::strided, 0, 2, 2)) << stride;
    }
}

using Stalls = std::vector<double>;

TEST(StallsIn, AreStretchesMuchLongerThanTheMedian) {
  // Stretches of 10, 10, 60, 10 and 17 ms at 2 ticks a ns: 50 ms and 7 ms too long.
  const std::vector<std::uint64_t> marks{20'000'000, 40'000'000, 160'000'000, 180'000'000, 214'000'000};
  EXPECT_EQ(stalls_in(0, marks, 2), (Stalls{50e6, 7e6}));
}

TEST(StallsIn, AreNoneInAnEvenBlockOrInOneWithNaturalSpread) {
  EXPECT_EQ(stalls_in(100, std::vector<std::uint64_t>{200, 300, 400}, 1), Stalls{});
  // 4 ms more of 10, then 10 ms more of 100, which is less than a fifth.
  EXPECT_EQ(stalls_in(0, std::vector<std::uint64_t>{10'000'000, 20'000'000, 34'000'000}, 1), Stalls{});
  EXPECT_EQ(stalls_in(0, std::vector<std::uint64_t>{100'000'000, 200'000'000, 310'000'000}, 1), Stalls{});
  EXPECT_EQ(stalls_in(0, {}, 1), Stalls{});
}

} // namespace
} // namespace switchscope
