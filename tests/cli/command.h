// The real program as a child: what it printed, how it ended, and signals while it runs.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace switchscope {

struct Ended {
  int exit_code = -1; // -1: ended by a signal
  int signal = 0;
  std::string out;
  std::string err;
};

// A running switchscope-cli. Reads as it is asked; every wait ends after 30 s at most with a failure of the test.
class Command {
public:
  struct Surroundings {
    std::map<std::string, std::string> environment; // over the test's own
    std::string stdout_to;                          // a file instead of a pipe: /dev/full
    long largest_file_bytes = 0;                    // RLIMIT_FSIZE; 0: no limit
    std::vector<std::string> through;               // the words before it: taskset -c 0
    std::string program;                            // a copy elsewhere instead of the build tree's
  };
  explicit Command(const std::vector<std::string>& arguments) : Command(arguments, Surroundings()) {}
  Command(const std::vector<std::string>& arguments, const Surroundings&);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  bool err_says(const std::string& text); // waits until stderr holds it; false when the program ended before
  bool out_says(const std::string& text);
  void close_out(); // as a reader that goes away
  void send(int signal);
  Ended wait();
  [[nodiscard]] pid_t pid() const { return pid_; }

private:
  bool read_some();
  bool says(std::string Ended::*stream, const std::string& text);

  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
  Ended ended_;
};

Ended cli(const std::vector<std::string>& arguments);

// A folder of its own for each test, removed at its end.
class TestFolder {
public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] std::string file(const std::string& name, const std::string& content) const; // made; its path

private:
  std::filesystem::path path_;
};

[[nodiscard]] std::string program(const std::string& name); // of the build tree
[[nodiscard]] std::string text_of_file(const std::filesystem::path&);

} // namespace switchscope
