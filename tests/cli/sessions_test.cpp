// Runs of several sessions: end to end, waited for, stopped, killed, added to, and on a machine that changed.
#include "tests/cli/scripted.h"

#include <SQLiteCpp/Database.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace switchscope {

namespace {

using nlohmann::json;

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Quick, and the progress as lines.
std::vector<std::string> several(std::vector<std::string> more) {
  more.insert(more.begin(), {"run", "--size", "64KiB,512KiB", "--policy", "other", "--budget", "100ms", "--seed", "7"});
  return more;
}

json shown(const Scripted& scripted) {
  return json::parse(scripted.cli({"show", "last", "--json"}).out, nullptr, false);
}

std::string in_database(const Scripted& scripted, const char* sql) {
  return SQLite::Database(scripted.database, SQLite::OPEN_READWRITE).execAndGet(sql).getString();
}

// What the validator says; empty: the document is as docs/result.schema.json wants it.
std::string against_the_schema(const Scripted& scripted, const json& document) {
  const std::string source = SWITCHSCOPE_SOURCE_DIR;
  const std::string file = scripted.folder.file("document.json", document.dump());
  FILE* pipe = popen(("/usr/bin/python3 '" + source + "/tests/export/validate.py' '" + source +
                      "/docs/result.schema.json' '" + file + "' 2>&1")
                         .c_str(),
                     "r");
  std::string says;
  std::array<char, 4096> buffer{};
  while (const auto got = fread(buffer.data(), 1, buffer.size(), pipe)) says.append(buffer.data(), got);
  if (pclose(pipe) != 0 && says.empty()) says = "the validator failed";
  return says;
}

} // namespace

TEST(Sessions, twoAreMeasuredAndTheIntervalIsOverThem) {
  const Scripted scripted;
  const Ended ended = scripted.cli(several({"--sessions", "2", "--json"}));
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const json document = json::parse(ended.out);
  EXPECT_EQ(document.at("run").at("interval").at("over"), "sessions");
  EXPECT_EQ(document.at("run").at("interval").at("method"), "t over sessions");
  ASSERT_EQ(document.at("run").at("sessions").size(), 2u);
  for (const auto& session : document.at("run").at("sessions")) {
    EXPECT_TRUE(session.at("finished_at").is_string());
    EXPECT_GE(session.at("measuring_s").get<double>(), 0.1) << "the budget is for each";
    EXPECT_EQ(session.at("environment").at("kernel_release"), "6.1.0-scripted");
    EXPECT_TRUE(session.at("environment_after").is_object());
  }
  for (const auto& point : document.at("points")) {
    EXPECT_EQ(point.at("sessions"), 2);
    EXPECT_EQ(point.at("interval_over"), "sessions");
    ASSERT_EQ(point.at("by_session").size(), 2u);
    const double mean = (point.at("by_session")[0].at("total_ns").at("estimate").get<double>() +
                         point.at("by_session")[1].at("total_ns").at("estimate").get<double>()) /
                        2;
    EXPECT_NEAR(point.at("total_ns").at("estimate").get<double>(), mean, 1e-6);
    EXPECT_TRUE(point.at("variance").at("between_sessions").is_object());
  }
  EXPECT_EQ(scripted.cli({"verify"}).exit_code, 0);
  EXPECT_TRUE(holds(scripted.cli({"show", "last"}).out, "Intervals: 95 % over 2 sessions. With so few sessions"));
  EXPECT_TRUE(holds(scripted.cli({"export", "last", "--format", "csv"}).out, ",sessions,"));
  if (std::filesystem::exists("/usr/lib/python3/dist-packages/jsonschema")) {
    EXPECT_EQ(against_the_schema(scripted, document), "");
  }
}

