// Text against a stored file of tests/data. With SWITCHSCOPE_UPDATE_GOLDENS set the file is written instead; read the
// difference before committing it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace switchscope {

inline std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void expect_golden(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::path(SWITCHSCOPE_SOURCE_DIR) / "tests/data" / name;
  if (std::getenv("SWITCHSCOPE_UPDATE_GOLDENS")) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    GTEST_SKIP() << "wrote " << path;
  }
  ASSERT_TRUE(std::filesystem::exists(path)) << path;
  EXPECT_EQ(text, text_of_file(path)) << "differs from " << path;
}

} // namespace switchscope
