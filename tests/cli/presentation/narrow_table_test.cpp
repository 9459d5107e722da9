// The table in terminals of fewer than 100 columns.
#include "app/cli/columns.h"
#include "app/cli/table.h"
#include "tests/export/golden.h"
#include "tests/export/sample_run.h"

#include <gtest/gtest.h>

#include <sstream>

namespace switchscope {
namespace {

std::string table_of(const sample::Sample& sample, int columns) {
  return result_table(sample.run, sample.visits, sample.estimates, {}, columns);
}

TEST(NarrowTable, inEightyColumns) {
  expect_golden("cli/troubled_table_80.txt", table_of(sample::troubled_run(), 80));
}

TEST(NarrowTable, inSixtyColumns) {
  expect_golden("cli/troubled_table_60.txt", table_of(sample::troubled_run(), 60));
}

TEST(NarrowTable, aHundredColumnsAreThoseOfAPipe) {
  const auto sample = sample::troubled_run();
  EXPECT_EQ(table_of(sample, 100), result_table(sample.run, sample.visits, sample.estimates));
}

TEST(NarrowTable, fitsInEveryWidthFromSixty) {
  for (const auto& sample : {sample::quiet_run(), sample::troubled_run()})
    for (int columns = 60; columns <= 100; ++columns) {
      std::istringstream lines(table_of(sample, columns));
      for (std::string line; std::getline(lines, line);) EXPECT_LE(width_of(line), columns) << line;
    }
}

TEST(NarrowTable, losesNoFigure) {
  const auto sample = sample::quiet_run();
  for (const int columns : {60, 80, 100}) {
    const auto table = table_of(sample, columns);
    for (const char* figure : {"2.640 µs", "(2.610 to 2.670)", "2.67 µs", "160 ns", "(30 to 290)", "20", "291/300"})
      EXPECT_NE(table.find(figure), std::string::npos) << columns << ": " << figure << '\n' << table;
  }
}

} // namespace
} // namespace switchscope
