// Every verb over stored runs, from measuring to the trash and back.
#include "tests/cli/scripted.h"

#include <SQLiteCpp/Database.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace switchscope {

namespace {

using nlohmann::json;

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

json parsed(const std::string& text) {
  return json::parse(text, nullptr, false);
}

std::string id_of_last(const Scripted& scripted) {
  return parsed(scripted.cli({"list", "--json"}).out).at(0).at("id").get<std::string>();
}

json total_of(const json& document, std::int64_t array_bytes) {
  for (const auto& point : document.at("points"))
    if (point.at("array_bytes") == array_bytes) return point.at("total_ns").at("estimate");
  return nullptr;
}

} // namespace

TEST(Run, printsTheTableAndSaysWhereItStoredIt) {
  const Scripted scripted;
  const Ended ended = scripted.cli({"run", "--size", "64KiB,512KiB", "--stride", "128B,128KiB", "--policy", "other",
                                    "--budget", "100ms", "--seed", "7"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(holds(ended.err, "4 points (1 of 4 left out: stride above size), about "));
  EXPECT_TRUE(holds(ended.err, " seed 7, CPU 1. ")) << ended.err;
  EXPECT_TRUE(holds(ended.err, "Stored as ")) << ended.err;
  EXPECT_TRUE(holds(ended.err, scripted.database)) << ended.err;
  EXPECT_TRUE(holds(ended.out, "64 KiB")) << ended.out;
  EXPECT_FALSE(holds(ended.out, "Stored as")) << "stdout holds data only";
}

TEST(Run, asJsonIsOneDocumentWithTheKnownCosts) {
  const Scripted scripted;
  const Ended ended = scripted.cli(Scripted::short_run({"--json", "--name", "known"}));
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const json document = parsed(ended.out);
  ASSERT_TRUE(document.is_object()) << ended.out;
  EXPECT_EQ(document.at("run").at("name"), "known");
  EXPECT_EQ(document.at("run").at("seed"), 7);
  EXPECT_NEAR(document.at("direct_ns").at("estimate").get<double>(), 2500, 125);
  EXPECT_NEAR(total_of(document, 64 * 1024).get<double>(), 2500, 125);
  EXPECT_NEAR(total_of(document, 512 * 1024).get<double>(), 6500, 325);
}

TEST(Run, asEventsIsOneJsonLineForEach) {
  const Scripted scripted;
  const Ended ended = scripted.cli(Scripted::short_run({"--events"}));
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  std::istringstream lines(ended.out);
  std::vector<json> events;
  for (std::string line; std::getline(lines, line);) events.push_back(parsed(line));
  ASSERT_GE(events.size(), 8u); // started, 3 x (visit started, visit ended), ended
  EXPECT_TRUE(std::none_of(events.begin(), events.end(), [](const json& event) { return event.is_discarded(); }));
  EXPECT_TRUE(holds(events.front().dump(), "run-started")) << events.front();
  EXPECT_TRUE(holds(events.back().dump(), "run-ended")) << events.back();
}

TEST(Run, optionsStandBeforeOrAfterTheVerb) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run()).exit_code, 0);
  const std::string id = id_of_last(scripted);
  const std::vector<std::vector<std::string>> orders{{"--db", scripted.database, "show", id},
                                                     {"show", "--db", scripted.database, id},
                                                     {"show", id, "--db", scripted.database},
                                                     {"show", id, "--db=" + scripted.database}};
  for (const auto& arguments : orders) EXPECT_EQ(cli(arguments).exit_code, 0) << arguments.front();
}

TEST(Run, aPlanFileIsThePlanAndOptionsAreOverIt) {
  const Scripted scripted;
  const std::string plan = scripted.folder.file(
      "plan.json", R"({"schema": 1, "sizes_bytes": [65536], "strides_bytes": [128], "policy": "other", "budget_s": 0.1,
                       "seed": 11})");
  const Ended as_written = scripted.cli({"run", "--plan", plan, "--json"});
  ASSERT_EQ(as_written.exit_code, 0) << as_written.err;
  EXPECT_EQ(parsed(as_written.out).at("run").at("seed"), 11);
  const Ended put_over = scripted.cli({"run", "--plan", plan, "--json", "--size", "512KiB", "--seed", "12"});
  ASSERT_EQ(put_over.exit_code, 0) << put_over.err;
  EXPECT_EQ(parsed(put_over.out).at("run").at("seed"), 12);
  EXPECT_TRUE(total_of(parsed(put_over.out), 64 * 1024).is_null());
  EXPECT_FALSE(total_of(parsed(put_over.out), 512 * 1024).is_null());
}

