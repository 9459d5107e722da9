#include "tests/machine/trees.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using switchscope::Cache;
using switchscope::Cpu;
using switchscope::Environment;

TemporaryDirectory::TemporaryDirectory() {
  // In memory where there is such a place: a tree is thousands of tiny files.
  const fs::path memory = "/dev/shm";
  const bool writable = ::access(memory.c_str(), W_OK) == 0;
  std::string pattern = ((writable ? memory : fs::temp_directory_path()) / "switchscope-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory below " + pattern);
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path own_tree(const std::string& name) {
  return fs::path(SWITCHSCOPE_SOURCE_DIR) / "tests/data/sysroots" / name;
}

fs::path archive_of(const std::string& name) {
  const char* told = std::getenv("SWITCHSCOPE_SYSROOTS");
  const fs::path directory = told ? fs::path(told) : fs::path(SWITCHSCOPE_SOURCE_DIR) / "../shared/data/sysroots";
  return directory / (name + ".tar.bz2");
}

std::optional<fs::path> unpack(const std::string& name, const fs::path& into) {
  const std::string command = "tar -xjf '" + archive_of(name).string() + "' -C '" + into.string() + "' --no-same-owner";
  const int status = std::system(command.c_str()); // NOLINT: fixed words and our own paths
  if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return into / name;
}

void write_file(const fs::path& root, const std::string& path, const std::string& content) {
  const fs::path file = root / fs::path(path).relative_path();
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << content;
}

const Cpu* find_cpu(const Environment& environment, int number) {
  for (const Cpu& cpu : environment.cpus)
    if (cpu.number == number) return &cpu;
  return nullptr;
}

namespace {

std::string ranges(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < numbers.size(); first = last + 1) {
    for (last = first; last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1;) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[first]);
    if (last > first) text += "-" + std::to_string(numbers[last]);
  }
  return text;
}

std::string cpus_where(const Environment& environment, const std::function<bool(const Cpu&)>& wanted) {
  std::vector<int> numbers;
  for (const Cpu& cpu : environment.cpus)
    if (wanted(cpu)) numbers.push_back(cpu.number);
  return ranges(numbers);
}

} // namespace

std::string caches_of(const Environment& environment, int cpu) {
  std::string text;
  for (const Cache& cache : environment.caches) {
    if (std::find(cache.cpus.begin(), cache.cpus.end(), cpu) == cache.cpus.end()) continue;
    text += (text.empty() ? "L" : ", L") + std::to_string(cache.level) + " " + cache.kind + " " +
            std::to_string(cache.size_bytes / 1024) + " KiB " + ranges(cache.cpus);
  }
  return text;
}

std::string offline_cpus(const Environment& environment) {
  return cpus_where(environment, [](const Cpu& cpu) { return !cpu.online; });
}

std::string allowed_cpus(const Environment& environment) {
  return cpus_where(environment, [](const Cpu& cpu) { return cpu.allowed; });
}

std::string cpus_of_type(const Environment& environment, const std::string& core_type) {
  return cpus_where(environment, [&](const Cpu& cpu) { return cpu.core_type == core_type; });
}
