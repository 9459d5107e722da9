#include "app/cli/arguments.h"

#include "app/cli/outcome.h"
#include "engine/model/in_quotes.h"
#include "engine/model/quantity.h"

#include <CLI/CLI.hpp>
#include <boost/tokenizer.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <sstream>

namespace switchscope {

namespace {

[[noreturn]] void refuse(std::string_view option, const std::string& sentence) {
  throw Refusal(ExitCode::bad_arguments, fmt::format("--{}: {}", option, sentence));
}

template <class T> T value_of(std::string_view option, Parsed<T> parsed) {
  if (const auto* error = std::get_if<ParseError>(&parsed)) refuse(option, error->message);
  return std::get<T>(std::move(parsed));
}

std::vector<std::string> words_of(std::string_view option, const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  if (text.empty() || text.back() == ',' || std::find(words.begin(), words.end(), "") != words.end())
    refuse(option, in_quotes(text) + " has an empty place in its list.");
  return words;
}

template <class T> void add_once(std::vector<T>& values, const T& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

template <class Choice> Choice choice_of(std::string_view option, const std::string& word) {
  if (const auto choice = parse_name<Choice>(word)) return *choice;
  refuse(option, fmt::format("{} is not known. Give {}.", in_quotes(word), names_listed<Choice>()));
}

template <class Choice> std::vector<Choice> choices_of(std::string_view option, const std::string& text) {
  std::vector<Choice> choices;
  for (const auto& word : words_of(option, text)) add_once(choices, choice_of<Choice>(option, word));
  return choices;
}

std::vector<Placement> placements_of(const std::string& text) {
  std::vector<Placement> placements;
  for (const auto& word : words_of("cpu", text)) {
    const auto placement = parse_placement(word);
    if (!placement)
      refuse("cpu", fmt::format("{} is no placement. Give 1 (both tasks there), 0:1 (one task on each), free or "
                                "auto; a comma makes a list.",
                                in_quotes(word)));
    add_once(placements, *placement);
  }
  return placements;
}

// Each CPU that is named, once: "1,0:2" are 1, 0 and 2; "auto" adds none.
std::vector<int> cpus_of(const std::string& text) {
  std::vector<int> cpus;
  for (const Placement& placement : placements_of(text)) {
    if (placement.kind == Placement::Kind::free)
      refuse("cpu", "\"free\" is no CPU. Give CPUs such as 1 or 0,2, or auto.");
    for (const int cpu : {placement.cpu_a, placement.cpu_b})
      if (cpu >= 0) add_once(cpus, cpu);
  }
  return cpus;
}

// A switch is between two tasks on one CPU; nothing else can be checked.
std::vector<Placement> placements_on_one_cpu(const std::string& text) {
  const auto placements = placements_of(text);
  for (const Placement& placement : placements)
    if (placement.kind != Placement::Kind::same_cpu && placement.kind != Placement::Kind::automatic)
      refuse("cpu", in_quotes(text_of(placement)) + " is not one CPU. Give CPUs such as 1,2, or auto.");
  return placements;
}

Requirements requirements_of(const std::string& text) {
  Requirements require;
  const std::map<std::string, bool Requirements::*> members{{"precision", &Requirements::precision},
                                                            {"fifo", &Requirements::fifo},
                                                            {"pages", &Requirements::pages},
                                                            {"clean", &Requirements::clean}};
  for (const auto& word : words_of("require", text)) {
    const auto member = members.find(word);
    if (member == members.end())
      refuse("require", in_quotes(word) + " is not known. Give precision, fifo, pages or clean.");
    require.*(member->second) = true;
  }
  return require;
}

// Words as a shell would split them, so that 'ssh -o "ProxyCommand x y" host' works.
std::vector<std::string> launcher_of(const std::string& text) {
  std::vector<std::string> words;
  try {
    const boost::escaped_list_separator<char> separator("\\", " \t", "\"'");
    const boost::tokenizer<boost::escaped_list_separator<char>> tokens(text, separator);
    std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(words),
                 [](const std::string& word) { return !word.empty(); });
  } catch (const boost::escaped_list_error&) {
    refuse("worker-launcher", in_quotes(text) + " ends in the middle of an escape.");
  }
  if (words.empty()) refuse("worker-launcher", "The launcher is empty. Give a command such as 'ssh host'.");
  return words;
}

template <class Number> Number whole_number(std::string_view option, const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    refuse(option, in_quotes(text) + " is no whole number of the range that can be used.");
  return number;
}

std::uint64_t seed_from_clock() {
  // 32 bits are plenty to tell runs apart, and short enough to type again.
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count()) & 0xffff'ffffu;
}

using Use = std::function<void(const std::string&)>;

CLI::Option* add_text(CLI::App* verb, const std::string& names, const std::string& kind, const std::string& help,
                      const Use& use) {
  return verb->add_option_function<std::string>(names, use, help)->type_name(kind);
}

void add_axes(CLI::App* verb, PlanOptions& plan) {
  const std::string axes = "What to measure (a comma is always a list)";
  add_text(verb, "--size", "LIST",
           "bytes per task: 64KiB,256KiB or 1KiB..4MiB:2 (points per octave); 0: the switch alone",
           [&plan](const std::string& text) { plan.sizes_bytes = value_of("size", parse_bytes_list(text)); })
      ->group(axes);
  add_text(verb, "--stride", "LIST", "bytes between elements visited in turn, default 128B",
           [&plan](const std::string& text) { plan.strides_bytes = value_of("stride", parse_bytes_list(text)); })
      ->group(axes);
  add_text(verb, "--access", "LIST", "read, write, rmw; default rmw", [&plan](const std::string& text) {
    plan.accesses = choices_of<Access>("access", text);
  })->group(axes);
  add_text(verb, "--pattern", "LIST", "strided (the paper's), sparse, random; default strided",
           [&plan](const std::string& text) { plan.patterns = choices_of<Pattern>("pattern", text); })
      ->group(axes);
  add_text(verb, "--cpu", "LIST", "1 (both tasks there), 0:1 (one each: wake-up latency), free, auto; default auto",
           [&plan](const std::string& text) { plan.placements = placements_of(text); })
      ->group(axes);
  add_text(verb, "--pages", "LIST", "4k, thp, hugetlb; default 4k", [&plan](const std::string& text) {
    plan.pages = choices_of<PageMode>("pages", text);
  })->group(axes);
  add_text(verb, "--mechanism", "LIST", "pipe", [&plan](const std::string& text) {
    plan.mechanisms = choices_of<Mechanism>("mechanism", text);
  })->group(axes);
  add_text(verb, "--tasks", "LIST", "process, thread; default process", [&plan](const std::string& text) {
    plan.tasks = choices_of<TaskKind>("tasks", text);
  })->group(axes);
  add_text(verb, "--kernel", "LIST", "traversal loop: scalar, vector; default vector",
           [&plan](const std::string& text) { plan.kernels = choices_of<Kernel>("kernel", text); })
      ->group(axes);
  add_text(verb, "--method", "LIST", "paired, paper (as in 2007: three rounds, no interval); default paired",
           [&plan](const std::string& text) { plan.methods = choices_of<Method>("method", text); })
      ->group(axes);
  add_text(verb, "--policy", "WORD", "auto, fifo, rr, other; default auto (fifo where allowed)",
           [&plan](const std::string& text) { plan.policy = choice_of<Policy>("policy", text); })
      ->group(axes);
}

void add_plan(CLI::App* verb, PlanOptions& plan) {
  const std::string source = "Where the plan comes from (axes given beside it are put over it)";
  auto* preset = verb->add_option("--preset", plan.preset, "a built-in plan; see switchscope-cli presets")
                     ->type_name("NAME")
                     ->group(source);
  add_text(verb, "--plan", "FILE", "a plan as JSON, or the JSON of a run",
           [&plan](const std::string& path) {
             const PlanFile file = read_plan_file(path);
             plan.file_plan = file.plan;
             if (file.has_seed && !plan.seed) plan.seed = file.plan.seed;
           })
      ->group(source)
      ->excludes(preset);
  add_axes(verb, plan);

  const std::string how = "How long and how well";
  add_text(verb, "--budget", "TIME",
           "measure this long, in each session: 60s, 500ms, 10min; default 30s, or 60s beside --precision",
           [&plan](const std::string& text) { plan.budget_s = value_of("budget", parse_seconds(text)); })
      ->group(how);
  add_text(verb, "--precision", "RATIO", "stop when every half-width is this small: 2% or 0.02",
           [&plan](const std::string& text) { plan.precision_ratio = value_of("precision", parse_ratio(text)); })
      ->group(how);
  add_text(verb, "--add-points", "N",
           "add up to N points where a curve changes; default by the preset, 0 beside --size; 0: none",
           [&plan](const std::string& text) { plan.max_added_points = whole_number<int>("add-points", text); })
      ->group(how);
  add_text(
      verb, "--edge-resolution", "N", "points per octave to which added points tell a cliff's edges; default 8",
      [&plan](const std::string& text) { plan.edge_points_per_octave = whole_number<int>("edge-resolution", text); })
      ->group(how);
  add_text(verb, "--seed", "N", "of the order of visits and the lengths of blocks; default from the clock, stored",
           [&plan](const std::string& text) { plan.seed = whole_number<std::uint64_t>("seed", text); })
      ->group(how);
  add_text(verb, "--sessions", "N", "measure the plan N times; --budget and --precision are for each; default 1",
           [&plan](const std::string& text) {
             plan.sessions = whole_number<int>("sessions", text);
             if (*plan.sessions < 1) refuse("sessions", "Give 1 or more.");
           })
      ->group(how);
  add_text(verb, "--every", "TIME", "from one session's beginning to the next: 10min; default at once",
           [&plan](const std::string& text) { plan.session_interval_s = value_of("every", parse_seconds(text)); })
      ->group(how);
  add_text(verb, "--require", "LIST", "exit 3 when not met: precision, fifo, pages, clean",
           [&plan](const std::string& text) { plan.require = requirements_of(text); })
      ->group(how);
  add_text(verb, "--name", "TEXT", "of the run", [&plan](const std::string& text) { plan.name = text; })->group(how);
}

void add_common(CLI::App* verb, CommonOptions& common) {
  add_text(verb, "--db", "FILE", "the database; default $XDG_DATA_HOME/switchscope/switchscope.db",
           [&common](const std::string& path) {
             if (path.empty()) refuse("db", "The path is empty. Give a file.");
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
             if (path.empty()) refuse("worker", "The path is empty. Give the program switchscope-worker.");
             common.worker = path;
           });
  add_text(verb, "--sysroot", "DIR", "read /proc and /sys of the machine from this recorded tree (for tests)",
           [&common](const std::string& directory) {
             if (directory.empty()) refuse("sysroot", "The path is empty. Give the folder of a recorded machine.");
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
    if (path.empty()) refuse("output", "The path is empty. Give a file, or - for the standard output.");
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
6 too noisy to tell.)";

// Behind a launcher the folder lies on the other machine.
void refuse_empty_sysroot(const Arguments& arguments) {
  const auto is_far = [](const auto* verb) { return verb != nullptr && !verb->worker.launcher.empty(); };
  if (is_far(std::get_if<RunVerb>(&arguments.verb)) || is_far(std::get_if<ResumeVerb>(&arguments.verb))) return;
  const std::filesystem::path root = arguments.common.sysroot;
  std::error_code error;
  if (root.empty() || std::filesystem::is_directory(root / "proc", error) ||
      std::filesystem::is_directory(root / "sys", error))
    return;
  refuse("sysroot", fmt::format("{} holds neither proc nor sys. Give the folder that holds the recorded ones.",
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
