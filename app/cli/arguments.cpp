#include "app/cli/arguments.h"

#include "app/cli/argument_values.h"
#include "app/cli/outcome.h"
#include "app/cli/plan_arguments.h"
#include "engine/model/in_quotes.h"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <chrono>
#include <functional>
#include <map>
#include <sstream>

namespace switchscope {

namespace {

std::uint64_t seed_from_clock() {
  // 32 bits are plenty to tell runs apart, and short enough to type again.
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count()) & 0xffff'ffffu;
}

void add_common(CLI::App* verb, CommonOptions& common) {
  add_text(verb, "--db", "FILE", "the database; default $XDG_DATA_HOME/switchscope/switchscope.db",
           [&common](const std::string& path) {
             if (path.empty()) refuse_option("db", "The path is empty. Give a file.");
             common.database = path;
           });
  verb->add_option("--progress", common.progress, "auto (a bar on a terminal, else lines), plain, none")
      ->type_name("WORD")
      ->check(CLI::IsMember({"auto", "plain", "none"}));
}

void add_json(CLI::App* verb, CommonOptions& common) {
  verb->add_flag("--json", common.json, "data as JSON on the standard output");
}

void add_worker_place(CLI::App* verb, CommonOptions& common) {
  add_text(verb, "--worker", "PATH", "the worker; default beside this program, then ../libexec/switchscope/",
           [&common](const std::string& path) {
             if (path.empty()) refuse_option("worker", "The path is empty. Give the program switchscope-worker.");
             common.worker = path;
           });
  add_text(verb, "--sysroot", "DIR", "read /proc and /sys of the machine from this recorded tree (for tests)",
           [&common](const std::string& directory) {
             if (directory.empty())
               refuse_option("sysroot", "The path is empty. Give the folder of a recorded machine.");
             common.sysroot = directory;
           });
}

void add_worker(CLI::App* verb, CommonOptions& common, WorkerOptions& worker) {
  add_worker_place(verb, common);
  add_text(verb, "--worker-launcher", "'WORDS'", "start the worker through this command: 'ssh host'",
           [&worker](const std::string& text) { worker.launcher = launcher_of(text); });
  verb->add_flag("--wait", worker.wait, "queue while another measurement holds the machine");
}

void add_run_operand(CLI::App* verb, std::string& run) {
  verb->add_option("RUN", run, "an id, the start of one, a name, or last")->required();
}

// One value per verb; the one whose verb was given becomes the result.
struct Verbs {
  RunVerb run;
  ResumeVerb resume;
  ListVerb list;
  ShowVerb show;
  ExportVerb export_run;
  PresetsVerb presets;
  ImportVerb import;
  DeleteVerb remove;
  RestoreVerb restore;
  VerifyVerb verify;
  DescribeVerb describe;
  DoctorVerb doctor;
  SelftestVerb selftest;
};

using Chosen = std::map<const CLI::App*, std::function<Verb()>>;

Chosen add_measuring_verbs(CLI::App& app, CommonOptions& common, Verbs& verbs) {
  Chosen chosen;
  auto* run = app.add_subcommand("run", "Measure a plan, store every visit, print the costs.");
  add_plan(run, verbs.run.plan);
  add_worker(run, common, verbs.run.worker);
  auto* events = run->add_flag("--events", verbs.run.events, "every event as a JSON line on the standard output");
  run->add_flag("--emulated-anyway", verbs.run.emulated_anyway, "even where instructions are emulated");
  add_json(run, common);
  events->excludes(run->get_option("--json"));
  chosen[run] = [&verbs] { return verbs.run; };

  auto* resume = app.add_subcommand("resume", "Go on with a run that ended early, or add a session to a run.");
  add_run_operand(resume, verbs.resume.run);
  add_worker(resume, common, verbs.resume.worker);
  resume->add_flag("--new-session", verbs.resume.new_session, "begin another session, also of a completed run");
  resume->add_flag("--anyway", verbs.resume.anyway, "even where CPU model, kernel, mitigations or worker differ");
  events = resume->add_flag("--events", verbs.resume.events, "every event as a JSON line on the standard output");
  add_json(resume, common);
  events->excludes(resume->get_option("--json"));
  chosen[resume] = [&verbs] { return verbs.resume; };

  auto* selftest = app.add_subcommand("selftest", "Check the instrument against what is known, 10 s for each CPU.");
  add_text(selftest, "--cpu", "LIST", "1, auto; default auto",
           [&verbs](const std::string& text) { verbs.selftest.placements = placements_on_one_cpu(text); });
  add_text(selftest, "--seed", "N", "of the order of visits; default from the clock, stored",
           [&verbs](const std::string& text) { verbs.selftest.seed = whole_number<std::uint64_t>("seed", text); });
  add_worker(selftest, common, verbs.selftest.worker);
  selftest->add_flag("--emulated-anyway", verbs.selftest.emulated_anyway, "even where instructions are emulated");
  add_json(selftest, common);
  chosen[selftest] = [&verbs] { return verbs.selftest; };
  return chosen;
}

Chosen add_reading_verbs(CLI::App& app, CommonOptions& common, Verbs& verbs) {
  Chosen chosen;
  auto* list = app.add_subcommand("list", "Stored runs, newest first.");
  list->add_flag("--deleted", verbs.list.with_deleted, "those in the trash too");
  add_json(list, common);
  chosen[list] = [&verbs] { return verbs.list; };

  auto* show = app.add_subcommand("show", "A stored run's costs.");
  add_run_operand(show, verbs.show.run);
  auto* plot = show->add_flag("--plot", verbs.show.plot, "the curve, drawn in the terminal");
  show->add_flag("--ascii", verbs.show.ascii, "draw the curve without braille characters")->needs(plot);
  auto* visits = show->add_flag("--visits", verbs.show.visits, "each visit, with what the machine was like around it");
  add_json(show, common);
  visits->excludes(show->get_option("--json"));
  plot->excludes(show->get_option("--json"));
  chosen[show] = [&verbs] { return verbs.show; };

  auto* export_run = app.add_subcommand("export", "A stored run as a file for other programs.");
  add_run_operand(export_run, verbs.export_run.run);
  export_run
      ->add_option("--format", verbs.export_run.format, "json, csv (one row a point), blocks-csv (one row a block)")
      ->type_name("WORD")
      ->required()
      ->check(CLI::IsMember({"json", "csv", "blocks-csv"}));
  add_text(export_run, "-o,--output", "FILE", "the file; - is the standard output", [&verbs](const std::string& path) {
    if (path.empty()) refuse_option("output", "The path is empty. Give a file, or - for the standard output.");
    verbs.export_run.output = path;
  })->default_str("-");
  chosen[export_run] = [&verbs] { return verbs.export_run; };

  auto* presets = app.add_subcommand("presets", "The built-in plans.");
  add_worker_place(presets, common);
  add_json(presets, common);
  chosen[presets] = [&verbs] { return verbs.presets; };

  auto* describe = app.add_subcommand("describe", "This machine as a run would store it, and what limits it.");
  add_worker_place(describe, common);
  add_json(describe, common);
  chosen[describe] = [&verbs] { return verbs.describe; };

  auto* doctor = app.add_subcommand("doctor", "What limits the precision of a measurement here, and how to change it.");
  add_text(doctor, "--cpu", "LIST", "the CPUs to judge; default the one that auto stands for",
           [&verbs](const std::string& text) { verbs.doctor.cpus = cpus_of(text); });
  add_worker(doctor, common, verbs.doctor.worker);
  add_json(doctor, common);
  chosen[doctor] = [&verbs] { return verbs.doctor; };
  return chosen;
}

Chosen add_keeping_verbs(CLI::App& app, CommonOptions& common, Verbs& verbs) {
  Chosen chosen;
  auto* import = app.add_subcommand("import", "Copy the runs of another Switchscope database.");
  import->add_option("FILE", verbs.import.file, "the other database")->required();
  add_json(import, common);
  chosen[import] = [&verbs] { return verbs.import; };

  auto* remove = app.add_subcommand("delete", "Move a run to the trash.");
  add_run_operand(remove, verbs.remove.run);
  chosen[remove] = [&verbs] { return verbs.remove; };

  auto* restore = app.add_subcommand("restore", "Take a run out of the trash.");
  add_run_operand(restore, verbs.restore.run);
  chosen[restore] = [&verbs] { return verbs.restore; };

  auto* verify = app.add_subcommand("verify", "Check that a database is whole.");
  verify->add_option("FILE", verbs.verify.file, "the database; default that of --db");
  chosen[verify] = [&verbs] { return verbs.verify; };
  return chosen;
}

constexpr const char* footer = R"(
Data go to the standard output, everything else to the standard error.
Exit: 0 done; 2 bad arguments or plan; 3 this machine cannot do it, or a --require was not met;
4 ended before every point had an estimate (stored; prints how to resume); 5 the database cannot be used;
6 selftest: too noisy to tell.)";

