// The list of ten thousand runs must come at once. The time is printed; the test only fails far beyond it, so that a
// busy machine does not make it red.
#include "tests/store/samples.h"

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>

namespace switchscope {
namespace {

double milliseconds_of(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

TEST(Speed, AListOfTenThousandRuns) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  store_run(store, sample_run("00000"), 3);
  {
    // Stored by the thousand: what is measured is the list, not the storing.
    SQLite::Database copies((folder / "a.db").string(), SQLite::OPEN_READWRITE);
    SQLite::Transaction transaction(copies);
    copies.exec(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) "
        "INSERT INTO run SELECT 1 + i, printf('%05d', i), name || i, preset, state, started_at, finished_at, "
        "host_name, cpu_model, left_out, measuring_s, elapsed_s, throttle_wait_s, end_reason, writer, points, visits, "
        "deleted_at FROM n, run WHERE run.row = 1");
    copies.exec("INSERT INTO run_document SELECT run.row, plan, thresholds, environment_before, environment_after "
                "FROM run, run_document WHERE run_document.run = 1 AND run.row > 1");
    copies.exec("INSERT INTO point SELECT run.row, point_index, key, array_bytes, stride_bytes, access, pattern, "
                "mechanism, tasks, kernel, placement, policy, pages, method FROM run, point WHERE point.run = 1 AND "
                "run.row > 1");
    transaction.commit();
  }
  const Store reader(folder / "a.db", Store::Access::read_only);
  std::vector<RunSummary> runs;
  const double list_ms = milliseconds_of([&] { runs = reader.list(); });
  const double resolve_ms = milliseconds_of([&] { EXPECT_EQ(reader.resolve("evening777"), "00777"); });
  std::cout << "list of " << runs.size() << " runs: " << list_ms
            << " ms (wanted: below 200); one by name: " << resolve_ms << " ms\n";
  EXPECT_EQ(runs.size(), 10'000U);
  EXPECT_LT(list_ms, 2000);
}

TEST(Speed, StoringAVisit) {
  const TemporaryFolder folder;
  Store store(folder / "a.db");
  store.append(RunStarted{sample_run()});
  constexpr int visits = 300;
  const double all_ms = milliseconds_of([&] {
    for (int sequence = 0; sequence < visits; ++sequence)
      store.append(VisitEnded{sample_visit(sequence, 25), 1, std::nullopt});
  });
  std::vector<Visit> loaded;
  const double load_ms = milliseconds_of([&] { loaded = store.load_visits(sample_run().id); });
  std::cout << "storing a visit of 75 blocks: " << all_ms / visits << " ms; loading " << loaded.size() << ": "
            << load_ms << " ms; " << std::filesystem::file_size(folder / "a.db") / visits << " bytes a visit\n";
  EXPECT_EQ(loaded.size(), static_cast<std::size_t>(visits));
}

} // namespace
} // namespace switchscope
