// JSON of the model's values, for the database, the files and `run --events`. Reading throws JsonProblem with a
// sentence.
#pragma once

#include "engine/model/instrument_check.h"
#include "engine/model/run_event.h"

#include <nlohmann/json_fwd.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace switchscope {

struct JsonProblem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr int plan_schema = 1;

// A plan file: every field has its default, unknown fields and wrong types are refused by name.
[[nodiscard]] nlohmann::json json_of(const Plan&);
[[nodiscard]] Plan plan_from_json(const nlohmann::json&);
[[nodiscard]] Plan plan_from_text(std::string_view text); // at most 1 MiB; says "not JSON" with line and column

[[nodiscard]] nlohmann::json json_of(const Environment&);
[[nodiscard]] Environment environment_from_json(const nlohmann::json&);

[[nodiscard]] nlohmann::json json_of(const CoreSharing&);
[[nodiscard]] CoreSharing core_sharing_from_json(const nlohmann::json&);
[[nodiscard]] std::string text_of(const CoreSharing&); // as JSON
[[nodiscard]] CoreSharing core_sharing_from_text(std::string_view);

[[nodiscard]] nlohmann::json json_of(const Point&);
[[nodiscard]] Point point_from_json(const nlohmann::json&);

[[nodiscard]] nlohmann::json json_of(const Thresholds&);
[[nodiscard]] Thresholds thresholds_from_json(const nlohmann::json&);

[[nodiscard]] nlohmann::json json_of(const VisitRequest&);
[[nodiscard]] VisitRequest visit_request_from_json(const nlohmann::json&);
[[nodiscard]] nlohmann::json json_of(const VisitReport&);
[[nodiscard]] VisitReport visit_report_from_json(const nlohmann::json&);
[[nodiscard]] nlohmann::json json_of(const Block&);
[[nodiscard]] Block block_from_json(const nlohmann::json&);
[[nodiscard]] nlohmann::json json_of(const Visit&);
[[nodiscard]] Visit visit_from_json(const nlohmann::json&);
[[nodiscard]] nlohmann::json json_of(const Run&);
[[nodiscard]] Run run_from_json(const nlohmann::json&);

[[nodiscard]] nlohmann::json json_of(const InstrumentCheck&);
[[nodiscard]] InstrumentCheck instrument_check_from_json(const nlohmann::json&);
[[nodiscard]] std::string text_of(const InstrumentCheck&); // its JSON on one line
[[nodiscard]] InstrumentCheck instrument_check_from_text(std::string_view);

[[nodiscard]] std::string encode(const RunEvent&); // one line, for `run --events`
[[nodiscard]] RunEvent run_event_from_text(std::string_view line);

} // namespace switchscope
