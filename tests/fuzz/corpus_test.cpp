// The stored corpus through the fuzzers' entries, so that what a fuzzer once found stays fixed in every build.
#include "tests/fuzz/entries.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

int run_corpus(const std::string& name, void (*entry)(std::string_view)) {
  int files = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(SWITCHSCOPE_SOURCE_DIR) + "/tests/fuzz/corpus/" + name)) {
    std::ifstream stream(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    SCOPED_TRACE(file.path().filename().string());
    entry(bytes);
    for (std::size_t cut = 0; cut < bytes.size(); cut += 1 + bytes.size() / 64)
      entry(std::string_view(bytes).substr(0, cut));
    ++files;
  }
  return files;
}

TEST(Corpus, DecodeEvent) {
  EXPECT_GE(run_corpus("decode_event", switchscope::fuzz::decode_event), 8);
}
TEST(Corpus, DecodeCommand) {
  EXPECT_GE(run_corpus("decode_command", switchscope::fuzz::decode_command), 3);
}
TEST(Corpus, PlanFromText) {
  EXPECT_GE(run_corpus("plan_from_text", switchscope::fuzz::plan_from_text), 3);
}
TEST(Corpus, ParseBytesList) {
  EXPECT_GE(run_corpus("parse_bytes_list", switchscope::fuzz::parse_bytes_list), 5);
}

} // namespace
