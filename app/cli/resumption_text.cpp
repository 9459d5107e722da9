#include "app/cli/resumption_text.h"

#include "app/cli/columns.h"

#include <fmt/core.h>

#include <algorithm>

namespace switchscope {

namespace {

constexpr std::size_t most_differences = 4; // the document has them all

std::string differences_text(const std::vector<std::string>& differences) {
  const auto shown = std::min(differences.size(), most_differences);
  std::string text = joined({differences.begin(), differences.begin() + static_cast<std::ptrdiff_t>(shown)}, "; ");
  if (differences.size() > shown) text += fmt::format("; and {} more differences", differences.size() - shown);
  return printable(text);
}

} // namespace

std::vector<std::string> resumption_notes(const std::vector<ResumedOn>& resumptions) {
  if (resumptions.empty()) return {};
  const auto times = resumptions.size();
  std::string text = times == 1 ? "Resumed once" : fmt::format("Resumed {} times", times);
  for (std::size_t i = 0; i < times; ++i) {
    if (resumptions[i].differences.empty()) continue;
    const std::string which = times == 1       ? "," // "once, on another machine"
                              : i + 1 == times ? "; the last"
                                               : fmt::format("; number {}", i + 1);
    text += fmt::format("{} on another machine: {}", which, differences_text(resumptions[i].differences));
  }
  return {text + '.'};
}

} // namespace switchscope
