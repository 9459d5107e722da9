// Values that are stored as JSON text.
#pragma once

#include "engine/protocol/json.h"
#include "engine/store/open.h"
#include "engine/store/problem.h"

#include <nlohmann/json.hpp>

#include <string>

namespace switchscope {

// Bytes that are not UTF-8, as in a host name set by hand, become U+FFFD: they must not end a run.
template <class Value> std::string json_text(const Value& value) {
  return json_of(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <class Read> auto from_json_text(const OpenDatabase& open, Read read, const std::string& text) {
  try {
    return read(nlohmann::json::parse(text));
  } catch (const nlohmann::json::exception& problem) {
    throw damaged_problem(open.path, problem.what());
  } catch (const JsonProblem& problem) {
    throw damaged_problem(open.path, problem.what());
  }
}

} // namespace switchscope
