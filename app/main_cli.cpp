// switchscope-cli: arguments -> verb -> exit code. Whatever went wrong reaches the user here, as sentences.
#include "app/cli/arguments.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "app/cli/wording.h"
#include "engine/session/session.h"

#include <csignal>

using namespace switchscope;

namespace {

int ended(ExitCode code, const char* sentences) {
  say(as_sentences(sentences));
  return static_cast<int>(code);
}

int perform_command(int argc, const char* const* argv) {
  const auto parsed = parse_arguments(argc, argv);
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    write_data(help->text);
    return static_cast<int>(ExitCode::done);
  }
  const auto& arguments = std::get<Arguments>(parsed);
  return static_cast<int>(
      std::visit([&](const auto& verb) { return perform(arguments.common, verb); }, arguments.verb));
}

} // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN); // a reader that goes away ends its output, not the run
  std::signal(SIGXFSZ, SIG_IGN); // a limit on file sizes is said as any other full disk
  try {
    return perform_command(argc, argv);
  } catch (const Refusal& refusal) {
    return ended(refusal.code, refusal.what());
  } catch (const SessionRefusal& refusal) {
    const bool bad_plan = refusal.kind == SessionRefusal::Kind::bad_plan;
    return ended(bad_plan ? ExitCode::bad_arguments : ExitCode::cannot, refusal.what());
  } catch (const WorkerProblem& problem) {
    const bool by_user = problem.kind == WorkerProblem::Kind::stopped;
    return ended(by_user ? ExitCode::incomplete : ExitCode::cannot, problem.what());
  } catch (const StoreProblem& problem) {
    return ended(ExitCode::database, problem.what());
  } catch (const std::exception& unforeseen) {
    say("Something unforeseen went wrong, please report it:");
    return ended(ExitCode::cannot, unforeseen.what());
  }
}
