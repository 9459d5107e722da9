#include "app/cli/output.h"

#include "app/cli/outcome.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace switchscope {

namespace {

// 0, or the errno that ended it.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

[[noreturn]] void refuse_file(const std::filesystem::path& path, int error) {
  const bool place = error == ENOENT || error == ENOTDIR || error == EISDIR || error == EACCES || error == EPERM ||
                     error == EROFS || error == ENAMETOOLONG;
  throw Refusal(place ? ExitCode::bad_arguments : ExitCode::cannot,
                fmt::format("{} cannot be written: {}. Nothing was left there; give another place with -o.",
                            path.string(), std::strerror(error)));
}

// Owns the file until it is complete; what was begun is removed.
class NewFile {
public:
  explicit NewFile(const std::filesystem::path& target)
      : target_(target), name_((target.parent_path() / ("." + target.filename().string() + ".XXXXXX")).string()),
        descriptor_(::mkostemp(name_.data(), O_CLOEXEC)) {
    if (descriptor_ < 0) refuse_file(target_, errno);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!complete_) ::unlink(name_.c_str());
  }

  void fill(std::string_view text) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (const int error = write_all(descriptor_, text); error != 0) refuse_file(target_, error);
    if (::fchmod(descriptor_, 0666 & ~mask) != 0 || ::fsync(descriptor_) != 0) refuse_file(target_, errno);
    if (::rename(name_.c_str(), target_.c_str()) != 0) refuse_file(target_, errno);
    complete_ = true;
  }

private:
  std::filesystem::path target_;
  std::string name_;
  int descriptor_;
  bool complete_ = false;
};

// Such a file may hold all runs there are, and replacing it cannot be undone.
void refuse_database(const std::filesystem::path& path) {
  constexpr std::string_view mark("SQLite format 3", 16); // with its zero byte
  std::string begin(mark.size(), ' ');
  std::ifstream(path, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (begin == mark)
    throw Refusal(
        ExitCode::bad_arguments,
        fmt::format("{} is an SQLite database, which is not replaced. Give another file with -o.", path.string()));
}

void write_device(const std::filesystem::path& path, std::string_view text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) refuse_file(path, errno);
  const int error = write_all(descriptor, text);
  ::close(descriptor);
  if (error != 0 && error != EPIPE) refuse_file(path, error);
}

} // namespace

Written write_data(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == EPIPE) return Written::reader_gone;
  if (error != 0)
    throw Refusal(ExitCode::cannot, fmt::format("The standard output cannot be written: {}.", std::strerror(error)));
  return Written::all;
}

void say(std::string_view line) {
  std::string text(line);
  text += '\n';
  (void)write_all(STDERR_FILENO, text);
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) refuse_file(path, EISDIR);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    write_device(path, text);
    return;
  }
  refuse_database(path);
  // Through a link, so that the link stays and what it points at is replaced.
  const auto target = std::filesystem::exists(status) ? std::filesystem::canonical(path, error) : path;
  NewFile(error ? path : target).fill(text);
}

} // namespace switchscope
