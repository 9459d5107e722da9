// What the place of a database allows.
#pragma once

#include <filesystem>
#include <sys/types.h>

namespace switchscope {

// SQLite's write-ahead log needs memory shared by all its users. Between hosts there is none, and nothing reports it:
// the database would be damaged. So network file systems are told by their kind (statfs).
[[nodiscard]] bool is_network_file_system(long statfs_type);
[[nodiscard]] bool on_network_file_system(const std::filesystem::path& folder);

// False where the kernel cannot lock files, as on some network homes; SQLite would take that for a lock held by
// another. Makes and removes a file of its own in the folder: locking the database itself would end SQLite's locks on
// it.
[[nodiscard]] bool locks_work_in(const std::filesystem::path& folder);

// Which file a path names now. A database that was deleted or replaced would swallow what is stored in it.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
[[nodiscard]] FileIdentity file_identity(const std::filesystem::path&); // zeros when there is none

} // namespace switchscope
