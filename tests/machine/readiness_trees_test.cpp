// Recorded machines -> the lights a user of them would see.
#include "engine/machine/machine.h"
#include "engine/worker/describe.h"
#include "tests/machine/lights.h"
#include "tests/machine/trees.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace switchscope;

namespace {

struct Tree {
  const char* name;
  const char* lights;
};
std::ostream& operator<<(std::ostream& out, const Tree& tree) {
  return out << tree.name;
}

const Tree trees[] = {
    {"wsl2", "yellow wsl, yellow shared-core, yellow hypervisor, yellow smt, yellow isolation, yellow ticks, unknown "
             "steal real-time governor turbo interrupts counters"},
    {"arm64-no-cache-sizes",
     "yellow hypervisor, yellow isolation, yellow ticks, yellow huge-pages, yellow cache-sizes, unknown load "
     "shared-core steal real-time governor turbo smt interrupts aslr counters"},
    {"two-cpu-guest", "yellow load, yellow hypervisor, yellow huge-pages, unknown shared-core steal real-time governor "
                      "turbo smt interrupts counters"},
    {"20em64t-hybrid-1p6c2t+2ca4co1t",
     "yellow shared-core, yellow governor, yellow turbo, yellow smt, yellow isolation, yellow ticks, unknown load "
     "real-time rt-throttling interrupts huge-pages aslr counters"},
    {"128arm-2pa2n8cluster4co", "yellow isolation, yellow ticks, unknown load real-time rt-throttling governor turbo "
                                "interrupts huge-pages aslr counters"},
    {"2arm-2c", "yellow isolation, yellow ticks, yellow cache-sizes, unknown load real-time rt-throttling governor "
                "turbo smt interrupts huge-pages aslr counters"},
    {"256ppc-8n8s4t", "yellow shared-core, yellow smt, yellow isolation, yellow ticks, unknown load real-time "
                      "rt-throttling governor turbo interrupts huge-pages aslr counters"},
    {"64amd64-4s2n4ca2co", "yellow isolation, yellow ticks, unknown load real-time rt-throttling governor turbo smt "
                           "interrupts huge-pages aslr counters"},
    {"16em64t-4s2c2t-offlines", "yellow shared-core, yellow smt, yellow isolation, yellow ticks, unknown load "
                                "real-time rt-throttling governor turbo interrupts huge-pages aslr counters"},
    {"offline-cpu0-node0", "yellow isolation, yellow ticks, unknown load real-time rt-throttling governor turbo "
                           "interrupts huge-pages aslr counters"},
    {"16amd64-8n2c-cpusets", "yellow isolation, yellow ticks, unknown load real-time rt-throttling governor turbo smt "
                             "interrupts huge-pages aslr counters"},
    {"5intel64-hybrid-lakefield", "unknown usable-cpus real-time rt-throttling turbo smt huge-pages aslr counters"},
};

} // namespace

class RecordedMachine : public testing::TestWithParam<Tree> {};

TEST_P(RecordedMachine, HasItsLights) {
  const Tree& tree = GetParam();
  const TemporaryDirectory directory;
  std::filesystem::path root = own_tree(tree.name);
  if (!std::filesystem::exists(root)) {
    if (!std::filesystem::exists(archive_of(tree.name))) GTEST_SKIP() << "there is no " << archive_of(tree.name);
    const auto unpacked = unpack(tree.name, directory.path());
    if (!unpacked) GTEST_SKIP() << "tar cannot unpack " << archive_of(tree.name);
    root = *unpacked;
  }
  EXPECT_EQ(lights(environment_from(collect_facts(root), Hello{})), tree.lights);
}

INSTANTIATE_TEST_SUITE_P(Trees, RecordedMachine, testing::ValuesIn(trees), [](const auto& instance) {
  std::string name = instance.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});
