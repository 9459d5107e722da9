// Commands over the scripted worker: quick, and with a known answer (2.5 µs below 256 KiB, 6.5 µs from 512 KiB).
#pragma once

#include "tests/cli/command.h"

#include <string>
#include <vector>

namespace switchscope {

struct Scripted {
  TestFolder folder;
  std::string database = (folder / "runs.db").string();

  // The arguments, then --db and --worker.
  [[nodiscard]] std::vector<std::string> with_places(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--db", database});
    const bool speaks = arguments.front() == "run" || arguments.front() == "resume";
    if (speaks) arguments.insert(arguments.end(), {"--worker", program("switchscope-scripted-worker")});
    return arguments;
  }
  [[nodiscard]] static Command::Surroundings playing(const std::string& script) {
    Command::Surroundings around;
    around.environment["SWITCHSCOPE_SCRIPT"] = script;
    return around;
  }
  [[nodiscard]] Ended cli(const std::vector<std::string>& arguments, const std::string& script = "") const {
    return Command(with_places(arguments), playing(script)).wait();
  }
  // Three points in about 0.1 s. Without a real-time policy, so that no throttle account makes it wait.
  [[nodiscard]] static std::vector<std::string> short_run(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"run",    "--size", "64KiB,512KiB", "--policy", "other", "--budget", "100ms",
                                       "--seed", "7",      "--progress",   "none"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

} // namespace switchscope