TEST(Run, theStoredPlanRunsAgainAsAPlanFile) {
  const Scripted scripted;
  const json first = parsed(scripted.cli(Scripted::short_run({"--json"})).out);
  const std::string plan = scripted.folder.file("plan.json", first.at("run").at("plan").dump());
  const Ended again = scripted.cli({"run", "--plan", plan, "--json"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(parsed(again.out).at("run").at("plan"), first.at("run").at("plan"));
  const Ended from_document = scripted.cli({"run", "--plan", scripted.folder.file("run.json", first.dump()), "--json"});
  ASSERT_EQ(from_document.exit_code, 0) << from_document.err;
  EXPECT_EQ(parsed(from_document.out).at("run").at("plan"), first.at("run").at("plan"));
}

TEST(Run, aPlacementGivenTwiceIsMeasuredOnce) {
  const Scripted scripted;
  const json document = parsed(scripted.cli(Scripted::short_run({"--json", "--cpu", "auto,1,1"})).out);
  ASSERT_TRUE(document.is_object());
  EXPECT_EQ(document.at("points").size(), 3u);
}

TEST(Run, withoutASeedTheClocksIsStored) {
  const Scripted scripted;
  const std::vector<std::string> run{"run", "--size", "0", "--policy", "other", "--budget", "50ms", "--json"};
  const json first = parsed(scripted.cli(run).out);
  const json second = parsed(scripted.cli(run).out);
  EXPECT_NE(first.at("run").at("seed"), second.at("run").at("seed"));
}

TEST(Run, aPresetFollowsTheCachesOfTheMeasuredMachine) {
  const Scripted scripted;
  const Ended ended = scripted.cli({"run", "--preset", "quick", "--policy", "other", "--budget", "50ms", "--json"});
  const json document = parsed(ended.out);
  ASSERT_TRUE(document.is_object()) << ended.err;
  EXPECT_EQ(document.at("run").at("plan").at("sizes_bytes").back(), 1024 * 1024) << "2 L2, and L2 is 512 KiB there";
}

TEST(Run, aPresetsStrideIsJudgedByTheMeasuredMachine) {
  const Scripted scripted;
  const auto run_on = [&](const std::string& script) {
    return scripted.cli({"run", "--preset", "quick", "--stride", "4MiB", "--policy", "other", "--budget", "1us",
                         "--json", "--progress", "none"},
                        script);
  };
  const Ended fits = run_on("--simulate 2"); // its L2 is 2 MiB, so the sweep ends at 4 MiB
  ASSERT_EQ(fits.exit_code, 0) << fits.err;
  EXPECT_EQ(parsed(fits.out).at("points").back().at("array_bytes"), 4 << 20);
  const Ended larger = run_on("");
  EXPECT_EQ(larger.exit_code, 2) << larger.err;
  EXPECT_TRUE(holds(larger.err, "no combination is left; write strides of at most 1 MiB")) << larger.err;
}

TEST(Run, aRequirementThatIsNotMetEndsWith3) {
  const Scripted scripted;
  const Ended ended = scripted.cli(Scripted::short_run({"--require", "clean"}));
  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  EXPECT_TRUE(holds(ended.err, "Clean: ")) << ended.err;
}

TEST(List, newestFirstAsATableOfAtMost100ColumnsOrJson) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run({"--name", "first"})).exit_code, 0);
  ASSERT_EQ(scripted.cli(Scripted::short_run({"--name", std::string(150, 'n')})).exit_code, 0);
  const json runs = parsed(scripted.cli({"list", "--json"}).out);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1].at("name"), "first");
  EXPECT_EQ(runs[1].at("state"), "completed");
  const Ended table = scripted.cli({"list"});
  EXPECT_LT(table.out.find("nnn"), table.out.find("first"));
  std::istringstream lines(table.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 102u) << line; // the ellipsis has 3 bytes
}

