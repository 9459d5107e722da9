// Databases that belong to somebody else. (The real worker without rights: unprivileged_measuring_test.cpp.)
#include "tests/cli/unprivileged.h"

#include <gtest/gtest.h>

namespace switchscope {

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> run_into(const Unprivileged& without, const std::string& database) {
  return {"run",
          "--size",
          "64KiB",
          "--policy",
          "other",
          "--budget",
          "50ms",
          "--name",
          "the one",
          "--db",
          database,
          "--worker",
          (without.folder / "switchscope-scripted-worker").string()};
}

} // namespace

TEST(Unprivileged, aDatabaseOfSomebodyElseIsReadAndNotWritten) {
  const Unprivileged without;
  if (!without.possible) GTEST_SKIP() << "needs root, to become another user";
  const std::string database = (without.folder / "theirs.db").string();
  ASSERT_EQ(cli(run_into(without, database)).exit_code, 0);
  const std::string before = text_of_file(database);

  const Ended shown = without.cli({"show", "the one", "--db", database});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_TRUE(holds(shown.out, "64 KiB")) << shown.out;
  EXPECT_EQ(without.cli({"verify", database}).exit_code, 0);
  for (const auto& writing : {run_into(without, database), {"delete", "the one", "--db", database}}) {
    const Ended ended = without.cli(writing);
    EXPECT_EQ(ended.exit_code, 5) << writing.front() << ": " << ended.err;
    EXPECT_TRUE(holds(ended.err, "The database " + database +
                                     " cannot be written: the file or the medium it lies on is "
                                     "read-only for this user. Change the permissions, or copy the file"))
        << ended.err;
  }
  EXPECT_EQ(text_of_file(database), before);
}

TEST(Unprivileged, aPlaceWithoutRightsIsSaid) {
  const Unprivileged without;
  if (!without.possible) GTEST_SKIP() << "needs root, to become another user";
  const std::string nowhere = (without.folder / "new.db").string(); // in a folder of root's
  const Ended ended = without.cli(run_into(without, nowhere));
  EXPECT_EQ(ended.exit_code, 5) << ended.err;
  EXPECT_TRUE(holds(ended.err, nowhere + " cannot be opened: nothing can be written in its folder.")) << ended.err;

  ASSERT_EQ(cli(run_into(without, (without.folder / "private.db").string())).exit_code, 0);
  ASSERT_EQ(::chmod((without.folder / "private.db").c_str(), 0600), 0);
  const Ended hidden = without.cli({"list", "--db", (without.folder / "private.db").string()});
  EXPECT_EQ(hidden.exit_code, 5) << hidden.err;
  EXPECT_TRUE(holds(hidden.err, "this user may not read it")) << hidden.err;
}

} // namespace switchscope
