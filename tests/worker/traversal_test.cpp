// The kernels by their effect: exactly which elements each loop reads, writes or adds to, and that it stops there.
#include "engine/worker/line_order.h"
#include "engine/worker/traversal.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

namespace switchscope {
namespace {

struct Case {
  Access access;
  Pattern pattern;
  Kernel kernel;
  bool with_avx;
  std::size_t elements;
  std::size_t stride;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << name_of(c.access) << ' ' << name_of(c.pattern) << ' ' << name_of(c.kernel)
             << (c.with_avx ? " avx " : " ") << c.elements << " elements, stride " << c.stride;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto& [access, access_word] : Names<Access>::table)
    for (const auto& [pattern, pattern_word] : Names<Pattern>::table)
      for (const auto& [kernel, kernel_word] : Names<Kernel>::table)
        for (const bool with_avx : {false, true}) {
          if (with_avx && (!cpu_has_avx() || kernel == Kernel::scalar)) continue;
          for (const std::size_t elements :
               {0u, 1u, 3u, 7u, 8u, 9u, 16u, 63u, 64u, 65u, 100u, 128u, 129u, 1000u, 1024u, 4099u})
            for (const std::size_t stride : {1u, 2u, 3u, 7u, 8u, 16u, 64u, 512u}) {
              if (pattern == Pattern::random && stride > 1) continue;
              if (elements > 0 && stride > elements) continue;
              cases.push_back({access, pattern, kernel, with_avx, elements, stride});
            }
        }
  return cases;
}

bool is_visited(std::size_t index, const Case& c) {
  return c.pattern != Pattern::sparse || index % c.stride == 0;
}

constexpr std::size_t guard_elements = 64;

// Elements with a guard zone before and after that no traversal may read (it would poison the sum) or write.
struct Guarded {
  explicit Guarded(std::size_t elements)
      : memory(static_cast<double*>(std::aligned_alloc(64, ((elements + 2 * guard_elements) * 8 + 63) / 64 * 64)),
               &std::free),
        first(memory.get() + guard_elements), count(elements) {
    for (std::size_t i = 0; i < guard_elements; ++i) memory.get()[i] = first[elements + i] = poison;
    for (std::size_t i = 0; i < elements; ++i) first[i] = before(i);
  }
  static double before(std::size_t i) { return static_cast<double>(3 * i + 2); }
  [[nodiscard]] bool guards_are_whole() const {
    for (std::size_t i = 0; i < guard_elements; ++i)
      if (memory.get()[i] == memory.get()[i] || first[count + i] == first[count + i]) return false;
    return true;
  }
  static constexpr double poison = std::numeric_limits<double>::quiet_NaN();
  std::unique_ptr<double, void (*)(void*)> memory;
  double* first;
  std::size_t count;
};

TEST(Traversal, EachLoopVisitsExactlyItsElements) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(testing::Message() << c);
    Guarded memory(c.elements);
    const Array array = array_over(memory.first, c.elements, c.stride);
    const Loop loop = choose_loop(c.access, c.pattern, c.kernel, c.stride, c.with_avx);
    double expected_result = 0;
    for (std::size_t i = 0; i < c.elements; ++i)
      if (c.access == Access::read && is_visited(i, c)) expected_result += Guarded::before(i);

    EXPECT_EQ(loop.traverse(array, 77.0), expected_result);
    EXPECT_EQ(loop.traverse(array, 78.0), expected_result);

    for (std::size_t i = 0; i < c.elements; ++i) {
      double expected = Guarded::before(i);
      if (is_visited(i, c) && c.access == Access::write) expected = 78.0;
      if (is_visited(i, c) && c.access == Access::read_modify_write) expected += 2; // once for each traversal
      ASSERT_EQ(memory.first[i], expected) << "element " << i;
    }
    EXPECT_TRUE(memory.guards_are_whole());
  }
}