TEST(List, aPresetIsNoName) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli({"run", "--preset", "direct", "--policy", "other", "--budget", "50ms"}).exit_code, 0);
  EXPECT_TRUE(holds(scripted.cli({"list"}).out, "  Preset  Name\n"));
  EXPECT_TRUE(holds(scripted.cli({"list"}).out, "  direct\n"));
  ASSERT_EQ(scripted.cli(Scripted::short_run({"--name", "mine"})).exit_code, 0);
  EXPECT_TRUE(holds(scripted.cli({"list"}).out, "          mine\n")) << "beside an empty preset";
}

TEST(List, beforeTheFirstRunIsEmptyAndNoFault) {
  const TestFolder folder;
  Command::Surroundings around;
  around.environment["XDG_DATA_HOME"] = (folder / "data").string();
  const Ended text = Command({"list"}, around).wait();
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.out, "");
  EXPECT_TRUE(holds(text.err, "No runs in ")) << text.err;
  EXPECT_EQ(Command({"list", "--json"}, around).wait().out, "[]\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "data")) << "looking made a database";
}

TEST(Show, drawsThePlotInBrailleOrAscii) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run()).exit_code, 0);
  auto around = Command::Surroundings();
  around.environment["LC_ALL"] = "C.UTF-8";
  const auto shown = [&](const std::vector<std::string>& arguments) {
    return Command(scripted.with_places(arguments), around).wait().out;
  };
  const std::string dots = "\xe2\xa0"; // the first two bytes of the first 64 braille characters
  EXPECT_FALSE(holds(shown({"show", "last"}), dots));
  EXPECT_TRUE(holds(shown({"show", "last", "--plot"}), dots));
  EXPECT_FALSE(holds(shown({"show", "last", "--plot", "--ascii"}), dots));
  around.environment["LC_ALL"] = "C";
  EXPECT_FALSE(holds(shown({"show", "last", "--plot"}), dots)) << "the locale cannot show it";
}

TEST(Show, aRunIsMeantByIdPrefixNameOrLast) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run({"--name", "by name"})).exit_code, 0);
  const std::string id = id_of_last(scripted);
  for (const auto& reference : {id, id.substr(0, 14), std::string("by name"), std::string("last")}) {
    const Ended ended = scripted.cli({"show", reference, "--json"});
    ASSERT_EQ(ended.exit_code, 0) << reference << ": " << ended.err;
    EXPECT_EQ(parsed(ended.out).at("run").at("id"), id) << reference;
  }
  for (const auto* verb : {"show", "resume", "delete", "restore"}) {
    const Ended ended = scripted.cli({verb, "no-such-run"});
    EXPECT_EQ(ended.exit_code, 2) << verb;
    EXPECT_TRUE(holds(ended.err, verb == std::string("restore") ? "trash" : "no-such-run")) << ended.err;
  }
}

TEST(Export, writesWhatShowPrintsAndTables) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run()).exit_code, 0);
  const auto file = scripted.folder / "out.json";
  ASSERT_EQ(scripted.cli({"export", "last", "--format", "json", "-o", file.string()}).exit_code, 0);
  EXPECT_EQ(text_of_file(file), scripted.cli({"show", "last", "--json"}).out);
  const std::string points = scripted.cli({"export", "last", "--format", "csv", "-o", "-"}).out;
  EXPECT_EQ(std::count(points.begin(), points.end(), '\n'), 4) << points; // header and 3 points
  const std::string blocks = scripted.cli({"export", "last", "--format", "blocks-csv"}).out;
  EXPECT_GT(std::count(blocks.begin(), blocks.end(), '\n'), 3 * 9) << "3 points x 3 pairs x 3 blocks at least";
}

