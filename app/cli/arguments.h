// The command line as values. Everything that can be judged without the machine or the database is judged here.
#pragma once

#include "app/cli/plan_options.h"

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace switchscope {

struct CommonOptions {
  std::filesystem::path database; // empty: the default place
  std::string progress = "auto";  // "auto", "plain" or "none"
  std::filesystem::path worker;   // empty: found beside this program
  std::string sysroot;            // empty: the machine's own /proc and /sys
  bool json = false;
};

struct WorkerOptions {
  std::vector<std::string> launcher; // words put before the worker's command; empty: none
  bool wait = false;                 // queue while another measurement holds the machine
};

struct RunVerb {
  PlanOptions plan;
  WorkerOptions worker;
  bool events = false;
  bool emulated_anyway = false;
};
struct ResumeVerb {
  std::string run;
  WorkerOptions worker;
  bool events = false;
  bool anyway = false;
  bool new_session = false;
};
struct ListVerb {
  bool with_deleted = false;
};
struct ShowVerb {
  std::string run;
  bool plot = false;
  bool ascii = false;
  bool visits = false;
};
struct ExportVerb {
  std::string run;
  std::string format;                 // "json", "csv" or "blocks-csv"
  std::filesystem::path output = "-"; // "-": stdout
};
struct PresetsVerb {};
struct ImportVerb {
  std::filesystem::path file;
};
struct DeleteVerb {
  std::string run;
};
struct RestoreVerb {
  std::string run;
};
struct VerifyVerb {
  std::filesystem::path file;
};
struct DescribeVerb {};
struct DoctorVerb {
  std::vector<int> cpus; // to be judged; empty: the one `auto` stands for
  WorkerOptions worker;
};
struct SelftestVerb {
  std::vector<Placement> placements; // on one CPU each, or automatic; empty: automatic
  std::optional<std::uint64_t> seed;
  WorkerOptions worker;
  bool emulated_anyway = false;
};

using Verb = std::variant<RunVerb, ResumeVerb, ListVerb, ShowVerb, ExportVerb, PresetsVerb, ImportVerb, DeleteVerb,
                          RestoreVerb, VerifyVerb, DescribeVerb, DoctorVerb, SelftestVerb>;

struct Arguments {
  CommonOptions common;
  Verb verb;
};

struct HelpText { // --help or --version was asked: goes to stdout, exit 0
  std::string text;
};

// Throws Refusal (bad_arguments) with a sentence.
[[nodiscard]] std::variant<Arguments, HelpText> parse_arguments(int argc, const char* const* argv);

} // namespace switchscope
