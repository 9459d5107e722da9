// The traversals as they stand in the program: each one function, called from the timed loops through a pointer only.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace {

struct Function {
  unsigned long address = 0;
  std::vector<std::string> instructions; // "vaddpd (%rdi),%ymm0,%ymm1"
  [[nodiscard]] bool mention(const std::string& what) const {
    for (const std::string& instruction : instructions)
      if (instruction.find(what) != std::string::npos) return true;
    return false;
  }
  [[nodiscard]] int count_starting(const std::string& start) const {
    int count = 0;
    for (const std::string& instruction : instructions) count += instruction.starts_with(start) ? 1 : 0;
    return count;
  }
};

using Functions = std::multimap<std::string, Function>;

// Functions of the program whose name contains one of the words; empty when there is no objdump.
const Functions& measured_functions() {
  static const Functions functions = [] {
    Functions found;
    const std::string command = "objdump -d -C --no-show-raw-insn " + std::string(SWITCHSCOPE_WORKER) + " 2>/dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
    char text[4096];
    Function* current = nullptr;
    while (std::fgets(text, sizeof text, pipe.get()) != nullptr) {
      const std::string line(text);
      const std::size_t name_at = line.find(" <");
      if (line.ends_with(">:\n") && name_at != std::string::npos && line[0] != ' ') { // "0000000000402000 <name>:"
        const std::string name = line.substr(name_at + 2, line.size() - name_at - 5);
        const bool wanted = name.find("traverse_") != std::string::npos || name.starts_with("switchscope::exchange(") ||
                            name.starts_with("switchscope::answer(") || name.starts_with("spin_by_");
        current = nullptr;
        if (!wanted) continue;
        current = &found.emplace(name, Function{})->second;
        current->address = std::stoul(line, nullptr, 16);
      } else if (const std::size_t tab = line.find('\t'); current != nullptr && tab != std::string::npos) {
        current->instructions.push_back(line.substr(tab + 1, line.size() - tab - 2));
      }
    }
    return found;
  }();
  return functions;
}

std::set<std::string> expected_names() {
  std::set<std::string> names;
  for (const std::string access : {"read", "write", "rmw"}) {
    for (const std::string walk : {"strided", "sparse", "random"})
      for (const std::string loop : {"scalar", "unrolled"})
        names.insert("traverse_" + access + "_" + walk + "_" + loop);
    names.insert("traverse_" + access + "_paper");
#if defined(__x86_64__)
    names.insert("traverse_" + access + "_sequential_avx");
    names.insert("traverse_" + access + "_random_avx");
#endif
  }
  return names;
}

class Disassembly : public testing::Test {
protected:
  void SetUp() override {
    if (measured_functions().empty()) GTEST_SKIP() << "no objdump here, or a stripped program";
#ifdef SWITCHSCOPE_SANITIZED
    GTEST_SKIP() << "a sanitizer's build is not the code that is measured";
#endif
  }
};

TEST_F(Disassembly, EveryTraversalExistsExactlyOnceAndStartsALine) {
  std::set<std::string> names;
  for (const auto& [name, function] : measured_functions()) {
    if (name.find("traverse_") == std::string::npos) continue;
    EXPECT_TRUE(names.insert(name).second) << name << " exists twice";
    EXPECT_EQ(function.address % 64, 0u) << name;
    EXPECT_EQ(function.count_starting("call"), 0) << name << " must do its work itself";
  }
  EXPECT_EQ(names, expected_names()); // no clone such as traverse_x.constprop.0 either
}

#if defined(__x86_64__)
TEST_F(Disassembly, VectorLoopsUsePlain256BitInstructions) {
  for (const auto& [name, function] : measured_functions()) {
    EXPECT_FALSE(function.mention("zmm")) << name;
    EXPECT_FALSE(function.mention("fmadd")) << name;
    const bool is_avx = name.ends_with("_avx");
    EXPECT_EQ(function.mention("ymm"), is_avx) << name;
    EXPECT_EQ(function.mention("vzeroupper"), is_avx) << name;
  }
}

TEST_F(Disassembly, ASpinIsAFunctionOfItsOwnBetweenSerialisedReadings) {
  const auto& functions = measured_functions();
  ASSERT_EQ(functions.count("spin_by_counter"), 1u);
  const Function& spin = functions.find("spin_by_counter")->second;
  EXPECT_EQ(spin.address % 64, 0u);
  EXPECT_EQ(spin.count_starting("rdtsc"), 3) << "before, in the loop, after";
  EXPECT_EQ(spin.count_starting("lfence"), 6);
  EXPECT_EQ(spin.count_starting("call"), 0);
}

TEST_F(Disassembly, ScalarLoopsAreNotVectorised) {
  for (const auto& [name, function] : measured_functions()) {
    if (name.ends_with("_avx")) continue;
    for (const char* const packed : {"addpd", "movapd (", "movupd (", "movups (", "movaps (", "rep stos"})
      EXPECT_FALSE(function.mention(packed)) << name << ' ' << packed;
  }
}

// Nothing is kept in a register from one element to the next: not even the index, which stands on the stack.
TEST_F(Disassembly, ThePapersLoopsAreUnoptimisedAndTouchMemoryForEachElement) {
  int loops = 0;
  for (const auto& [name, function] : measured_functions()) {
    if (!name.ends_with("_paper")) continue;
    ++loops;
    EXPECT_TRUE(function.mention("(%rbp)")) << name << " keeps its variables on the stack";
    EXPECT_GE(function.count_starting("addq") + function.count_starting("add "), 2) << name;
    for (const char* const vector : {"addpd", "addps", "movupd", "movups", "movdq", "ymm", "zmm", "%xmm2"})
      EXPECT_FALSE(function.mention(vector)) << name << ' ' << vector;
    // Through the address of the element, which was computed into a register: one load to read, one store to write.
    const auto through_register = [&function = function](const std::string& start, bool is_load) {
      int count = 0;
      for (const std::string& instruction : function.instructions) {
        const bool is_move = instruction.starts_with(start) && instruction.find("xmm") != std::string::npos;
        const bool by_address = instruction.find("(%rax)") != std::string::npos;
        count += is_move && by_address && instruction.ends_with(")") != is_load ? 1 : 0;
      }
      return count;
    };
    EXPECT_EQ(through_register("movsd", true), name == "traverse_write_paper" ? 0 : 1) << name;
    EXPECT_EQ(through_register("movsd", false), name == "traverse_read_paper" ? 0 : 1) << name;
    EXPECT_EQ(function.count_starting("addsd"), name == "traverse_write_paper" ? 0 : 1) << name;
  }
  EXPECT_EQ(loops, 3);
}

TEST_F(Disassembly, TimedLoopsCallTheTraversalThroughAPointerOnly) {
  int loops = 0;
  for (const auto& [name, function] : measured_functions()) {
    if (name.find("traverse_") != std::string::npos || name.starts_with("spin_by_")) continue;
    ++loops;
    EXPECT_EQ(function.count_starting("call   *") + function.count_starting("call *"), 1) << name;
    EXPECT_FALSE(function.mention("traverse_") || function.mention("spin_")) << name;
    // The number of traversals, the sum, and the sum kept at the end: a copy of a traversal would bring more.
    EXPECT_LE(function.count_starting("addsd"), 3) << name;
  }
  EXPECT_EQ(loops, 2);
}
#endif

} // namespace
