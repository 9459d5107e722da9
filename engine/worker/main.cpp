// switchscope-worker: the program that measures. Every answer is one line of JSON: docs/protocol.md.
#include "engine/worker/describe.h"
#include "engine/worker/host.h"
#include "engine/worker/lines.h"

#include <algorithm>
#include <string>
#include <unistd.h>
#include <vector>

namespace switchscope {
namespace {

int refuse(const std::string& sentence) {
  write_event(WorkerError{0, "arguments", sentence});
  return exit_bad_arguments;
}

// Takes "--wait" out of the arguments.
bool take_flag(std::vector<std::string>& arguments, const std::string& flag) {
  return std::erase(arguments, flag) > 0;
}

// Takes "--sysroot DIR" out; false when DIR is missing.
bool take_sysroot(std::vector<std::string>& arguments, std::string& sysroot) {
  const auto at = std::find(arguments.begin(), arguments.end(), "--sysroot");
  if (at == arguments.end()) return true;
  if (at + 1 == arguments.end()) return false;
  sysroot = *(at + 1);
  arguments.erase(at, at + 2);
  return true;
}

int run(std::vector<std::string> arguments) {
  const std::string usage = "usage: switchscope-worker hello | describe [--sysroot DIR] | "
                            "switch-cost [--wait] OPTIONS | shares [--wait] OPTIONS | serve [--wait] [--sysroot DIR]";
  if (arguments.empty()) return refuse("no verb given; " + usage);
  const std::string verb = arguments.front();
  if (verb == "--help") return write_text(usage + "\n") ? exit_ok : exit_failed;
  arguments.erase(arguments.begin());

  if (verb == "switch-cost") {
    const bool wait = take_flag(arguments, "--wait");
    const auto request = parse_argv(arguments);
    if (const auto* const error = std::get_if<DecodeError>(&request)) return refuse(error->message);
    return obey_once(MeasureCommand{1, std::get<VisitRequest>(request)}, wait);
  }
  if (verb == "shares") {
    const bool wait = take_flag(arguments, "--wait");
    const auto request = parse_shares_argv(arguments);
    if (const auto* const error = std::get_if<DecodeError>(&request)) return refuse(error->message);
    return obey_once(SharesCommand{1, std::get<SharesRequest>(request)}, wait);
  }
  const bool wait = verb == "serve" && take_flag(arguments, "--wait");
  std::string sysroot;
  if ((verb == "serve" || verb == "describe") && !take_sysroot(arguments, sysroot))
    return refuse("--sysroot needs a directory");
  if (verb != "serve" && verb != "describe" && verb != "hello")
    return refuse("unknown verb \"" + verb + "\"; " + usage);
  if (!arguments.empty()) return refuse(verb + " does not know \"" + arguments.front() + "\"; " + usage);
  if (verb == "serve") return serve(wait, sysroot);
  if (!write_event(hello_of_this_worker())) return exit_failed;
  if (verb == "describe" && !write_event(collect_facts(sysroot))) return exit_failed;
  return exit_ok;
}

} // namespace
} // namespace switchscope

int main(int count, char** values) {
  return switchscope::run({values + 1, values + std::max(count, 1)});
}
