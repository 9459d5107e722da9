#include "engine/protocol/json.h"

#include "engine/protocol/model_fields.h"

namespace switchscope {

namespace {
constexpr std::size_t max_plan_bytes = 1u << 20;
}

nlohmann::json json_of(const Plan& plan) {
  return written(plan);
}
Plan plan_from_json(const nlohmann::json& json) {
  return read_as<Plan>(json, Reader::Rules::file);
}

Plan plan_from_text(std::string_view text) {
  if (text.size() > max_plan_bytes)
    throw JsonProblem("The plan is " + std::to_string(text.size()) + " bytes long; a plan has at most 1 MiB.");
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw JsonProblem("The plan is empty; write one such as "
                      R"({"schema": 1, "sizes_bytes": [65536], "strides_bytes": [128], "budget_s": 10}.)");
  return plan_from_json(parse_object(text));
}

nlohmann::json json_of(const Environment& environment) {
  return written(environment);
}
Environment environment_from_json(const nlohmann::json& json) {
  return read_as<Environment>(json);
}

nlohmann::json json_of(const CoreSharing& sharing) {
  return written(sharing);
}
CoreSharing core_sharing_from_json(const nlohmann::json& json) {
  return read_as<CoreSharing>(json);
}
std::string text_of(const CoreSharing& sharing) {
  return json_of(sharing).dump();
}
CoreSharing core_sharing_from_text(std::string_view text) {
  return core_sharing_from_json(parse_object(text));
}

nlohmann::json json_of(const Point& point) {
  return written(point);
}
Point point_from_json(const nlohmann::json& json) {
  return read_as<Point>(json);
}

nlohmann::json json_of(const Thresholds& thresholds) {
  return written(thresholds);
}
Thresholds thresholds_from_json(const nlohmann::json& json) {
  return read_as<Thresholds>(json);
}

nlohmann::json json_of(const VisitRequest& request) {
  return written(request);
}
VisitRequest visit_request_from_json(const nlohmann::json& json) {
  return read_as<VisitRequest>(json);
}

nlohmann::json json_of(const VisitReport& report) {
  return written(report);
}
VisitReport visit_report_from_json(const nlohmann::json& json) {
  return read_as<VisitReport>(json);
}

nlohmann::json json_of(const Block& block) {
  return written(block);
}
Block block_from_json(const nlohmann::json& json) {
  return read_as<Block>(json);
}

nlohmann::json json_of(const Visit& visit) {
  return written(visit);
}
Visit visit_from_json(const nlohmann::json& json) {
  return read_as<Visit>(json);
}

nlohmann::json json_of(const Run& run) {
  return written(run);
}
Run run_from_json(const nlohmann::json& json) {
  return read_as<Run>(json);
}

nlohmann::json json_of(const InstrumentCheck& check) {
  return written(check);
}
InstrumentCheck instrument_check_from_json(const nlohmann::json& json) {
  return read_as<InstrumentCheck>(json);
}
std::string text_of(const InstrumentCheck& check) {
  return json_of(check).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}
InstrumentCheck instrument_check_from_text(std::string_view text) {
  return read_as<InstrumentCheck>(parse_object(text));
}

} // namespace switchscope
