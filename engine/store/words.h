// The words for choices, read back from the database.
#pragma once

#include "engine/model/names.h"
#include "engine/store/open.h"
#include "engine/store/problem.h"

#include <fmt/format.h>

#include <string>

namespace switchscope {

// `parse` gives an optional; a word it does not know can only come from damage or from another hand.
template <class Parse>
auto known(const OpenDatabase& open, std::string_view what, Parse parse, const std::string& text) {
  const auto value = parse(text);
  if (!value) throw damaged_problem(open.path, fmt::format("\"{}\" is no {}", text, what));
  return *value;
}

template <class Choice> Choice word(const OpenDatabase& open, const std::string& text) {
  return known(open, names_listed<Choice>(), parse_name<Choice>, text);
}

} // namespace switchscope
