// The texts that options take, as values. `option` is the option's name without dashes. Everything here throws Refusal
// (bad_arguments) with a sentence that names it.
#pragma once

#include "engine/model/in_quotes.h"
#include "engine/model/plan.h"
#include "engine/model/quantity.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace switchscope {

[[noreturn]] void refuse_option(std::string_view option, const std::string& sentence);

// A comma makes a list.
[[nodiscard]] std::vector<std::string> words_of(std::string_view option, const std::string& text);
[[nodiscard]] std::vector<Placement> placements_of(const std::string& text);
// Each CPU that is named, once: "1,0:2" are 1, 0 and 2; "auto" adds none.
[[nodiscard]] std::vector<int> cpus_of(const std::string& text);
// A switch is between two tasks on one CPU; nothing else can be checked.
[[nodiscard]] std::vector<Placement> placements_on_one_cpu(const std::string& text);
[[nodiscard]] Requirements requirements_of(const std::string& text);
// Words as a shell would split them, so that 'ssh -o "ProxyCommand x y" host' works.
[[nodiscard]] std::vector<std::string> launcher_of(const std::string& text);

template <class T> T value_of(std::string_view option, Parsed<T> parsed) {
  if (const auto* error = std::get_if<ParseError>(&parsed)) refuse_option(option, error->message);
  return std::get<T>(std::move(parsed));
}

template <class T> void add_once(std::vector<T>& values, const T& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

template <class Choice> Choice choice_of(std::string_view option, const std::string& word) {
  if (const auto choice = parse_name<Choice>(word)) return *choice;
  refuse_option(option, fmt::format("{} is not known. Give {}.", in_quotes(word), names_listed<Choice>()));
}

template <class Choice> std::vector<Choice> choices_of(std::string_view option, const std::string& text) {
  std::vector<Choice> choices;
  for (const auto& word : words_of(option, text)) add_once(choices, choice_of<Choice>(option, word));
  return choices;
}

template <class Number> Number whole_number(std::string_view option, const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    refuse_option(option, in_quotes(text) + " is no whole number of the range that can be used.");
  return number;
}

} // namespace switchscope