TEST(Traversal, ChoosesTheLoopByKernelStrideAndCpu) {
  const auto code = [](Pattern pattern, Kernel kernel, std::size_t stride, bool avx) {
    return choose_loop(Access::read, pattern, kernel, stride, avx).code;
  };
  EXPECT_EQ(code(Pattern::strided, Kernel::scalar, 1, true), "scalar");
  EXPECT_EQ(code(Pattern::strided, Kernel::vector, 16, true), "unrolled");
  EXPECT_EQ(code(Pattern::sparse, Kernel::vector, 16, true), "unrolled");
  EXPECT_EQ(code(Pattern::strided, Kernel::vector, 1, false), "unrolled");
  EXPECT_EQ(code(Pattern::random, Kernel::vector, 1, false), "unrolled");
#if defined(__x86_64__)
  EXPECT_EQ(code(Pattern::strided, Kernel::vector, 1, true), "avx");
  EXPECT_EQ(code(Pattern::sparse, Kernel::vector, 1, true), "avx");
  EXPECT_EQ(code(Pattern::random, Kernel::vector, 1, true), "avx");
#endif
}

TEST(Traversal, TheCheckFindsOneWrongElement) {
  for (const auto& [access, word] : Names<Access>::table)
    for (const Pattern pattern : {Pattern::strided, Pattern::sparse}) {
      SCOPED_TRACE(testing::Message() << word << ' ' << name_of(pattern));
      std::vector<double> memory(100);
      const Array array = array_over(memory.data(), memory.size(), 4);
      const Loop loop = choose_loop(access, pattern, Kernel::vector, 4, false);
      fill(array, 1);
      EXPECT_EQ(choose_loop(Access::read, pattern, Kernel::scalar, 4, false).traverse(array, 0),
                expected_sum(array, pattern, 1));
      for (const double traversal : {1.0, 2.0, 3.0}) (void)loop.traverse(array, traversal);
      EXPECT_TRUE(holds_expected(array, access, pattern, 1, 3, 3));
      if (access == Access::read) {
        EXPECT_FALSE(holds_expected(array, access, pattern, 0, 3, 3)); // the other task's values
      } else {
        EXPECT_FALSE(holds_expected(array, access, pattern, 1, 4, 4));
      }
      memory[53] += 1;
      EXPECT_FALSE(holds_expected(array, access, pattern, 1, 3, 3));
    }
}

TEST(LineOrder, IsAPermutationForEveryNumberOfLines) {
  for (std::size_t lines = 1; lines <= 3000; lines += lines < 300 ? 1 : 97) {
    const unsigned bits = order_bits_for(lines);
    std::vector<int> visits(lines, 0);
    LineBatch batch;
    for (std::size_t counter = 0; counter < counters_for(lines, bits); counter += LineBatch::capacity) {
      next_lines(batch, counter, lines, bits);
      for (std::size_t i = 0; i < batch.count; ++i) ++visits.at(batch.lines[i]);
    }
    EXPECT_EQ(visits, std::vector<int>(lines, 1)) << lines << " lines";
  }
}

TEST(LineOrder, LeavesNoStrideForAPrefetcherToFind) {
  constexpr std::size_t lines = 1 << 14;
  const unsigned bits = order_bits_for(lines);
  std::vector<int> steps(2 * lines, 0);
  for (std::size_t counter = 1; counter < lines; ++counter)
    ++steps[lines + shuffled_line(counter, bits) - shuffled_line(counter - 1, bits)];
  EXPECT_LT(*std::max_element(steps.begin(), steps.end()), static_cast<int>(lines / 128));
}

TEST(LineOrder, BitsCoverTheLines) {
  EXPECT_EQ(order_bits_for(0), 1u);
  EXPECT_EQ(order_bits_for(2), 1u);
  EXPECT_EQ(order_bits_for(3), 2u);
  EXPECT_EQ(order_bits_for(4), 2u);
  EXPECT_EQ(order_bits_for(5), 3u);
  EXPECT_EQ(order_bits_for(std::size_t{1} << 40), 40u);
}

} // namespace
} // namespace switchscope
