#include "engine/machine/machine.h"

#include <gtest/gtest.h>

using namespace switchscope;

namespace {

Environment example() {
  Environment environment;
  environment.cpu_model = "AMD EPYC";
  environment.kernel_release = "6.1.0";
  environment.hypervisor = "KVM";
  environment.mitigations = {{"meltdown", "Not affected"}, {"spectre_v2", "Mitigation: Retpolines"}};
  environment.versions = {{"worker build", "abc"}};
  return environment;
}

using Sentences = std::vector<std::string>;

} // namespace

TEST(Differences, NoneBetweenTheSameMachineAtTwoTimes) {
  Environment later = example();
  later.load_1min = 3.5;
  later.memory_available_bytes = 1;
  later.kernel_command_line = "quiet";
  EXPECT_EQ(differences(example(), later), Sentences{});
}

TEST(Differences, EachForbiddenOneIsASentence) {
  Environment now = example();
  now.cpu_model = "Intel Xeon";
  EXPECT_EQ(differences(example(), now), Sentences{"CPU model AMD EPYC then, Intel Xeon now"});
  now = example();
  now.kernel_release = "6.2.0";
  EXPECT_EQ(differences(example(), now), Sentences{"kernel 6.1.0 then, 6.2.0 now"});
  now = example();
  now.hypervisor.clear();
  EXPECT_EQ(differences(example(), now), Sentences{"hypervisor KVM then, none now"});
  now = example();
  now.mitigations["spectre_v2"] = "Vulnerable";
  EXPECT_EQ(differences(example(), now),
            Sentences{"mitigation of spectre_v2: Mitigation: Retpolines then, Vulnerable now"});
  now = example();
  now.mitigations.erase("meltdown");
  EXPECT_EQ(differences(example(), now), Sentences{"mitigation of meltdown: Not affected then, not reported now"});
  now = example();
  now.versions["worker build"] = "def";
  EXPECT_EQ(differences(example(), now), Sentences{"worker build abc then, def now"});
}
