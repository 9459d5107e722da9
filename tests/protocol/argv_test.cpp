#include "engine/protocol/messages.h"

#include "samples.h"

#include <gtest/gtest.h>

using namespace switchscope;

namespace {

using Argv = std::vector<std::string>;

std::string error_of(const Argv& argv) {
  const auto parsed = parse_argv(argv);
  const auto* error = std::get_if<DecodeError>(&parsed);
  return error != nullptr ? error->message : "(no error)";
}

TEST(Argv, NamesEveryPartOfAVisit) {
  EXPECT_EQ(argv_of(samples::request()), (Argv{"--counters",
                                               "--size",
                                               "393216",
                                               "--stride",
                                               "128",
                                               "--access",
                                               "write",
                                               "--pattern",
                                               "sparse",
                                               "--mechanism",
                                               "pipe",
                                               "--tasks",
                                               "thread",
                                               "--kernel",
                                               "scalar",
                                               "--method",
                                               "paired",
                                               "--cpu",
                                               "0:1",
                                               "--policy",
                                               "fifo",
                                               "--pages",
                                               "thp",
                                               "--duration-ns",
                                               "150000000",
                                               "--min-pairs",
                                               "4",
                                               "--block-ns",
                                               "3000000",
                                               "--seed",
                                               "18446744073709551615",
                                               "--max-priority",
                                               "49",
                                               "--l2-bytes",
                                               "524288",
                                               "--deadline-ns",
                                               "7",
                                               "--kind",
                                               "known-addition",
                                               "--added-ns",
                                               "250"}));
  VisitRequest direct; // the other kinds take no data and count nothing
  direct.point.placement = {Placement::Kind::two_cpus, 0, 1};
  direct.kind = VisitKind::known_addition;
  direct.added_ns = 250;
  for (const VisitRequest& request : {samples::cost_request(), direct}) {
    const auto parsed = parse_argv(argv_of(request));
    ASSERT_TRUE(std::holds_alternative<VisitRequest>(parsed)) << error_of(argv_of(request));
    EXPECT_EQ(std::get<VisitRequest>(parsed), request);
  }
}

TEST(Argv, HasDefaultsAndUnitsForRunsByHand) {
  const auto direct = parse_argv({"--cpu", "free"});
  ASSERT_TRUE(std::holds_alternative<VisitRequest>(direct));
  VisitRequest expected;
  expected.point.placement.kind = Placement::Kind::free;
  EXPECT_EQ(std::get<VisitRequest>(direct), expected);
  const auto parsed = parse_argv({"--stride", "128B", "--size", "384KiB", "--cpu", "1"});
  ASSERT_TRUE(std::holds_alternative<VisitRequest>(parsed));
  EXPECT_EQ(std::get<VisitRequest>(parsed).point.array_bytes, 393'216);
  EXPECT_EQ(std::get<VisitRequest>(parsed).point.stride_bytes, 128);
}

TEST(Argv, CountersStandAloneAtAnyPlace) {
  for (const Argv& argv : {Argv{"--counters", "--cpu", "1"}, Argv{"--cpu", "1", "--counters"},
                           Argv{"--cpu", "1", "--counters", "--size", "0"}}) {
    const auto parsed = parse_argv(argv);
    ASSERT_TRUE(std::holds_alternative<VisitRequest>(parsed)) << error_of(argv);
    EXPECT_TRUE(std::get<VisitRequest>(parsed).counters);
  }
  EXPECT_EQ(error_of({"--counters", "--counters"}), "The argument --counters is given twice; give it once.");
  EXPECT_EQ(error_of({"--size", "--counters"}), "The argument --size has no value; write one after it.");
}

TEST(Argv, ARoundOfThePapersMethodComesBack) {
  VisitRequest request = samples::request();
  request.point = samples::paper_point();
  request.counters = false;
  request.kind = VisitKind::cost;
  request.added_ns = 0;
  const auto parsed = parse_argv(argv_of(request));
  ASSERT_TRUE(std::holds_alternative<VisitRequest>(parsed));
  EXPECT_EQ(std::get<VisitRequest>(parsed), request);
}

TEST(Argv, ThePapersMethodKnowsProcessesAndStridesOnly) {
  EXPECT_EQ(error_of({"--method", "paper", "--tasks", "thread"}),
            "The paper's method switches between processes and knows no threads; leave --tasks out.");
  EXPECT_EQ(error_of({"--method", "paper", "--size", "64", "--stride", "8", "--pattern", "sparse"}),
            "The paper's method knows the pattern strided only; leave --pattern out.");
  EXPECT_EQ(error_of({"--method", "paper", "--counters", "--cpu", "1"}),
            "The paper's method counts no events; leave --counters out.");
  EXPECT_EQ(error_of({"--method", "paper", "--kind", "baseline-only", "--cpu", "1"}),
            "The paper's method measures costs only; leave --kind out.");
}

TEST(Argv, TakesNoStrideForRandom) {
  EXPECT_EQ(error_of({"--size", "128", "--pattern", "random", "--cpu", "1"}), "(no error)");
  EXPECT_EQ(error_of({"--size", "128", "--pattern", "random", "--stride", "8"}),
            "The random pattern takes no stride; leave --stride out.");
  EXPECT_EQ(error_of({"--size", "72", "--pattern", "random"}),
            "The random pattern visits whole lines; --size must be a multiple of 64 bytes.");
}

TEST(Argv, SaysWhatIsWrong) {
  const std::pair<Argv, std::string> cases[] = {
      {{"--size"}, "The argument --size has no value; write one after it."},
      {{"--size", "64", "--size", "64", "--stride", "8"}, "The argument --size is given twice; give it once."},
      {{"--size", "-8"}, "--size: The size \"-8\" is negative; write one such as 64KiB."},
      {{"--size", "100"}, "--size must be a multiple of 8 bytes, the size of one element."},
      {{"--size", "64"}, "--stride must be a multiple of 8 bytes, the size of one element, and at least 8."},
      {{"--size", "64", "--stride", "12"},
       "--stride must be a multiple of 8 bytes, the size of one element, and at least 8."},
      {{"--size", "64", "--stride", "128"}, "--stride must not be larger than --size."},
      {{"--stride", "128"}, "The size is 0, so there is nothing to stride over; leave --stride out."},
      {{"--access", "peek"}, "The argument --access must be read, write or rmw, not \"peek\"."},
      {{"--cpu", "x"}, "The argument --cpu must be a CPU such as 1, a pair such as 0:1, free or auto, not \"x\"."},
      {{"--min-pairs", "0"}, "The argument --min-pairs must be a whole number from 1 to 1000000, not \"0\"."},
      {{"--max-priority", "100"}, "The argument --max-priority must be a whole number from 1 to 99, not \"100\"."},
      {{"--max-priority", "0"}, "The argument --max-priority must be a whole number from 1 to 99, not \"0\"."},
      {{"--size", "0"}, "The worker does not choose a CPU; write --cpu 1, --cpu 0:1 or --cpu free."},
      {{"--cpu", "auto"}, "The worker does not choose a CPU; write --cpu 1, --cpu 0:1 or --cpu free."},
      {{"--cpu", "1", "--size", "64", "--stride", "8", "--kind", "known-addition"},
       "A visit of the kind known-addition takes no data; leave --size and --stride out."},
      {{"--cpu", "1", "--kind", "baseline-only", "--counters"},
       "A visit of the kind baseline-only counts no events; leave --counters out."},
      {{"--cpu", "1", "--added-ns", "250"},
       "Only a visit of the kind known-addition adds anything; write --kind known-addition."},
      {{"--cpu", "1", "--kind", "known-addition", "--added-ns", "1000000"},
       "The argument --added-ns must be a whole number from 0 to 999999, not \"1000000\"."},
      {{"--seed", "18446744073709551616"},
       "The argument --seed must be a whole number from 0 to 18446744073709551615, not \"18446744073709551616\"."},
      {{"--duration-ns", "1e9"},
       "The argument --duration-ns must be a whole number from 1 to 3600000000000, not \"1e9\"."},
      {{"--duration-ns", ""}, "The argument --duration-ns must be a whole number from 1 to 3600000000000, not \"\"."},
  };
  for (const auto& [argv, message] : cases) EXPECT_EQ(error_of(argv), message);
}

TEST(Argv, ListsTheNamesWhenOneIsUnknown) {
  const std::string names =
      "; arguments come in pairs of a name and a value, names are --size, --stride, --access, --pattern, "
      "--mechanism, --tasks, --kernel, --method, --cpu, --policy, --pages, --duration-ns, --min-pairs, --block-ns, "
      "--seed, --max-priority, --l2-bytes, --deadline-ns, --kind, --added-ns; --counters stands alone.";
  for (const Argv& argv : {Argv{"--siez", "64"}, Argv{"--siez"}, Argv{"--cpu", "1", "--siez", "--cpu"}})
    EXPECT_EQ(error_of(argv), "The argument \"--siez\" is not known here" + names);
  EXPECT_EQ(error_of({"64", "--size"}), "The argument \"64\" is not known here" + names);
}

} // namespace
