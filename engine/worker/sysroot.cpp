#include "engine/worker/sysroot.h"

#include "engine/worker/file_descriptor.h"

#include <algorithm>
#include <array>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>

namespace switchscope {
namespace {

constexpr std::size_t max_file_bytes = 16u << 20; // /proc/cpuinfo of 2,000 CPUs is about 4 MiB

bool is_text(char c) {
  return c == '\n' || c == '\t' || (c >= ' ' && c <= '~');
}

} // namespace

Sysroot::Sysroot(std::string root) : root_(std::move(root)) {
  while (!root_.empty() && root_.back() == '/') root_.pop_back();
}

std::string Sysroot::real_path(std::string_view path) const {
  return root_ + std::string(path);
}

std::optional<std::string> Sysroot::text(std::string_view path) const {
  // O_NONBLOCK: a recorded tree may hold a FIFO, and opening that must not wait for a writer.
  const FileDescriptor file(::open(real_path(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  std::string content;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0) return std::nullopt; // sysfs answers EINVAL or ENODATA where a reading does not exist
    if (got == 0) break;
    content.append(buffer.data(), static_cast<std::size_t>(got));
    if (content.size() > max_file_bytes) return std::nullopt;
  }
  // Device-tree strings end in a NUL; the protocol's JSON takes valid UTF-8 only.
  while (!content.empty() && content.back() == '\0') content.pop_back();
  std::replace_if(
      content.begin(), content.end(), [](char c) { return !is_text(c); }, '?');
  return std::string(trimmed(content));
}

std::vector<std::string> Sysroot::names_in(std::string_view path) const {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(real_path(path).c_str()), &::closedir);
  if (!directory) return names;
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view white = " \t\r\n";
  const std::size_t first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

} // namespace switchscope
