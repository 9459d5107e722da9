#include "tests/store/places.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

namespace switchscope {

namespace {

constexpr const char* without_rights =
    "setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all ";

std::string output_of(const std::string& command, int& exit_code) {
  std::string output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return output;
  std::array<char, 4096> part{};
  for (std::size_t got = 0; (got = fread(part.data(), 1, part.size(), pipe)) > 0;) output.append(part.data(), got);
  const int status = pclose(pipe);
  exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

} // namespace

std::string enter_own_mounts() {
  if (geteuid() != 0) return "only root can mount small file systems";
  if (unshare(CLONE_NEWNS) != 0) return std::string("no mount namespace of its own: ") + std::strerror(errno);
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return std::string("mounts cannot be made private: ") + std::strerror(errno);
  return {};
}

bool mount_tmpfs(const std::filesystem::path& folder, const std::string& size) {
  return mount("none", folder.c_str(), "tmpfs", 0, ("mode=0777,size=" + size).c_str()) == 0;
}

bool make_read_only(const std::filesystem::path& mounted_folder) {
  return mount("none", mounted_folder.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
}

void unmount(const std::filesystem::path& folder) {
  umount2(folder.c_str(), MNT_DETACH);
}

std::string output_without_rights(const std::string& command, int& exit_code) {
  return output_of(without_rights + command, exit_code);
}

bool can_drop_rights() {
  int exit_code = -1;
  return geteuid() == 0 && output_without_rights("id -u", exit_code) == "65534\n";
}

} // namespace switchscope