TEST(Export, replacesAFileWholeOrNotAtAll) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli({"run", "--size", "64KiB..1MiB:8", "--policy", "other", "--budget", "50ms"}).exit_code, 0);
  const std::string file = scripted.folder.file("out.csv", "old");
  const std::vector<std::string> arguments{"export", "last", "--format", "blocks-csv", "-o", file};
  Command::Surroundings narrow;
  narrow.largest_file_bytes = 40'000;
  const Ended cut = Command(scripted.with_places(arguments), narrow).wait();
  EXPECT_EQ(cut.exit_code, 3) << cut.err;
  EXPECT_TRUE(holds(cut.err, "File too large")) << cut.err;
  EXPECT_EQ(text_of_file(file), "old");
  EXPECT_EQ(scripted.cli(arguments).exit_code, 0);
  EXPECT_GT(text_of_file(file).size(), 40'000u);
  for (const auto& entry : std::filesystem::directory_iterator(scripted.folder / ""))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".out")) << "left behind: " << entry.path();
}

TEST(Export, aDatabaseIsNotReplaced) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run()).exit_code, 0);
  const Ended ended = scripted.cli({"export", "last", "--format", "csv", "-o", scripted.database});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_TRUE(holds(ended.err, "is an SQLite database")) << ended.err;
  EXPECT_EQ(scripted.cli({"show", "last"}).exit_code, 0);
}

TEST(Export, placesThatCannotBeWrittenAreRefused) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run()).exit_code, 0);
  const auto exported_to = [&](const std::string& place) {
    return scripted.cli({"export", "last", "--format", "csv", "-o", place});
  };
  const Ended folder = exported_to((scripted.folder / "").string());
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_TRUE(holds(folder.err, "Is a directory")) << folder.err;
  const Ended nowhere = exported_to("/no/such/folder/out.csv");
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_TRUE(holds(nowhere.err, "No such file or directory")) << nowhere.err;
  const Ended full = exported_to("/dev/full");
  EXPECT_EQ(full.exit_code, 3);
  EXPECT_TRUE(holds(full.err, "No space left")) << full.err;
}

TEST(Trash, deleteHidesARunAndRestoreBringsItBack) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run()).exit_code, 0);
  const std::string id = id_of_last(scripted);
  const std::string hint = "switchscope-cli restore " + id + " --db " + scripted.database;
  const Ended deleted = scripted.cli({"delete", id});
  ASSERT_EQ(deleted.exit_code, 0);
  EXPECT_TRUE(holds(deleted.err, hint)) << deleted.err;
  EXPECT_EQ(scripted.cli({"list", "--json"}).out, "[]\n");
  EXPECT_EQ(parsed(scripted.cli({"list", "--deleted", "--json"}).out).at(0).at("deleted"), true);
  const Ended hidden = scripted.cli({"show", id});
  EXPECT_EQ(hidden.exit_code, 2);
  EXPECT_TRUE(holds(hidden.err, hint)) << hidden.err;
  ASSERT_EQ(scripted.cli({"restore", id}).exit_code, 0);
  EXPECT_EQ(scripted.cli({"show", id}).exit_code, 0);
}

TEST(Import, copiesRunsOnce) {
  const Scripted there;
  const Scripted here;
  ASSERT_EQ(there.cli(Scripted::short_run()).exit_code, 0);
  ASSERT_EQ(here.cli(Scripted::short_run()).exit_code, 0);
  const std::string id = id_of_last(there);
  const Ended first = here.cli({"import", there.database});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.out, id + "\n");
  EXPECT_EQ(here.cli({"show", id, "--json"}).out, there.cli({"show", id, "--json"}).out);
  const Ended again = here.cli({"import", there.database, "--json"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.out, "[]\n");
}

TEST(Import, aFailedOneLeavesNoNewDatabase) {
  const Scripted here;
  EXPECT_EQ(here.cli({"import", here.folder.file("no.db", "no database")}).exit_code, 5);
  EXPECT_EQ(here.cli({"import", (here.folder / "absent.db").string()}).exit_code, 5);
  EXPECT_FALSE(std::filesystem::exists(here.database));
}

TEST(Verify, aRunThatLostABlockIs5) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run()).exit_code, 0);
  SQLite::Database(scripted.database, SQLite::OPEN_READWRITE).exec("DELETE FROM block WHERE position = 0");
  const Ended ended = cli({"verify", scripted.database});
  EXPECT_EQ(ended.exit_code, 5);
  EXPECT_NE(ended.err, "");
  EXPECT_FALSE(holds(ended.err, "is whole")) << ended.err;
}

