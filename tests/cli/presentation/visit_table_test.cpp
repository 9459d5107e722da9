#include "app/cli/visit_table.h"

#include "app/cli/columns.h"
#include "tests/analysis/synthetic.h"

#include <gtest/gtest.h>

#include <sstream>

namespace switchscope {
namespace {

TEST(VisitTable, HasALineForEachVisitThatFitsAHundredColumns) {
  const auto run = synthetic::run_of();
  auto visits = synthetic::visits_of({}, {}, 2, 1);
  visits[3].outcome = VisitFailure{"crashed", "It crashed."};
  visits[1].request.counters = true;
  const std::string table = visit_table(run, visits, estimate_run(run, visits));
  std::istringstream lines(table);
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(width_of(line), 100) << line;
    rows.push_back(line);
  }
  ASSERT_EQ(rows.size(), 5U) << table;
  EXPECT_NE(rows[0].find("  clean  "), std::string::npos) << "not what a contended point uses";
  EXPECT_NE(rows[1].find("no data"), std::string::npos);
  EXPECT_NE(rows[2].find("counters"), std::string::npos);
  EXPECT_NE(rows[3].find("384 KiB"), std::string::npos);
  EXPECT_NE(rows[3].find("GHz"), std::string::npos);
  EXPECT_NE(rows[4].find("failed"), std::string::npos);
}

TEST(VisitTable, OfNothingIsNothing) {
  EXPECT_EQ(visit_table(synthetic::run_of(), {}, {}), "");
}

} // namespace
} // namespace switchscope
