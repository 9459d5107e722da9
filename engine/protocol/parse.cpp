#include "engine/protocol/fields.h"

namespace switchscope {
namespace {

constexpr int max_depth = 32; // ours is 6; a parser must not be led to build millions of nested lists

int depth_of(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

// `byte` counts from 1, as the parser reports it; 0 and past the end are possible.
std::string place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1; // npos + 1 is 0
  return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - line_start + 1);
}

} // namespace

nlohmann::json parse_object(std::string_view text) {
  if (depth_of(text) > max_depth)
    throw JsonProblem("The JSON is nested deeper than " + std::to_string(max_depth) + " levels.");
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw JsonProblem("This is not JSON: it goes wrong at " + place_of(text, error.byte) + ".");
  } catch (const nlohmann::json::out_of_range&) {
    throw JsonProblem("A number in the JSON is too large to be read.");
  }
  if (!json.is_object()) throw JsonProblem("The JSON must be an object, as in {\"name\": ...}.");
  return json;
}

} // namespace switchscope
