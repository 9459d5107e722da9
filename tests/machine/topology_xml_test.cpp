#include "engine/machine/topology_xml_reader.h"
#include "engine/worker/describe.h"
#include "tests/machine/trees.h"

#include <gtest/gtest.h>
#include <random>

using namespace switchscope;

namespace {

const std::string start =
    "<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">"
    "<object type=\"Machine\" cpuset=\"0x00000003\" complete_cpuset=\"0x00000007\" allowed_cpuset=\"0x00000001\">";
const std::string end = "</object></topology>";

std::string with_machine_set(const std::string& set) {
  return "<topology><object type=\"Machine\" cpuset=\"" + set + "\"/></topology>";
}

} // namespace

TEST(TopologyXml, ReadsCpusCoresAndCaches) {
  const auto read =
      read_topology_xml(start +
                        "<object type=\"Package\" os_index=\"4\"><info name=\"CPUModel\" value=\"a > b\"/>"
                        "<object type=\"L2Cache\" cpuset=\"0x3\" cache_size=\"524288\" depth=\"2\" "
                        "cache_linesize=\"128\" cache_type=\"0\">"
                        "<object type=\"L1iCache\" cpuset=\"0x3\" cache_size=\"32768\" depth=\"1\" "
                        "cache_linesize=\"64\" cache_type=\"2\">"
                        "<object type=\"Core\" os_index=\"9\" cpuset=\"0x3\"><object type=\"PU\" "
                        "os_index=\"0\"/><object type=\"PU\" os_index=\"1\"/>"
                        "</object></object></object></object>" +
                        end);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->present, (std::set<int>{0, 1, 2}));
  EXPECT_EQ(read->online, (std::set<int>{0, 1}));
  EXPECT_EQ(read->allowed, std::set<int>{0});
  EXPECT_EQ(read->core, (std::map<int, int>{{0, 9}, {1, 9}}));
  EXPECT_EQ(read->package, (std::map<int, int>{{0, 4}, {1, 4}}));
  EXPECT_EQ(read->siblings.at(1), (std::vector<int>{0, 1}));
  EXPECT_EQ(read->caches, (std::vector<Cache>{{2, "unified", 524288, 128, {0, 1}, "reported"}}));
}

TEST(TopologyXml, ReadsIntelsCoreTypes) {
  const auto read = read_topology_xml(
      start + "</object><cpukind cpuset=\"0x1\"><info name=\"CoreType\" value=\"IntelCore\"/></cpukind>"
              "<cpukind cpuset=\"0x2\"><info name=\"CoreType\" value=\"IntelAtom\"/></cpukind></topology>");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->intel_core_type, (std::map<int, std::string>{{0, "IntelCore"}, {1, "IntelAtom"}}));
}

TEST(TopologyXml, ReadsSetsOfManyWords) {
  EXPECT_EQ(read_topology_xml(with_machine_set("0x80000000,,0x00000001"))->online, (std::set<int>{0, 95}));
  for (const char* set : {"", "0x0", "0xf...f", "0xf...f,0x1", "3", "0x1ffffffff", "0xg", "0x1 "})
    EXPECT_FALSE(read_topology_xml(with_machine_set(set)).has_value()) << set;
}

TEST(TopologyXml, LeavesOutCachesOfNoKnownSize) {
  const auto read = read_topology_xml(
      start + "<object type=\"L2Cache\" cpuset=\"0x3\" cache_size=\"0\" depth=\"2\" cache_type=\"0\"/>" + end);
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(read->caches.empty());
}

TEST(TopologyXml, IsAbsentWhenItsEndIsMissing) {
  const std::string xml = collect_facts(own_tree("wsl2")).hwloc_xml;
  ASSERT_TRUE(read_topology_xml(xml).has_value());
  const std::size_t last = xml.rfind('>');
  for (std::size_t length = 0; length < last; ++length)
    ASSERT_FALSE(read_topology_xml(xml.substr(0, length)).has_value()) << "cut after " << length << " bytes";
}

TEST(TopologyXml, IsAbsentWhenAnObjectStaysOpen) {
  EXPECT_FALSE(read_topology_xml(start + "</topology>").has_value());
  EXPECT_FALSE(read_topology_xml(start + end + "</object>").has_value());
  EXPECT_FALSE(read_topology_xml(start + "<object type=PU/>" + end).has_value());
}

TEST(TopologyXml, StandsAnyDamage) {
  const std::string xml = collect_facts(own_tree("wsl2")).hwloc_xml;
  std::minstd_rand random(1);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = xml;
    for (int i = 0; i < 3; ++i) {
      const std::size_t at = below(damaged.size());
      const std::size_t kind = below(3);
      if (kind == 0) damaged[at] = "0123456789abcdef\"<>/-, \0"[below(24)];
      if (kind == 1) damaged.erase(at, below(40));
      if (kind == 2) damaged.insert(at, damaged.substr(below(damaged.size()), below(200)));
    }
    if (const auto read = read_topology_xml(damaged)) {
      EXPECT_FALSE(read->online.empty());
    }
  }
}

TEST(TopologyXml, StandsAnyDepth) {
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += "<object>";
  EXPECT_FALSE(read_topology_xml(deep).has_value());
}