TEST(Sessions, aSingleOneIsCalledThat) {
  const Scripted scripted;
  // To a precision, not for a time: on a busy machine 100 ms may not hold the four visits an interval needs.
  ASSERT_EQ(scripted.cli({"run", "--size", "64KiB,512KiB", "--policy", "other", "--precision", "50%", "--seed", "7"})
                .exit_code,
            0);
  const json document = shown(scripted);
  EXPECT_EQ(document.at("run").at("interval").at("over"), "visits");
  for (const auto& point : document.at("points")) EXPECT_EQ(point.at("interval_over"), "visits");
  EXPECT_TRUE(holds(scripted.cli({"show", "last"}).out, "Intervals: 95 % within one session"));
}

TEST(Sessions, eventsCarryTheirNumber) {
  const Scripted scripted;
  const Ended ended = scripted.cli(several({"--sessions", "2", "--events"}));
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  std::istringstream lines(ended.out);
  std::string order;
  for (std::string line; std::getline(lines, line);) {
    const json event = json::parse(line);
    if (event.at("event") == "session-started") order += "(" + event.at("session").at("number").dump();
    if (event.at("event") == "session-ended") order += ")";
    if (event.at("event") == "visit-ended" && event.at("visit").at("attempt") == 0 && event.at("visit").at("pass") == 0)
      order += " " + event.at("visit").at("session").dump();
  }
  EXPECT_EQ(order, "(0 0 0 0)(1 1 1 1)");
}

TEST(Sessions, theWaitIsShownAndCtrlCEndsIt) {
  const Scripted scripted;
  Command command(scripted.with_places(several({"--sessions", "2", "--every", "60min"})), Scripted::playing(""));
  ASSERT_TRUE(command.err_says("Session 2 of 2 begins in "));
  Command other(Scripted{}.with_places(several({})), Scripted::playing(""));
  EXPECT_EQ(other.wait().exit_code, 0) << "others may measure in between";
  command.send(SIGINT);
  const Ended ended = command.wait();
  EXPECT_EQ(ended.exit_code, 0) << "every point has an estimate: " << ended.err;
  EXPECT_TRUE(holds(ended.err, "Stopping.")) << ended.err;
  EXPECT_TRUE(holds(ended.err, "To go on: switchscope-cli resume ")) << ended.err;
  EXPECT_EQ(shown(scripted).at("run").at("state"), "cancelled");
  EXPECT_EQ(in_database(scripted, "SELECT count(finished_at) || ' of ' || count(*) FROM session"), "1 of 1");
  EXPECT_EQ(scripted.cli({"verify"}).exit_code, 0);

  ASSERT_EQ(scripted.cli({"resume", "last"}).exit_code, 0);
  EXPECT_EQ(in_database(scripted, "SELECT count(finished_at) || ' of ' || count(*) FROM session"), "2 of 2");
  EXPECT_EQ(shown(scripted).at("run").at("state"), "completed");
}

TEST(Sessions, aKillWhileOneIsWaitedForLosesNothing) {
  const Scripted scripted;
  Command command(scripted.with_places(several({"--sessions", "2", "--every", "60min"})), Scripted::playing(""));
  ASSERT_TRUE(command.err_says("Session 2 of 2 begins in "));
  command.send(SIGKILL);
  EXPECT_EQ(command.wait().signal, SIGKILL);
  const std::string first = in_database(scripted, "SELECT count(*) FROM visit");
  ASSERT_EQ(scripted.cli({"resume", "last"}).exit_code, 0);
  EXPECT_EQ(in_database(scripted, "SELECT count(*) FROM visit WHERE session = 0"), first);
  EXPECT_EQ(in_database(scripted, "SELECT count(finished_at) FROM session"), "2");
}