TEST(Verify, aWholeDatabaseIs0AndADamagedOne5) {
  const Scripted scripted;
  ASSERT_EQ(scripted.cli(Scripted::short_run()).exit_code, 0);
  const Ended whole = cli({"verify", scripted.database});
  EXPECT_EQ(whole.exit_code, 0);
  EXPECT_TRUE(holds(whole.err, "is whole")) << whole.err;
  std::fstream file(scripted.database, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096);
  file << std::string(4096, '\x5a');
  file.close();
  const Ended damaged = cli({"verify", scripted.database});
  EXPECT_EQ(damaged.exit_code, 5) << damaged.err;
  EXPECT_NE(damaged.err, "");
}

TEST(Describe, aRecordedMachineIsDescribedAsItWas) {
  const std::string recorded = std::string(SWITCHSCOPE_SOURCE_DIR) + "/tests/data/sysroots/wsl2";
  const Ended text = cli({"describe", "--sysroot", recorded, "--worker", program("switchscope-worker")});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(holds(text.out, "WSL2")) << text.out;
  const Ended document = cli({"describe", "--json", "--sysroot", recorded, "--worker", program("switchscope-worker")});
  ASSERT_TRUE(parsed(document.out).is_object()) << document.out;
  EXPECT_FALSE(parsed(document.out).contains("topology_xml"));
  EXPECT_TRUE(parsed(document.out).contains("hardware_counters"));
}

TEST(Presets, asJsonHaveSizesForTheMachine) {
  const Ended ended = cli({"presets", "--json", "--worker", program("switchscope-scripted-worker")});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  for (const auto& preset : parsed(ended.out)) {
    if (preset.at("name") == "l2-cliff") {
      EXPECT_EQ(preset.at("plan").at("sizes_bytes").front(), 16 * 1024) << "L2/32";
    }
    EXPECT_GT(preset.at("points").get<int>(), 0) << preset.at("name");
  }
}

TEST(PapersMethod, isMadeOverAPresetWithoutItsBudget) {
  const Scripted scripted;
  const Ended ended = scripted.cli({"run", "--preset", "paper-figure-1", "--method", "paper", "--json"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_NE(ended.err.find("43 points, three rounds of each, about "), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("Round 3 of 3 done"), std::string::npos) << ended.err;
  EXPECT_EQ(ended.err.find("Round 4"), std::string::npos) << ended.err;
  EXPECT_EQ(ended.err.find("waited for the limit"), std::string::npos) << ended.err;
  const json document = parsed(ended.out);
  EXPECT_EQ(document.at("run").at("plan").at("budget_s"), nullptr);
  EXPECT_EQ(document.at("points").size(), 43u);
  for (const auto& point : document.at("points")) {
    EXPECT_EQ(point.at("visits"), 3);
    EXPECT_EQ(point.at("stalls"), (json{{"throttled", 3}}));
  }
}

TEST(PapersMethod, tellsItsStallsBelowTheTable) {
  const Scripted scripted;
  const Ended ended = scripted.cli({"run", "--size", "0", "--method", "paper"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_NE(ended.out.find("throttled: 3 stalls in the rounds of the paper's method"), std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("those pairs are set aside"), std::string::npos) << ended.out;
}

TEST(PapersMethod, goesOnWithTheRoundsThatAreMissing) {
  const Scripted scripted;
  Command command(scripted.with_places({"run", "--size", "16KiB..256KiB", "--method", "paper", "--events"}),
                  Scripted::playing("--real-time"));
  ASSERT_TRUE(command.out_says("visit-ended"));
  command.send(SIGINT);
  const Ended stopped = command.wait();
  EXPECT_EQ(stopped.exit_code, 4) << stopped.err;
  const Ended resumed = scripted.cli({"resume", "last", "--json"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  const json document = parsed(resumed.out);
  for (const auto& point : document.at("points")) EXPECT_EQ(point.at("visits"), 3) << point;
}

} // namespace switchscope
