#include "engine/store/store.h"

#include "engine/store/find_run.h"
#include "engine/store/import.h"
#include "engine/store/open.h"
#include "engine/store/problem.h"
#include "engine/store/runs.h"
#include "engine/store/sessions.h"
#include "engine/store/sql.h"
#include "engine/store/verify.h"
#include "engine/store/visits.h"

#include <utility>

namespace switchscope {

struct Store::Inside {
  OpenDatabase open;
  std::int64_t run_row = 0; // of the last RunStarted; 0: none yet

  // Runs `work` and turns SQLite's errors into sentences.
  template <class Work> auto guarded(std::string_view doing, Work work) {
    try {
      return work();
    } catch (const SQLite::Exception& problem) {
      throw problem_of(problem, open.path, doing);
    }
  }

  // IMMEDIATE: a writer that begins as a reader could be refused half-way, without waiting.
  template <class Work> void in_transaction(std::string_view doing, Work work) {
    guarded(doing, [&] {
      if (file_identity(open.path) != open.file) throw deleted_problem(open.path);
      SQLite::Transaction transaction(open.connection, SQLite::TransactionBehavior::IMMEDIATE);
      work();
      transaction.commit();
    });
  }

  // One state of the file for all that `work` reads, while others write.
  template <class Work> auto reading(std::string_view doing, Work work) {
    return guarded(doing, [&] {
      const SQLite::Transaction transaction(open.connection);
      return work();
    });
  }

  std::int64_t started_run() const {
    if (run_row == 0) throw StoreProblem("A visit or the end of a run was to be stored before a run was started.");
    return run_row;
  }

