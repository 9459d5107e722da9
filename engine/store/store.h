// The database of runs. Every visit is its own transaction; nothing measured is ever changed afterwards.
//
// Durability: a visit is committed when append() returns. Killing any process at any time loses none of them. A loss of
// power may lose the last visits of a run under way, never the database; a run that has ended is on the disk.
// Threads: a Store is used by one thread at a time. Any number of Stores, in any number of processes on one machine,
// may use one file at once; writers take turns and wait up to 5 s for each other. Errors: every member may throw
// StoreProblem. What was being written is then not in the database, all else is.
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

// What was tried, on which database, why it failed and what to do next, as one sentence.
struct StoreProblem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr std::int32_t application_id = 0x53775363; // "SwSc"

struct RunSummary { // a line of `list`, cheap to read for thousands of runs
  std::string id;
  std::string name;
  std::string preset;
  RunState state = RunState::running; // as load_run tells it
  std::string started_at;
  std::string host_name;
  std::string cpu_model;
  int points = 0;
  int visits = 0; // failed ones too
  bool deleted = false;
};

// The machine as it was when a run was taken up again.
struct RunResumed {
  std::string started_at; // UTC
  Environment environment;
};

// A CPU's contention split of an earlier run, for runs that show no gap of their own.
struct CpuLevel {
  double split_adds_per_cycle = 0;
  double clean_adds_per_cycle = 0;
  double clean_self_pipe_ns = 0;
  std::string dated; // UTC
};

// Something found about a machine or the instrument outside of runs, with its date.
struct MachineCheck {
  std::string kind;     // "core-sharing", "selftest"
  std::string machine;  // machine_key()
  int cpu = -1;         // -1: the whole machine
  std::string taken_at; // UTC
  std::string document; // JSON, of the kind's own form
  friend bool operator==(const MachineCheck&, const MachineCheck&) = default;
};

struct Imported {
  std::vector<std::string> copied;    // ids
  std::vector<std::string> under_way; // ids of those left out because they are being measured at the moment
};

class Store {
public:
  // read_write creates the file and its folder when absent, and migrates an older schema after copying the file to
  // `<file>.v<N>.bak`. read_only stores nothing: the file must exist, may lie on a read-only medium, and an older
  // schema is migrated in memory. Where the folder can be written, SQLite itself takes into the file what a killed
  // writer left beside it.
  enum class Access { read_write, read_only };
  explicit Store(const std::filesystem::path&, Access = Access::read_write);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  // Said once to the user when the file's place does not allow WAL (network homes): a sentence, else empty.
  [[nodiscard]] const std::string& journal_note() const;

  // One transaction each. Sessions and visits belong to the last RunStarted. A RunStarted of a known id sets that run
  // to running again, keeps its `resumed_on` and the number of sessions its plan asks for by now, and changes nothing
  // else; its points must be the stored ones. PointsAdded must begin where the stored points end. A SessionStarted of a
  // known number changes nothing. SessionWaiting, VisitStarted and PassEnded are not stored.
  void append(const RunEvent&);
  // Why pairs of a stored visit were not used; index = pair. The reason stands beside the raw blocks, which stay as
  // they are.
  void store_set_aside(const std::string& run_id, int sequence, const std::vector<SetAside>& by_pair);

  [[nodiscard]] std::vector<RunSummary> list(bool with_deleted = false) const; // newest first
  // An id, a unique prefix of one, a name (the newest of that name), or "last". Throws StoreProblem when none or
  // several, and lists what could be meant. `among_deleted` looks in the trash instead.
  [[nodiscard]] std::string resolve(const std::string& reference, bool among_deleted = false) const;
  // The state is `running` only while the process that measures the run lives, else `incomplete`; `not_ended` where
  // that cannot be told, as in a database from another machine.
  [[nodiscard]] Run load_run(const std::string& id) const;
  [[nodiscard]] std::vector<Visit> load_visits(const std::string& id) const;           // by sequence
  [[nodiscard]] std::vector<RunResumed> load_resumptions(const std::string& id) const; // in their order
  void remove(const std::string& id);                                                  // to the trash
  void restore(const std::string& id);                                                 // from it

  [[nodiscard]] std::optional<CpuLevel> cpu_level(const std::string& machine, int cpu) const;
  void remember_cpu_level(const std::string& machine, int cpu, const CpuLevel&);

  // The newest of each CPU, by CPU. Older ones stay in the file.
  [[nodiscard]] std::vector<MachineCheck> latest_checks(const std::string& kind, const std::string& machine) const;
  void remember_check(const MachineCheck&);
  // The newest of one CPU that was not found after `not_after` (UTC text; empty: the newest of all).
  [[nodiscard]] std::optional<MachineCheck> last_check(const std::string& kind, const std::string& machine, int cpu,
                                                       const std::string& not_after = {}) const;

  // Copies every run of another Switchscope database that is not here yet, one transaction a run, and what was found
  // about machines. A run that a process of this machine is measuring is left out: a copy would never get its end. To
  // the other database happens what read_only does.
  Imported import(const std::filesystem::path&);
  // integrity_check, foreign_key_check and our own invariants; empty when all is well, else sentences.
  [[nodiscard]] std::vector<std::string> verify() const;

private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

// $XDG_DATA_HOME/switchscope/switchscope.db, ~/.local/share/... without it. Throws StoreProblem when neither is known.
[[nodiscard]] std::filesystem::path default_database_path();

// What a command line needs to mean this database: " --db FILE", quoted for a shell; empty for the default place.
[[nodiscard]] std::string database_option(const std::filesystem::path&);

} // namespace switchscope
