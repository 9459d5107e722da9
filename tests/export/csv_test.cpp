#include "engine/export/export.h"
#include "tests/export/golden.h"
#include "tests/export/sample_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <locale>

namespace switchscope {
namespace {

std::string points_of(const sample::Sample& sample) {
  return points_csv(sample.run, sample.visits, sample.estimates);
}

std::vector<std::string> rows_of(const std::string& csv) {
  std::vector<std::string> rows;
  for (std::size_t start = 0; start < csv.size();) {
    const auto end = csv.find("\r\n", start);
    if (end == std::string::npos) break;
    rows.push_back(csv.substr(start, end - start));
    start = end + 2;
  }
  return rows;
}

TEST(PointsCsv, hasOneRowPerPoint) {
  expect_golden("export/points.csv", points_of(sample::troubled_run()));
}

TEST(PointsCsv, everyRowHasAsManyFieldsAsTheHeader) {
  const auto rows = rows_of(points_of(sample::troubled_run()));
  ASSERT_EQ(rows.size(), 1 + sample::troubled_run().run.points.size());
  const auto commas = std::count(rows[0].begin(), rows[0].end(), ',');
  for (const auto& row : rows) EXPECT_EQ(std::count(row.begin(), row.end(), ','), commas) << row;
}

TEST(PointsCsv, quotesWhatWouldBreakARow) {
  auto sample = sample::quiet_run();
  sample.run.before.cpus[1].core_type = "big, \"fast\"\n";
  EXPECT_NE(points_of(sample).find(",\"big, \"\"fast\"\"\n\","), std::string::npos);
}

TEST(PointsCsv, numbersThatAreNoneAreEmptyAndOthersReadBackExactly) {
  auto sample = sample::quiet_run();
  sample.run.points.resize(1);
  sample.estimates.points.resize(1);
  sample.visits.resize(1);
  sample.estimates.points[0].total = {0.1 + 0.2, -std::numeric_limits<double>::infinity(), 1e300, true};
  EXPECT_NE(points_of(sample).find(",0.30000000000000004,,1e+300,interval,"), std::string::npos) << points_of(sample);
}

TEST(PointsCsv, doesNotFollowTheUsersLocale) {
  struct Commas : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  auto sample = sample::quiet_run();
  sample.estimates.points[0].total.estimate = 2640.5;
  const auto before = std::locale::global(std::locale(std::locale::classic(), new Commas));
  const auto csv = points_of(sample);
  std::locale::global(before);
  EXPECT_NE(csv.find(",2640.5,"), std::string::npos) << csv;
}

TEST(BlocksCsv, hasOneRowPerBlockAndTheStateOfItsPoint) {
  auto sample = sample::quiet_run();
  sample.visits.resize(2);
  sample.visits.push_back(sample.visits[1]);
  sample.visits.back().outcome = VisitFailure{"crashed", "It was killed."};
  expect_golden("export/blocks.csv", blocks_csv(sample.run, sample.visits, sample.estimates));
}

TEST(BlocksCsv, namesTheCauseOfAPairThatIsNotClean) {
  auto sample = sample::quiet_run();
  sample.visits.resize(2);
  auto data = *sample.visits[1].data();
  for (auto& block : data.blocks) block.before.adds_per_cycle = block.after.adds_per_cycle = 1.7;
  sample.visits[1].outcome = data;
  const auto rows = rows_of(blocks_csv(sample.run, sample.visits, sample.estimates));
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_TRUE(rows[1].ends_with(",,clean")) << rows[1];
  for (const int row : {4, 5, 6})
    EXPECT_TRUE(rows[static_cast<std::size_t>(row)].ends_with(",contended,clean"))
        << rows[static_cast<std::size_t>(row)];
}

} // namespace
} // namespace switchscope
