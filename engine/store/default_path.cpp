#include "engine/model/in_quotes.h"
#include "engine/store/store.h"

#include <cstdlib>

namespace switchscope {

std::filesystem::path default_database_path() {
  // The XDG base directory specification: a relative path in the variable is to be ignored.
  const auto absolute_from = [](const char* variable) {
    const char* value = std::getenv(variable);
    std::filesystem::path path = value ? value : "";
    return path.is_absolute() ? path : std::filesystem::path();
  };
  std::filesystem::path data = absolute_from("XDG_DATA_HOME");
  if (data.empty()) {
    const std::filesystem::path home = absolute_from("HOME");
    if (home.empty())
      throw StoreProblem(
          "Neither XDG_DATA_HOME nor HOME names a folder, so there is no default database. Name one with "
          "--db.");
    data = home / ".local" / "share";
  }
  return data / "switchscope" / "switchscope.db";
}

std::string database_option(const std::filesystem::path& path) {
  try {
    if (path == default_database_path()) return "";
  } catch (const StoreProblem&) { // there is no default place, so this is another
  }
  return " --db " + in_shell_quotes(path.string());
}

} // namespace switchscope
