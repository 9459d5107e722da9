#include "app/cli/argument_values.h"

#include "app/cli/outcome.h"

#include <boost/tokenizer.hpp>

#include <iterator>
#include <map>
#include <sstream>

namespace switchscope {

void refuse_option(std::string_view option, const std::string& sentence) {
  throw Refusal(ExitCode::bad_arguments, fmt::format("--{}: {}", option, sentence));
}

std::vector<std::string> words_of(std::string_view option, const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  if (text.empty() || text.back() == ',' || std::find(words.begin(), words.end(), "") != words.end())
    refuse_option(option, in_quotes(text) + " has an empty place in its list.");
  return words;
}

std::vector<Placement> placements_of(const std::string& text) {
  std::vector<Placement> placements;
  for (const auto& word : words_of("cpu", text)) {
    const auto placement = parse_placement(word);
    if (!placement)
      refuse_option("cpu", fmt::format("{} is no placement. Give 1 (both tasks there), 0:1 (one task on each), free or "
                                       "auto; a comma makes a list.",
                                       in_quotes(word)));
    add_once(placements, *placement);
  }
  return placements;
}

std::vector<int> cpus_of(const std::string& text) {
  std::vector<int> cpus;
  for (const Placement& placement : placements_of(text)) {
    if (placement.kind == Placement::Kind::free)
      refuse_option("cpu", "\"free\" is no CPU. Give CPUs such as 1 or 0,2, or auto.");
    for (const int cpu : {placement.cpu_a, placement.cpu_b})
      if (cpu >= 0) add_once(cpus, cpu);
  }
  return cpus;
}

std::vector<Placement> placements_on_one_cpu(const std::string& text) {
  const auto placements = placements_of(text);
  for (const Placement& placement : placements)
    if (placement.kind != Placement::Kind::same_cpu && placement.kind != Placement::Kind::automatic)
      refuse_option("cpu", in_quotes(text_of(placement)) + " is not one CPU. Give CPUs such as 1,2, or auto.");
  return placements;
}

Requirements requirements_of(const std::string& text) {
  Requirements require;
  const std::map<std::string, bool Requirements::*> members{{"precision", &Requirements::precision},
                                                            {"fifo", &Requirements::fifo},
                                                            {"pages", &Requirements::pages},
                                                            {"clean", &Requirements::clean}};
  for (const auto& word : words_of("require", text)) {
    const auto member = members.find(word);
    if (member == members.end())
      refuse_option("require", in_quotes(word) + " is not known. Give precision, fifo, pages or clean.");
    require.*(member->second) = true;
  }
  return require;
}

std::vector<std::string> launcher_of(const std::string& text) {
  std::vector<std::string> words;
  try {
    const boost::escaped_list_separator<char> separator("\\", " \t", "\"'");
    const boost::tokenizer<boost::escaped_list_separator<char>> tokens(text, separator);
    std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(words),
                 [](const std::string& word) { return !word.empty(); });
  } catch (const boost::escaped_list_error&) {
    refuse_option("worker-launcher", in_quotes(text) + " ends in the middle of an escape.");
  }
  if (words.empty()) refuse_option("worker-launcher", "The launcher is empty. Give a command such as 'ssh host'.");
  return words;
}

} // namespace switchscope
