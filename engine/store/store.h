// The database of runs. One writer; every visit is its own transaction; nothing measured is ever changed afterwards.
#pragma once

#include "engine/model/run_event.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace switchscope {

// What was tried on which database, why it failed and what to do next, as one sentence.
struct StoreProblem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr std::int32_t application_id = 0x53775363; // "SwSc"

struct RunSummary { // a line of `list`, cheap to read for thousands of runs
  std::string id;
  std::string name;
  std::string preset;
  RunState state = RunState::running;
  std::string started_at;
  std::string host_name;
  std::string cpu_model;
  int points = 0;
  int visits = 0;
  bool deleted = false;
};

// A CPU's contention split of an earlier run, for runs that show no gap of their own.
struct CpuLevel {
  double split_adds_per_cycle = 0;
  double clean_adds_per_cycle = 0;
  double clean_self_pipe_ns = 0;
  std::string dated; // UTC
};

class Store {
public:
  // Creates the file and its folder when absent, migrates an older schema. Throws StoreProblem.
  enum class Access { read_write, read_only };
  explicit Store(const std::filesystem::path&, Access = Access::read_write);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  // Said once to the user when the file's place does not allow WAL (network homes): a sentence, else empty.
  [[nodiscard]] const std::string& journal_note() const;

  void append(const RunEvent&); // RunStarted of a known id reopens it; one transaction each

  [[nodiscard]] std::vector<RunSummary> list(bool with_deleted = false) const; // newest first
  // An id, a unique prefix of one, a name (the newest of that name), or "last". Throws StoreProblem when none or several.
  [[nodiscard]] std::string resolve(const std::string& reference, bool among_deleted = false) const;
  [[nodiscard]] Run load_run(const std::string& id) const;
  [[nodiscard]] std::vector<Visit> load_visits(const std::string& id) const; // by sequence
  void remove(const std::string& id);  // to the trash
  void restore(const std::string& id); // from it

  [[nodiscard]] std::optional<CpuLevel> cpu_level(const std::string& machine, int cpu) const;
  void remember_cpu_level(const std::string& machine, int cpu, const CpuLevel&);

  // Copies every run of another Switchscope database that is not here yet; returns the ids copied.
  std::vector<std::string> import(const std::filesystem::path&);
  // integrity_check, foreign_key_check and our own invariants; empty when all is well, else sentences.
  [[nodiscard]] std::vector<std::string> verify() const;

private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

// $XDG_DATA_HOME/switchscope/switchscope.db, ~/.local/share/... without it.
[[nodiscard]] std::filesystem::path default_database_path();

} // namespace switchscope
