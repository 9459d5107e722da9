// What a process class may leave behind: open descriptors and children, counted in /proc.
#pragma once

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <string>
#include <vector>

namespace switchscope::testing {

inline std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  DIR* directory = ::opendir(folder.c_str());
  if (directory == nullptr) return names;
  while (const dirent* entry = ::readdir(directory))
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  ::closedir(directory);
  return names;
}

inline std::size_t open_descriptors() {
  return names_in("/proc/self/fd").size();
}

// Field of /proc/PID/stat, counted from 1 after the name: 1 state, 2 parent, 3 group.
inline std::string stat_field(const std::string& pid, int field) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string text;
  std::getline(file, text);
  const auto bracket = text.rfind(')');
  if (bracket == std::string::npos) return {};
  std::string value;
  std::size_t from = bracket + 2;
  for (int i = 0; i < field; ++i) {
    const auto to = text.find(' ', from);
    value = text.substr(from, to - from);
    from = to + 1;
  }
  return value;
}

inline std::vector<std::string> processes_with(int field, pid_t value) {
  std::vector<std::string> found;
  for (const auto& name : names_in("/proc"))
    if (std::isdigit(static_cast<unsigned char>(name.front())) != 0 && stat_field(name, field) == std::to_string(value))
      found.push_back(name);
  return found;
}

// Zombies included.
inline std::vector<std::string> children() {
  return processes_with(2, ::getpid());
}

// Members of a process group that still run. Orphaned zombies belong to init, which may be slow or absent.
inline std::vector<std::string> running_in_group(pid_t group) {
  auto found = processes_with(3, group);
  std::erase_if(found, [](const std::string& pid) { return stat_field(pid, 1) == "Z" || stat_field(pid, 1) == "X"; });
  return found;
}

} // namespace switchscope::testing
