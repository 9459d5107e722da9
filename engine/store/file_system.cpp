#include "engine/store/file_system.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace switchscope {

bool is_network_file_system(long statfs_type) {
  // From linux/magic.h and statfs(2). 9p is how WSL2 and virtual machines reach the host's files; FUSE may be sshfs.
  constexpr std::array<unsigned, 12> kinds{
      0x6969,     // NFS
      0x517B,     // SMB
      0xFF534D42, // CIFS
      0xFE534D42, // SMB2
      0x01021997, // 9p
      0x5346414F, // AFS
      0x00C36400, // Ceph
      0x0BD00BD0, // Lustre
      0x47504653, // GPFS
      0x7461636F, // OCFS2
      0x01161970, // GFS2
      0x65735546, // FUSE
  };
  return std::ranges::find(kinds, static_cast<unsigned>(statfs_type)) != kinds.end();
}

bool on_network_file_system(const std::filesystem::path& folder) {
  struct statfs facts {};
  return statfs(folder.c_str(), &facts) == 0 && is_network_file_system(static_cast<long>(facts.f_type));
}

bool locks_work_in(const std::filesystem::path& folder) {
  std::string name = (folder / ".switchscope-lock-XXXXXX").string();
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return true; // nothing can be written here, so nothing needs a lock
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const bool works = fcntl(file, F_SETLK, &lock) == 0;
  close(file);
  unlink(name.c_str());
  return works;
}

FileIdentity file_identity(const std::filesystem::path& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) return {};
  return {facts.st_dev, facts.st_ino};
}

} // namespace switchscope
