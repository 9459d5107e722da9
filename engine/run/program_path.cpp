#include "engine/run/program_path.h"

#include "engine/run/worker_link.h"

#include <fmt/core.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace switchscope {

namespace {

bool is_program(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

} // namespace

std::string program_path(const std::string& word) {
  using Kind = WorkerProblem::Kind;
  if (word.empty()) throw WorkerProblem(Kind::missing, "No program was named that could measure. Give its path.");
  if (word.find('/') == std::string::npos) {
    const char* set = std::getenv("PATH");
    std::string_view rest = set == nullptr ? std::string_view("/usr/local/bin:/usr/bin:/bin") : std::string_view(set);
    while (!rest.empty()) {
      const std::size_t colon = rest.find(':');
      const std::string_view folder = colon == 0 ? "." : rest.substr(0, colon);
      if (const std::string path = fmt::format("{}/{}", folder, word); is_program(path)) return path;
      rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
    }
    throw WorkerProblem(
        Kind::missing,
        fmt::format("The program \"{}\" is in no folder of PATH. Install it, or give its full path.", word));
  }
  struct stat status {};
  if (::stat(word.c_str(), &status) != 0) {
    const int why = errno;
    if (why == ENOENT || why == ENOTDIR)
      throw WorkerProblem(Kind::missing,
                          fmt::format("The program {} is not there. Build or install Switchscope, or give "
                                      "the right path.",
                                      word));
    throw WorkerProblem(Kind::not_executable, fmt::format("The program {} cannot be reached: {}. Check the permissions "
                                                          "of its folders.",
                                                          word, std::generic_category().message(why)));
  }
  if (!S_ISREG(status.st_mode))
    throw WorkerProblem(
        Kind::not_executable,
        fmt::format("{} is not a file that can be executed. Give the path of the program itself.", word));
  if (::access(word.c_str(), X_OK) != 0)
    throw WorkerProblem(Kind::not_executable, fmt::format("The program {} may not be executed: {}. Allow it with "
                                                          "chmod +x, or check how its file system is mounted.",
                                                          word, std::generic_category().message(errno)));
  return word;
}

} // namespace switchscope