TEST(Sessions, aKillInOneIsResumedInThatOne) {
  const Scripted scripted;
  Command command(scripted.with_places({"run", "--size", "64KiB,512KiB", "--policy", "other", "--budget", "500ms",
                                        "--sessions", "2", "--events", "--progress", "none", "--seed", "7"}),
                  Scripted::playing("--real-time"));
  ASSERT_TRUE(command.out_says(R"("event":"pass-ended","pass":0,"points_precise":0,"points_failed":0,"session":1)"));
  command.send(SIGKILL);
  EXPECT_EQ(command.wait().signal, SIGKILL);
  const int kept = std::stoi(in_database(scripted, "SELECT count(*) FROM visit WHERE session = 1"));
  EXPECT_GE(kept, 3);
  const double used_s = std::stod(in_database(scripted, "SELECT measuring_s FROM session WHERE number = 1"));
  EXPECT_GT(used_s, 0);
  const Ended ended =
      Command(scripted.with_places({"resume", "last", "--progress", "plain"}), Scripted::playing("--real-time")).wait();
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(holds(ended.err, "session 2 of 2, about ")) << ended.err;
  EXPECT_GT(std::stoi(in_database(scripted, "SELECT count(*) FROM visit WHERE session = 1")), kept);
  EXPECT_EQ(in_database(scripted, "SELECT count(*) FROM session"), "2");
  EXPECT_EQ(in_database(scripted, "SELECT count(*) FROM visit WHERE pass = 0 AND session = 1"), "3")
      << "the first pass was complete";
  EXPECT_EQ(in_database(scripted, "SELECT measuring_s >= 1 FROM run"), "1");
}

TEST(Resume, addsASessionAsOftenAsLiked) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(several({})).exit_code, 0);
  for (const char* count : {"2", "3"}) {
    const Ended ended = scripted.cli({"resume", "last", "--new-session"});
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_EQ(in_database(scripted, "SELECT plan ->> 'sessions' FROM run_document"), count);
    EXPECT_EQ(in_database(scripted, "SELECT count(finished_at) FROM session"), count);
  }
  EXPECT_EQ(shown(scripted).at("run").at("state"), "completed");
  EXPECT_EQ(shown(scripted).at("points")[0].at("sessions"), 3);
  const Ended complete = scripted.cli({"resume", "last"});
  EXPECT_EQ(complete.exit_code, 0);
  EXPECT_TRUE(holds(complete.err, "is complete: nothing is left to measure. To add a session: switchscope-cli resume "))
      << complete.err;
  EXPECT_TRUE(holds(complete.err, " --new-session")) << complete.err;
}

TEST(Resume, aCompletedRunTriesItsFailedPointsAgain) {
  const Scripted scripted;
  const std::string fault = "--fault error --at-size 524288";
  const auto visits_of_the_failed = [&] {
    return in_database(scripted, "SELECT count(*) FROM visit WHERE point_index = 2");
  };
  for (const auto& [arguments, visits] :
       {std::pair{several({}), "3"}, {std::vector<std::string>{"resume", "last"}, "6"}}) {
    const Ended ended = scripted.cli(arguments, fault);
    EXPECT_EQ(ended.exit_code, 4) << ended.err;
    EXPECT_TRUE(holds(ended.err, "1 of 3 points have no estimate. To go on: switchscope-cli resume ")) << ended.err;
    EXPECT_EQ(visits_of_the_failed(), visits);
  }
  const Ended resumed = scripted.cli({"resume", "last"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(in_database(scripted, "SELECT count(*) FROM session"), "1") << "no session was asked for";
  const json document = shown(scripted); // outlives the loop over its points
  for (const auto& point : document.at("points")) EXPECT_NE(point.at("state"), "failed") << point;
  EXPECT_TRUE(holds(scripted.cli({"resume", "last"}).err, "nothing is left to measure"));
}

TEST(Resume, aCompletedRunThatLacksWhatWasRequiredSaysSoAgain) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(several({"--require", "clean"})).exit_code, 3);
  const Ended resumed = scripted.cli({"resume", "last"});
  EXPECT_EQ(resumed.exit_code, 3);
  EXPECT_TRUE(holds(resumed.err, "nothing is left to measure")) << resumed.err;
  EXPECT_TRUE(holds(resumed.err, "Clean: ")) << resumed.err;
}

