// The command as a user without any right: no capabilities, no real-time priority, copies of the programs and a folder
// of his own.
#pragma once

#include "tests/cli/command.h"

#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace switchscope {

struct Unprivileged {
  static constexpr unsigned user = 65534;
  TestFolder folder;
  std::filesystem::path home = folder / "home";
  std::string database = (home / "runs.db").string();
  bool possible = ::geteuid() == 0; // only root can become another user

  Unprivileged() {
    std::filesystem::create_directory(home);
    if (!possible) return;
    for (const char* name : {"switchscope-cli", "switchscope-worker", "switchscope-scripted-worker"})
      if (std::filesystem::exists(program(name))) std::filesystem::copy_file(program(name), folder / name);
    possible = ::chmod((folder / "").c_str(), 0755) == 0 && ::chown(home.c_str(), user, user) == 0;
  }

  // Without --db and --worker the arguments stand for themselves.
  [[nodiscard]] Ended cli(const std::vector<std::string>& arguments) const {
    Command::Surroundings around;
    around.program = (folder / "switchscope-cli").string();
    around.environment = {{"HOME", home.string()}, {"XDG_DATA_HOME", ""}};
    around.through = {"prlimit",       "--rtprio=0:0",   "--memlock=65536:65536", "setpriv",        "--reuid=65534",
                      "--regid=65534", "--clear-groups", "--bounding-set=-all",   "--inh-caps=-all"};
    return Command(arguments, around).wait();
  }
};

} // namespace switchscope
