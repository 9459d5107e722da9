// The same trees through the program and its line of JSON: what `describe --sysroot DIR` prints is what was collected.
#include "engine/protocol/messages.h"
#include "engine/worker/describe.h"
#include "tests/machine/trees.h"

#include <array>
#include <cstdio>
#include <gtest/gtest.h>
#include <memory>
#include <variant>

using namespace switchscope;

namespace {

const std::string worker = std::string(SWITCHSCOPE_BINARY_DIR) + "/bin/switchscope-worker";

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
  std::string output;
  std::array<char, 65536> buffer{};
  while (const std::size_t got = pipe ? std::fread(buffer.data(), 1, buffer.size(), pipe.get()) : 0)
    output.append(buffer.data(), got);
  return output;
}

// The facts among the lines; absent when there is none.
std::optional<Facts> facts_in(const std::string& output) {
  for (std::size_t start = 0; start < output.size();) {
    const std::size_t end = std::min(output.find('\n', start), output.size());
    const auto event = decode_event(std::string_view(output).substr(start, end - start));
    if (const auto* decoded = std::get_if<WorkerEvent>(&event))
      if (const auto* facts = std::get_if<Facts>(decoded)) return *facts;
    start = end + 1;
  }
  return std::nullopt;
}

} // namespace

class ThroughWorker : public testing::TestWithParam<const char*> {};

TEST_P(ThroughWorker, DescribeTellsTheRecordedMachine) {
  if (!std::filesystem::exists(worker))
    GTEST_SKIP() << "there is no worker at " << worker << "; build switchscope-worker";
  const auto told = facts_in(output_of("'" + worker + "' describe --sysroot '" + own_tree(GetParam()).string() + "'"));
  ASSERT_TRUE(told.has_value());
  const Facts collected = collect_facts(own_tree(GetParam()));
  EXPECT_EQ(told->files, collected.files);
  EXPECT_EQ(told->calls, collected.calls);
}

INSTANTIATE_TEST_SUITE_P(Recorded, ThroughWorker, testing::Values("wsl2", "arm64-no-cache-sizes", "two-cpu-guest"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(ThroughWorkerHere, DescribeTellsTheTopologyOfThisMachine) {
  if (!std::filesystem::exists(worker))
    GTEST_SKIP() << "there is no worker at " << worker << "; build switchscope-worker";
  const auto told = facts_in(output_of("'" + worker + "' describe"));
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->hwloc_xml.empty(), collect_facts("").hwloc_xml.empty());
  EXPECT_FALSE(told->calls.at("uname.release").empty());
}
