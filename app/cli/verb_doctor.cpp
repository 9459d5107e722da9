// doctor: what limits a measurement on a machine. It changes nothing there.
#include "app/cli/database.h"
#include "app/cli/doctor_text.h"
#include "app/cli/measured_machine.h"
#include "app/cli/output.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"
#include "engine/machine/core_sharing.h"
#include "engine/model/utc.h"
#include "engine/session/machine_checks.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <unistd.h>
#include <utility>

namespace switchscope {

namespace {

constexpr std::int64_t probe_ns = 2'000'000'000; // in all, however many CPUs are judged

void put(CoreSharing sharing, Environment& machine) {
  auto& known = machine.core_sharing;
  std::erase_if(known, [&](const CoreSharing& each) { return each.cpu == sharing.cpu; });
  known.push_back(std::move(sharing));
  std::sort(known.begin(), known.end(), [](const auto& a, const auto& b) { return a.cpu < b.cpu; });
}

bool tells_anything(const CoreSharing& sharing) {
  return std::any_of(sharing.neighbours.begin(), sharing.neighbours.end(),
                     [](const CoreNeighbour& each) { return each.verdict != Sharing::cannot_tell; });
}

// Throws WorkerProblem. What cannot be probed is told in `not_probed`.
void probe(OpenedWorker& worker, std::optional<Store>& store, Diagnosis& diagnosis) {
  for (const int cpu : diagnosis.cpus) {
    SharesRequest request;
    request.cpu = cpu;
    request.candidates = sharing_candidates(diagnosis.machine, cpu);
    request.duration_ns =
        std::max<std::int64_t>(probe_ns / static_cast<std::int64_t>(diagnosis.cpus.size()), probe_ns / 8);
    if (request.candidates.empty()) {
      diagnosis.not_probed = "there is no other CPU that could share its core";
      continue;
    }
    const auto outcome = worker.probe_sharing(request);
    if (const auto* failure = std::get_if<VisitFailure>(&outcome)) {
      diagnosis.not_probed = failure->message;
      continue;
    }
    CoreSharing sharing = sharing_from(std::get<SharingLine>(outcome), request.candidates.size(), utc_now_text());
    if (const CoreSharing* earlier = sharing_of(diagnosis.machine, cpu);
        earlier != nullptr && !tells_anything(sharing)) {
      diagnosis.not_probed =
          fmt::format("too much else runs now to tell who shares the core of CPU {}; what is shown is "
                      "of {}",
                      cpu, earlier->taken_at);
      continue;
    }
    if (store) remember_sharing(diagnosis.machine, sharing, *store);
    put(std::move(sharing), diagnosis.machine);
  }
}

void refuse_unusable(const Environment& machine, const std::vector<int>& cpus) {
  Plan plan;
  plan.placements.clear();
  for (const int cpu : cpus) plan.placements.push_back({Placement::Kind::same_cpu, cpu, cpu});
  for (const auto& problem : problems_on(machine, plan))
    if (problem.field == "cpu") throw Refusal(ExitCode::bad_arguments, "--cpu: " + problem.message + '.');
}

void choose(const DoctorVerb& verb, Diagnosis& diagnosis) {
  diagnosis.chosen = choose_cpu(diagnosis.machine);
  diagnosis.cpus = verb.cpus.empty() ? std::vector<int>{diagnosis.chosen.cpu} : verb.cpus;
  refuse_unusable(diagnosis.machine, verb.cpus);
}

// Alone on the machine, for a neighbour that measures would look like one that shares the core.
Diagnosis examine_and_probe(const CommonOptions& common, const DoctorVerb& verb, std::optional<Store>& store) {
  Diagnosis diagnosis;
  StopSignals signals;
  OpenedWorker worker(common, verb.worker, signals);
  diagnosis.machine = worker.describe();
  if (store) diagnosis.machine = with_stored_checks(std::move(diagnosis.machine), *store);
  choose(verb, diagnosis);
  if (can_be_measured(diagnosis.machine)) probe(worker, store, diagnosis);
  diagnosis.chosen = choose_cpu(diagnosis.machine); // now that it is known what shares a core
  return diagnosis;
}

Diagnosis examine(Environment machine, const DoctorVerb& verb, const std::string& why_not_probed) {
  Diagnosis diagnosis;
  diagnosis.machine = std::move(machine);
  choose(verb, diagnosis);
  diagnosis.not_probed = why_not_probed;
  return diagnosis;
}

// A machine can be examined without a database; what was found is then not kept.
std::optional<Store> store_if_there_is_one(const CommonOptions& common) {
  try {
    return open_for_writing(common);
  } catch (const StoreProblem& problem) {
    say(problem.what());
    return std::nullopt;
  }
}

Diagnosis diagnosis_of(const CommonOptions& common, const DoctorVerb& verb) {
  if (!common.sysroot.empty())
    return examine(describe_with_stored_checks(common, verb.worker), verb, "a recorded machine runs nothing");
  std::optional<Store> store = store_if_there_is_one(common);
  try {
    return examine_and_probe(common, verb, store);
  } catch (const WorkerProblem& problem) {
    if (problem.kind != WorkerProblem::Kind::busy) throw;
    Environment machine = describe_without_measuring(common, verb.worker);
    if (store) machine = with_stored_checks(std::move(machine), *store);
    return examine(std::move(machine), verb, problem.what());
  }
}

bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR"); // https://no-color.org
  return is_terminal(STDOUT_FILENO) && (no_colour == nullptr || *no_colour == '\0');
}

} // namespace

ExitCode perform(const CommonOptions& common, const DoctorVerb& verb) {
  Diagnosis diagnosis = diagnosis_of(common, verb);
  diagnosis.findings = readiness(diagnosis.machine, diagnosis.cpus, worker_path(common, verb.worker));
  write_data(common.json ? doctor_document(diagnosis).dump(2) + '\n' : doctor_text(diagnosis, wants_colour()));
  return can_be_measured(diagnosis.machine) ? ExitCode::done : ExitCode::cannot;
}

} // namespace switchscope
