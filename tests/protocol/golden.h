// Lines of tests/data/protocol: what earlier versions wrote must be read for ever, and what is written must not change
// unseen. With SWITCHSCOPE_UPDATE_GOLDENS set the file is written instead; read the difference.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

inline std::vector<std::string> golden_lines(const std::string& name) {
  const std::string path = std::string(SWITCHSCOPE_SOURCE_DIR) + "/tests/data/protocol/" + name;
  std::ifstream file(path);
  EXPECT_TRUE(file) << path << " cannot be read";
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

inline void expect_golden(const std::string& name, const std::vector<std::string>& written) {
  if (std::getenv("SWITCHSCOPE_UPDATE_GOLDENS") != nullptr) {
    std::ofstream file(std::string(SWITCHSCOPE_SOURCE_DIR) + "/tests/data/protocol/" + name);
    for (const auto& line : written) file << line << '\n';
  }
  const std::vector<std::string> expected = golden_lines(name);
  ASSERT_EQ(written.size(), expected.size()) << name;
  for (std::size_t i = 0; i < written.size(); ++i) EXPECT_EQ(written[i], expected[i]) << name << ", line " << i + 1;
}
