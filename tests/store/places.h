// Places a database may lie in that need the rights of root to be made: small and read-only file systems, other users.
#pragma once

#include <filesystem>
#include <string>

namespace switchscope {

// Why the rest of a test cannot run here; empty when it can. Mounts made afterwards are seen by this process alone.
[[nodiscard]] std::string enter_own_mounts();
[[nodiscard]] bool mount_tmpfs(const std::filesystem::path& folder, const std::string& size);
[[nodiscard]] bool make_read_only(const std::filesystem::path& mounted_folder);
void unmount(const std::filesystem::path& folder); // does nothing where nothing is mounted

// What a command prints, run without rights as user 65534; its exit code is put into `exit_code`.
[[nodiscard]] std::string output_without_rights(const std::string& command, int& exit_code);
[[nodiscard]] bool can_drop_rights();

} // namespace switchscope
