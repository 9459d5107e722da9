// Runs and visits in which no two fields are alike, and a folder of its own for each test.
#pragma once

#include "engine/model/run_event.h"
#include "engine/store/store.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string>

namespace switchscope {

class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
  std::filesystem::path path_;
};

[[nodiscard]] Run sample_run(const std::string& id = "01k00000000000000000000000");
[[nodiscard]] Visit sample_visit(int sequence, int pairs = 2); // of point 0, pass = sequence
[[nodiscard]] Visit failed_visit(int sequence);
[[nodiscard]] RunEnded sample_end();

void store_run(Store&, const Run&, int visits);

// The sentence of the StoreProblem that `work` throws; "" when it throws none.
template <class Work> std::string problem_in(Work work) {
  try {
    work();
  } catch (const StoreProblem& problem) {
    return problem.what();
  }
  return {};
}

// One value of the file as it lies there, read without our code.
[[nodiscard]] std::string value_in(const std::filesystem::path&, const std::string& sql);
void change_in(const std::filesystem::path&, const std::string& sql);

} // namespace switchscope
