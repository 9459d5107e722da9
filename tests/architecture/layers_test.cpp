// Who may include and link whom. The table is the one of docs/architecture.md.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

const fs::path source_dir = SWITCHSCOPE_SOURCE_DIR;
const fs::path binary_dir = SWITCHSCOPE_BINARY_DIR;

using Folders = std::set<std::string>;

// folder -> engine folders whose headers it may include, besides its own
const std::map<std::string, Folders> may_include{
    {"model", {}},
    {"protocol", {"model"}},
    {"worker", {"model", "protocol"}},
    {"machine", {"model", "protocol"}},
    {"run", {"model", "protocol"}},
    {"store", {"model", "protocol"}},
    {"analysis", {"model"}},
    {"export", {"model", "protocol", "analysis"}},
    {"session", {"model", "protocol", "machine", "run", "store", "analysis"}},
};

// third-party header prefix -> the only engine folders that may include it
const std::map<std::string, Folders> library_homes{
    {"SQLiteCpp/", {"store"}},
    {"sqlite3.h", {"store"}},
    {"boost/process", {"run"}},
    {"boost/asio", {"run"}},
    {"boost/math", {"analysis"}},
    {"hwloc", {"worker"}},
    {"nlohmann/", {"protocol", "store", "export"}},
    {"fmt/", {"run", "store", "machine", "export", "session", "analysis"}},
};

bool is_code(const fs::path& path) {
  return path.extension() == ".cpp" || path.extension() == ".h";
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> includes_of(const fs::path& path) {
  static const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<std::string> included;
  std::smatch match;
  for (const auto& line : lines_of(path))
    if (std::regex_search(line, match, include)) included.push_back(match[1]);
  return included;
}

std::vector<fs::path> code_under(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && is_code(entry.path())) files.push_back(entry.path());
  return files;
}

std::string output_of(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> buffer{};
  while (const auto got = fread(buffer.data(), 1, buffer.size(), pipe.get())) text.append(buffer.data(), got);
  return text;
}

} // namespace

TEST(Layers, everyEngineFolderIsInTheTable) {
  for (const auto& entry : fs::directory_iterator(source_dir / "engine"))
    if (entry.is_directory() && !code_under(entry.path()).empty()) {
      EXPECT_TRUE(may_include.contains(entry.path().filename().string())) << entry.path();
    }
}

TEST(Layers, engineFoldersIncludeOnlyWhomTheyMay) {
  int seen = 0;
  for (const auto& [folder, allowed] : may_include)
    for (const auto& file : code_under(source_dir / "engine" / folder))
      for (const auto& header : includes_of(file)) {
        EXPECT_FALSE(header.starts_with("app/") || header.starts_with("ui/")) << file << " includes " << header;
        if (!header.starts_with("engine/")) continue;
        ++seen;
        const auto rest = header.substr(7);
        const auto other = rest.substr(0, rest.find('/'));
        EXPECT_TRUE(other == folder || allowed.contains(other)) << file << " includes " << header;
      }
  EXPECT_GT(seen, 50) << "the scan found hardly any include: is the source folder right?";
}

TEST(Layers, engineNeverIncludesQt) {
  static const std::regex qt(R"(^(Q[A-Z]\w*|Qt\w*/.*|qcustomplot\.h)$)");
  for (const auto& file : code_under(source_dir / "engine"))
    for (const auto& header : includes_of(file)) EXPECT_FALSE(std::regex_match(header, qt)) << file << ": " << header;
}

TEST(Layers, librariesStayInTheirFolders) {
  for (const auto& [folder, allowed] : may_include)
    for (const auto& file : code_under(source_dir / "engine" / folder))
      for (const auto& header : includes_of(file))
        for (const auto& [prefix, homes] : library_homes)
          if (header.starts_with(prefix)) {
            EXPECT_TRUE(homes.contains(folder)) << file << " includes " << header;
          }
}

TEST(Layers, boostProcessIsInOneFile) {
  Folders files;
  for (const auto& top : {"engine", "app", "ui"})
    for (const auto& file : code_under(source_dir / top))
      for (const auto& header : includes_of(file))
        if (header.starts_with("boost/process")) files.insert(file.filename().string());
  EXPECT_EQ(files, Folders{"worker_process.cpp"});
}

TEST(Layers, engineLibrariesLinkOnlyWhomTheyMayInclude) {
  static const std::regex linked(R"(switchscope_(\w+))");
  int seen = 0;
  for (const auto& [folder, allowed] : may_include) {
    const fs::path file = source_dir / "engine" / folder / "CMakeLists.txt";
    bool inside = false;
    for (const auto& line : lines_of(file)) {
      if (line.find("target_link_libraries(") != std::string::npos) inside = true;
      if (!inside) continue;
      for (std::sregex_iterator it(line.begin(), line.end(), linked), end; it != end; ++it) {
        const std::string other = (*it)[1];
        if (!may_include.contains(other) || other == folder) continue;
        ++seen;
        EXPECT_TRUE(allowed.contains(other)) << file << ": " << line;
      }
      if (line.find(')') != std::string::npos) inside = false;
    }
  }
  EXPECT_GE(seen, 8) << "the scan found hardly any link line";
}

TEST(Layers, workerIsStatic) {
#ifdef SWITCHSCOPE_SANITIZED
  GTEST_SKIP() << "a sanitizer's build links dynamically; the ordinary build is looked at";
#endif
  const std::string needed = output_of("readelf -d '" + (binary_dir / "bin/switchscope-worker").string() + "' 2>&1");
  EXPECT_EQ(needed.find("NEEDED"), std::string::npos) << needed;
  EXPECT_NE(needed.find("no dynamic section"), std::string::npos) << needed;
}

TEST(Layers, commandLineLinksNoQt) {
  const std::string needed = output_of("readelf -d '" + (binary_dir / "bin/switchscope-cli").string() + "' 2>&1");
  EXPECT_NE(needed.find("NEEDED"), std::string::npos) << needed;
  EXPECT_EQ(needed.find("libQt"), std::string::npos) << needed;
  EXPECT_EQ(needed.find("QCustomPlot"), std::string::npos) << needed;
}