// Behind a launcher the folder lies on the other machine.
void refuse_empty_sysroot(const Arguments& arguments) {
  const auto is_far = [](const auto& verb) {
    if constexpr (requires { verb.worker.launcher; })
      return !verb.worker.launcher.empty();
    else
      return false;
  };
  if (std::visit(is_far, arguments.verb)) return;
  const std::filesystem::path root = arguments.common.sysroot;
  std::error_code error;
  if (root.empty() || std::filesystem::is_directory(root / "proc", error) ||
      std::filesystem::is_directory(root / "sys", error))
    return;
  refuse_option("sysroot", fmt::format("{} holds neither proc nor sys. Give the folder that holds the recorded ones.",
                                       in_quotes(root.string())));
}

void settle(Arguments& arguments) {
  refuse_empty_sysroot(arguments);
  if (auto* run = std::get_if<RunVerb>(&arguments.verb)) {
    if (!run->plan.seed) run->plan.seed = seed_from_clock();
    refuse_bad_plan(run->plan);
  }
  if (auto* selftest = std::get_if<SelftestVerb>(&arguments.verb))
    if (!selftest->seed) selftest->seed = seed_from_clock();
}

std::string sentence_of(const CLI::ParseError& error) {
  const std::string text = error.what();
  if (const auto at = text.find(": At Most 1 required"); at != std::string::npos)
    return text.substr(0, at) + " is given more than once. Give it once; where it takes a list, a comma makes one.";
  return text.empty() || text.back() == '.' ? text : text + '.';
}

} // namespace

