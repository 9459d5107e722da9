// Recorded /proc and /sys trees, as directories to be given as a sysroot.
#pragma once

#include "engine/model/environment.h"

#include <filesystem>
#include <optional>
#include <string>

// A directory that is gone when the test is over.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

// tests/data/sysroots/NAME.
[[nodiscard]] std::filesystem::path own_tree(const std::string& name);

// Where hwloc's recorded machines lie: SWITCHSCOPE_SYSROOTS, or beside the source tree.
[[nodiscard]] std::filesystem::path archive_of(const std::string& name);
// Unpacks the machine NAME below a directory and gives its root; absent when tar cannot.
[[nodiscard]] std::optional<std::filesystem::path> unpack(const std::string& name, const std::filesystem::path& into);

void write_file(const std::filesystem::path& root, const std::string& path, const std::string& content);

[[nodiscard]] const switchscope::Cpu* find_cpu(const switchscope::Environment&, int number);
// "L1 data 48 KiB 0-1, L2 unified 1280 KiB 0-1": the caches that serve a CPU.
[[nodiscard]] std::string caches_of(const switchscope::Environment&, int cpu);
// CPUs that are offline, or outside the allowed set, or of a core type: "0-3,21-23".
[[nodiscard]] std::string offline_cpus(const switchscope::Environment&);
[[nodiscard]] std::string allowed_cpus(const switchscope::Environment&);
[[nodiscard]] std::string cpus_of_type(const switchscope::Environment&, const std::string& core_type);
