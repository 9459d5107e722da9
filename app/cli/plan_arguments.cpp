#include "app/cli/plan_arguments.h"

#include "app/cli/argument_values.h"

namespace switchscope {

CLI::Option* add_text(CLI::App* verb, const std::string& names, const std::string& kind, const std::string& help,
                      const std::function<void(const std::string&)>& use) {
  return verb->add_option_function<std::string>(names, use, help)->type_name(kind);
}

namespace {

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

} // namespace

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
             if (*plan.sessions < 1) refuse_option("sessions", "Give 1 or more.");
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

} // namespace switchscope