std::variant<Arguments, HelpText> parse_arguments(int argc, const char* const* argv) {
  Arguments arguments;
  Verbs verbs;
  CLI::App app("Measures what a context switch really costs: directly, and through the caches.", "switchscope-cli");
  app.set_version_flag("--version", "switchscope-cli " SWITCHSCOPE_VERSION);
  app.require_subcommand(0, 1);
  app.footer(footer);
  add_common(&app, arguments.common);
  Chosen chosen = add_measuring_verbs(app, arguments.common, verbs);
  chosen.merge(add_reading_verbs(app, arguments.common, verbs));
  chosen.merge(add_keeping_verbs(app, arguments.common, verbs));
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) add_common(verb, arguments.common);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      std::ostringstream help;
      app.exit(error, help, help);
      return HelpText{help.str()};
    }
    throw Refusal(ExitCode::bad_arguments, sentence_of(error) + "\nSee switchscope-cli --help.");
  }
  if (app.get_subcommands().empty())
    throw Refusal(ExitCode::bad_arguments, "Say what to do, for instance: switchscope-cli run --preset quick\n"
                                           "See switchscope-cli --help.");
  arguments.verb = chosen.at(app.get_subcommands().front())();
  settle(arguments);
  return arguments;
}

} // namespace switchscope
