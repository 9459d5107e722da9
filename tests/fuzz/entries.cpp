#include "tests/fuzz/entries.h"

#include "engine/model/quantity.h"
#include "engine/protocol/json.h"
#include "engine/protocol/messages.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

namespace switchscope::fuzz {
namespace {

void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

// Sentences reach terminals and JSON documents: dump() throws for bytes that are not UTF-8.
void require_sentence(const std::string& message) {
  require(!message.empty(), "an error has a message");
  (void)nlohmann::json(message).dump();
  for (const char c : message) require(static_cast<unsigned char>(c) >= 0x20, "a message holds no control characters");
}

} // namespace

void decode_event(std::string_view bytes) {
  const auto decoded = switchscope::decode_event(bytes);
  if (const auto* error = std::get_if<DecodeError>(&decoded)) return require_sentence(error->message);
  const auto& event = std::get<WorkerEvent>(decoded);
  const auto again = switchscope::decode_event(encode(event));
  require(std::holds_alternative<WorkerEvent>(again), "an encoded event can be decoded");
  require(std::get<WorkerEvent>(again) == event, "an event survives encoding");
}

void decode_command(std::string_view bytes) {
  const auto decoded = switchscope::decode_command(bytes);
  if (const auto* error = std::get_if<DecodeError>(&decoded)) return require_sentence(error->message);
  const auto& command = std::get<WorkerCommand>(decoded);
  const auto again = switchscope::decode_command(encode(command));
  require(std::holds_alternative<WorkerCommand>(again), "an encoded command can be decoded");
  require(std::get<WorkerCommand>(again) == command, "a command survives encoding");
}

void plan_from_text(std::string_view bytes) {
  Plan plan;
  try {
    plan = switchscope::plan_from_text(bytes);
  } catch (const JsonProblem& problem) {
    return require_sentence(problem.what());
  }
  require(plan_from_json(json_of(plan)) == plan, "a plan survives JSON");
  const auto problems = problems_of(plan);
  for (const PlanProblem& problem : problems) require_sentence(problem.message);
  if (!problems.empty()) return;
  const Expansion expansion = expand(plan);
  require(!expansion.points.empty() && expansion.points.front().is_direct(), "the direct points come first");
  require(plan.sizes_bytes.front() == 0 || !expansion.points.back().is_direct(), "some combination with data is left");
  std::set<std::string> keys;
  for (const Point& point : expansion.points) keys.insert(key_of(point));
  require(keys.size() == expansion.points.size(), "no point stands twice");
}

void parse_bytes_list(std::string_view bytes) {
  const auto parsed = switchscope::parse_bytes_list(bytes);
  if (const auto* error = std::get_if<ParseError>(&parsed)) return require_sentence(error->message);
  const auto& sizes = std::get<std::vector<std::int64_t>>(parsed);
  require(!sizes.empty(), "a list that parses is not empty");
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    require(sizes[i] >= 0 && sizes[i] <= std::int64_t{1} << 53, "sizes lie between 0 and 2^53");
    require(i == 0 || sizes[i - 1] < sizes[i], "sizes are sorted, without repeats");
    const auto again = parse_bytes(bytes_text(sizes[i]));
    require(std::holds_alternative<std::int64_t>(again) && std::get<std::int64_t>(again) == sizes[i],
            "a size that is shown reads back");
  }
}

} // namespace switchscope::fuzz