  void store(const RunStarted& event) {
    in_transaction("storing the start of a run", [&] { run_row = start_run(open, event); });
  }
  void store(const SessionWaiting&) {}
  void store(const SessionStarted& event) {
    in_transaction("storing the start of a session", [&] { start_session(open, started_run(), event.session); });
  }
  void store(const SessionEnded& event) {
    in_transaction("storing the end of a session", [&] { end_session(open, started_run(), event.session); });
    to_the_disk("storing the end of a session");
  }
  void store(const VisitStarted&) {}
  void store(const VisitEnded& event) {
    in_transaction("storing a visit", [&] { insert_visit(open, started_run(), event); });
  }
  void store(const PassEnded&) {}
  void store(const PointsAdded& event) {
    in_transaction("storing added points", [&] { add_points(open, started_run(), event); });
  }
  void store(const RunEnded& event) {
    in_transaction("storing the end of a run", [&] { end_run(open, started_run(), event); });
    to_the_disk("storing the end of a run");
  }
  // Where readers hold it up, the next checkpoint does it.
  void to_the_disk(std::string_view doing) {
    guarded(doing, [&] { open.connection.tryExec("PRAGMA wal_checkpoint(PASSIVE)"); });
  }
};

Store::Store(const std::filesystem::path& path, Access access)
    : inside_(std::make_unique<Inside>(
          Inside{access == Access::read_write ? open_for_writing(path) : open_for_reading(path), 0})) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

const std::string& Store::journal_note() const {
  return inside_->open.journal_note;
}

void Store::append(const RunEvent& event) {
  std::visit([this](const auto& kind) { inside_->store(kind); }, event);
}

void Store::store_set_aside(const std::string& run_id, int sequence, const std::vector<SetAside>& by_pair) {
  inside_->in_transaction("storing why blocks were set aside", [&] {
    write_set_aside(inside_->open, row_of_run(inside_->open, run_id), sequence, by_pair);
  });
}

std::vector<RunSummary> Store::list(bool with_deleted) const {
  return inside_->reading("listing runs", [&] { return list_runs(inside_->open, with_deleted); });
}

std::string Store::resolve(const std::string& reference, bool among_deleted) const {
  return inside_->reading("looking for a run", [&] { return find_run(inside_->open, reference, among_deleted); });
}

Run Store::load_run(const std::string& id) const {
  return inside_->reading("loading a run", [&] { return read_run(inside_->open, id); });
}

std::vector<Visit> Store::load_visits(const std::string& id) const {
  return inside_->reading("loading visits", [&] { return read_visits(inside_->open, row_of_run(inside_->open, id)); });
}

std::vector<RunResumed> Store::load_resumptions(const std::string& id) const {
  return inside_->reading("loading resumptions",
                          [&] { return read_resumptions(inside_->open, row_of_run(inside_->open, id)); });
}

void Store::remove(const std::string& id) {
  inside_->in_transaction("moving a run to the trash", [&] { set_deleted(inside_->open, id, true); });
}

void Store::restore(const std::string& id) {
  inside_->in_transaction("restoring a run", [&] { set_deleted(inside_->open, id, false); });
}

std::optional<CpuLevel> Store::cpu_level(const std::string& machine, int cpu) const {
  return inside_->guarded("looking up a CPU", [&]() -> std::optional<CpuLevel> {
    SQLite::Statement query(inside_->open.connection,
                            "SELECT split_adds_per_cycle, clean_adds_per_cycle, clean_self_pipe_ns, dated "
                            "FROM cpu_level WHERE machine = ? AND cpu = ?");
    bind_row(query, machine, cpu);
    if (!query.executeStep()) return std::nullopt;
    RowReader row(query);
    CpuLevel level;
    level.split_adds_per_cycle = row.real();
    level.clean_adds_per_cycle = row.real();
    level.clean_self_pipe_ns = row.real();
    level.dated = row.text();
    return level;
  });
}

void Store::remember_cpu_level(const std::string& machine, int cpu, const CpuLevel& level) {
  inside_->in_transaction("remembering a CPU", [&] {
    run_sql(inside_->open.connection,
            "INSERT OR REPLACE INTO cpu_level (machine, cpu, split_adds_per_cycle, clean_adds_per_cycle, "
            "clean_self_pipe_ns, dated) VALUES (?, ?, ?, ?, ?, ?)",
            machine, cpu, level.split_adds_per_cycle, level.clean_adds_per_cycle, level.clean_self_pipe_ns,
            level.dated);
  });
}

std::vector<MachineCheck> Store::latest_checks(const std::string& kind, const std::string& machine) const {
  return inside_->guarded("looking up what is known of a machine", [&] {
    // The other columns of a max() are those of its row: https://sqlite.org/lang_select.html#bareagg
    SQLite::Statement query(inside_->open.connection, "SELECT kind, machine, cpu, max(taken_at), document "
                                                      "FROM machine_check WHERE kind = ? AND machine = ? "
                                                      "GROUP BY cpu ORDER BY cpu");
    bind_row(query, kind, machine);
    std::vector<MachineCheck> checks;
    while (query.executeStep()) {
      RowReader row(query);
      MachineCheck& check = checks.emplace_back();
      check.kind = row.text();
      check.machine = row.text();
      check.cpu = row.small_integer();
      check.taken_at = row.text();
      check.document = row.text();
    }
    return checks;
  });
}

void Store::remember_check(const MachineCheck& check) {
  inside_->in_transaction("remembering what was found of a machine", [&] {
    run_sql(inside_->open.connection,
            "INSERT OR REPLACE INTO machine_check (kind, machine, cpu, taken_at, document) VALUES (?, ?, ?, ?, ?)",
            check.kind, check.machine, check.cpu, check.taken_at, check.document);
  });
}

std::optional<MachineCheck> Store::last_check(const std::string& kind, const std::string& machine, int cpu,
                                              const std::string& not_after) const {
  return inside_->guarded("looking up a check of the machine", [&]() -> std::optional<MachineCheck> {
    SQLite::Statement query(inside_->open.connection,
                            "SELECT taken_at, document FROM machine_check WHERE kind = ?1 AND machine = ?2 "
                            "AND cpu = ?3 AND (?4 = '' OR taken_at <= ?4) ORDER BY taken_at DESC LIMIT 1");
    bind_row(query, kind, machine, cpu, not_after);
    if (!query.executeStep()) return std::nullopt;
    RowReader row(query);
    MachineCheck check{kind, machine, cpu, row.text(), ""};
    check.document = row.text();
    return check;
  });
}

Imported Store::import(const std::filesystem::path& path) {
  OpenDatabase from = open_for_reading(path);
  return inside_->guarded("importing runs", [&] { return import_from(inside_->open, from); });
}

std::vector<std::string> Store::verify() const {
  return inside_->reading("verifying it", [&] { return problems_in(inside_->open); });
}

} // namespace switchscope
