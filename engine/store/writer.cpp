#include "engine/store/writer.h"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace switchscope {

namespace {

constexpr const char* not_told = "-";

struct Writer {
  std::string machine;
  std::string boot;
  std::string process_namespace;
  pid_t process = 0;
  std::string start; // clock ticks since boot
};

std::string first_word(const char* path) {
  std::string word;
  std::ifstream(path) >> word;
  return word.empty() ? not_told : word;
}

// proc(5): the name in parentheses may hold anything; the state follows it, and 19 fields later the start.
struct ProcessStat {
  char state = 0;
  std::string start;
};
std::optional<ProcessStat> stat_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(file, line);
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  ProcessStat stat;
  fields >> stat.state;
  for (int field = 4; field <= 22; ++field) fields >> stat.start;
  if (!fields) return std::nullopt;
  return stat;
}

Writer this_process() {
  std::error_code error;
  const std::string process_namespace = std::filesystem::read_symlink("/proc/self/ns/pid", error).string();
  const auto stat = stat_of(::getpid());
  return {first_word("/etc/machine-id"), first_word("/proc/sys/kernel/random/boot_id"),
          process_namespace.empty() ? not_told : process_namespace, ::getpid(), stat ? stat->start : not_told};
}

std::optional<Writer> writer_in(const std::string& text) {
  std::istringstream words(text);
  Writer writer;
  words >> writer.machine >> writer.boot >> writer.process_namespace >> writer.process >> writer.start;
  if (!words || writer.process < 1) return std::nullopt;
  return writer;
}

// Of the same namespace since the same boot.
WriterLife life_of(const Writer& writer) {
  if (::kill(writer.process, 0) != 0 && errno == ESRCH) return WriterLife::gone;
  const auto stat = stat_of(writer.process);
  if (!stat || writer.start == not_told) return WriterLife::unknown; // hidden from this user
  const bool has_ended = stat->state == 'Z' || stat->state == 'X';
  return has_ended || stat->start != writer.start ? WriterLife::gone : WriterLife::alive;
}

} // namespace

std::string this_writer() {
  const Writer writer = this_process();
  return writer.machine + ' ' + writer.boot + ' ' + writer.process_namespace + ' ' + std::to_string(writer.process) +
         ' ' + writer.start;
}

WriterLife life_of_writer(const std::string& text) {
  const auto writer = writer_in(text);
  if (!writer || writer->boot == not_told) return WriterLife::unknown;
  const Writer here = this_process();
  if (writer->boot != here.boot) { // the machine was started anew, or it is another one
    const bool same_machine = writer->machine == here.machine && here.machine != not_told;
    return same_machine ? WriterLife::gone : WriterLife::unknown;
  }
  return writer->process_namespace == here.process_namespace ? life_of(*writer) : WriterLife::unknown;
}

} // namespace switchscope