TEST(Resume, aNewSessionCountsTheBoots) {
  const Scripted scripted;
  const auto facts = [&](const std::string& boot, const std::string& kernel) {
    return scripted.folder.file(
        "facts", R"({"type":"facts","hwloc_xml":"","files":{"/proc/sys/kernel/random/boot_id":")" + boot +
                     R"(","/proc/sys/kernel/osrelease":")" + kernel +
                     R"(","/sys/devices/system/cpu/online":"0-1","/sys/devices/system/cpu/present":"0-1",)"
                     R"("/proc/meminfo":"MemTotal: 8388608 kB\nMemAvailable: 6291456 kB"},)"
                     R"("calls":{"recorded":"here"}})"
                     "\n");
  };
  const std::string script = "--facts " + facts("first-boot", "6.1.0");
  ASSERT_EQ(scripted.cli(several({}), script).exit_code, 0);
  (void)facts("second-boot", "6.1.0");
  const Ended added = scripted.cli({"resume", "last", "--new-session"}, script);
  ASSERT_EQ(added.exit_code, 0) << added.err;
  EXPECT_TRUE(holds(added.out, "Sessions: 2 begun of 2 asked for, over 2 boots.")) << added.out;
  EXPECT_EQ(in_database(scripted, "SELECT group_concat(boot_id) FROM (SELECT boot_id FROM session ORDER BY number)"),
            "first-boot,second-boot");

  (void)facts("third-boot", "6.2.0");
  const Ended refused = scripted.cli({"resume", "last", "--new-session"}, script);
  EXPECT_EQ(refused.exit_code, 3) << refused.err;
  EXPECT_TRUE(holds(refused.err, "6.1.0 then, 6.2.0 now")) << refused.err;
  EXPECT_EQ(in_database(scripted, "SELECT count(*) FROM session"), "2");
  EXPECT_EQ(scripted.cli({"resume", "last", "--new-session", "--anyway"}, script).exit_code, 0);
  EXPECT_EQ(in_database(scripted, "SELECT count(*) FROM session"), "3");
}

TEST(Sessions, aMachineThatChangedInBetweenIsRefused) {
  const Scripted scripted;
  const auto facts = [&](const std::string& kernel) {
    return scripted.folder.file("facts", R"({"type":"facts","hwloc_xml":"","files":{"/proc/sys/kernel/osrelease":")" +
                                             kernel +
                                             R"(","/sys/devices/system/cpu/online":"0-1",)"
                                             R"("/sys/devices/system/cpu/present":"0-1",)"
                                             R"("/proc/meminfo":"MemTotal: 8388608 kB\nMemAvailable: 6291456 kB"},)"
                                             R"("calls":{"recorded":"here"}})"
                                             "\n");
  };
  Command command(scripted.with_places(several({"--sessions", "2", "--every", "3s"})),
                  Scripted::playing("--facts " + facts("6.1.0")));
  ASSERT_TRUE(command.err_says("Session 2 of 2 begins in "));
  (void)facts("6.2.0");
  const Ended ended = command.wait();
  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  EXPECT_TRUE(holds(ended.err, "6.1.0 then, 6.2.0 now")) << ended.err;
  EXPECT_TRUE(holds(ended.err, "--anyway")) << ended.err;
  EXPECT_EQ(in_database(scripted, "SELECT state || ' ' || (SELECT count(*) FROM session) FROM run"), "incomplete 1");
  EXPECT_EQ(scripted.cli({"resume", "last", "--anyway"}, "--facts " + facts("6.2.0")).exit_code, 0);
  EXPECT_EQ(in_database(scripted, "SELECT state || ' ' || (SELECT count(*) FROM session) FROM run"), "completed 2");
}

} // namespace switchscope
