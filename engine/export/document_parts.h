// The parts of the result document, and the JSON they are made of. One file for each.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/export/facts_of_point.h"
#include "engine/model/run.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace switchscope::document {

using nlohmann::json;

// run_document.cpp
[[nodiscard]] json run_part(const Run&, const RunEstimates&, const std::vector<ResumedOn>&);

// point_document.cpp
[[nodiscard]] json point_part(const Run&, const RunEstimates&, std::size_t point_index, const Obtained&);
[[nodiscard]] json direct_part(const Point&, const PointEstimate&, const Obtained&); // of a D = 0 point
[[nodiscard]] json direct_summary(const PointEstimate&);                             // its cost and state alone
[[nodiscard]] json placement_part(const Point&, const Obtained&);

// cliff_document.cpp
struct CliffParts {
  json cliffs = json::array();
  json not_judged = json::array(); // curves of which no cliff could be told, with the reason
};
[[nodiscard]] CliffParts cliff_parts(const Run&, const RunEstimates&, const std::vector<Obtained>&);

// JSON knows neither infinity nor NaN.
[[nodiscard]] inline json number(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}
[[nodiscard]] inline json text_or_null(const std::optional<std::string>& text) {
  return text ? json(*text) : json(nullptr);
}

} // namespace switchscope::document
