// Files of the described machine, all below one root, so that a recorded tree can stand in for a machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace switchscope {

class Sysroot {
public:
  explicit Sysroot(std::string root); // "" and "/": this machine

  [[nodiscard]] bool is_this_machine() const { return root_.empty(); }
  [[nodiscard]] std::string real_path(std::string_view path) const; // where the file of that absolute path lies

  // The content without white space at its ends; bytes that are not ASCII text read '?'. Absent when it cannot be read,
  // is not a regular file, or is longer than 16 MiB.
  [[nodiscard]] std::optional<std::string> text(std::string_view path) const;
  // Names in a directory, sorted; empty when it cannot be read.
  [[nodiscard]] std::vector<std::string> names_in(std::string_view path) const;

private:
  std::string root_;
};

[[nodiscard]] std::string_view trimmed(std::string_view);
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view);

} // namespace switchscope
