#include "tests/cli/command.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace switchscope {

namespace {

constexpr int patience_ms = 30'000;

void close_if_open(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

} // namespace

Command::Command(const std::vector<std::string>& arguments, const Surroundings& around) {
  std::array<int, 2> out{};
  std::array<int, 2> err{};
  if (::pipe2(out.data(), O_CLOEXEC) != 0 || ::pipe2(err.data(), O_CLOEXEC) != 0) std::abort();
  const std::string path = around.program.empty() ? program("switchscope-cli") : around.program;
  std::vector<char*> argv;
  for (const auto& word : around.through) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(const_cast<char*>(path.c_str()));
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  pid_ = ::fork();
  if (pid_ == 0) {
    for (const auto& [name, value] : around.environment) ::setenv(name.c_str(), value.c_str(), 1);
    if (around.largest_file_bytes > 0) {
      const rlimit limit{static_cast<rlim_t>(around.largest_file_bytes),
                         static_cast<rlim_t>(around.largest_file_bytes)};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    const int sink = around.stdout_to.empty() ? out[1] : ::open(around.stdout_to.c_str(), O_WRONLY);
    ::dup2(sink, STDOUT_FILENO);
    ::dup2(err[1], STDERR_FILENO);
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::execvp(argv.front(), argv.data());
    ::_exit(127);
  }
  ::close(out[1]);
  ::close(err[1]);
  out_ = out[0];
  err_ = err[0];
}

Command::~Command() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  close_if_open(out_);
  close_if_open(err_);
}

// False when both streams have ended.
bool Command::read_some() {
  if (out_ < 0 && err_ < 0) return false;
  std::array<pollfd, 2> sources{pollfd{out_, POLLIN, 0}, pollfd{err_, POLLIN, 0}};
  const int ready = ::poll(sources.data(), sources.size(), patience_ms);
  if (ready == 0) {
    ADD_FAILURE() << "the program said nothing for " << patience_ms << " ms; so far:\n" << ended_.out << ended_.err;
    ::kill(pid_, SIGKILL);
    return false;
  }
  std::array<char, 65536> buffer{};
  const auto take = [&buffer](const pollfd& source, int& descriptor, std::string& text) {
    if (source.revents == 0) return;
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count > 0)
      text.append(buffer.data(), static_cast<std::size_t>(count));
    else
      close_if_open(descriptor);
  };
  take(sources[0], out_, ended_.out);
  take(sources[1], err_, ended_.err);
  return true;
}

bool Command::says(std::string Ended::*stream, const std::string& text) {
  while ((ended_.*stream).find(text) == std::string::npos)
    if (!read_some()) return false;
  return true;
}

bool Command::err_says(const std::string& text) {
  return says(&Ended::err, text);
}
bool Command::out_says(const std::string& text) {
  return says(&Ended::out, text);
}
void Command::close_out() {
  close_if_open(out_);
}
void Command::send(int signal) {
  ::kill(pid_, signal);
}

Ended Command::wait() {
  while (read_some()) {
  }
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  if (WIFEXITED(status)) ended_.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended_.signal = WTERMSIG(status);
  return ended_;
}

Ended cli(const std::vector<std::string>& arguments) {
  return Command(arguments).wait();
}

TestFolder::TestFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "switchscope-cli-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  path_ = name;
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TestFolder::file(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
  return (path_ / name).string();
}

std::string program(const std::string& name) {
  return std::string(SWITCHSCOPE_BINARY_DIR) + "/bin/" + name;
}

std::string text_of_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

} // namespace switchscope
