#include "engine/protocol/messages.h"

#include "engine/protocol/model_fields.h"

namespace switchscope {

template <> inline constexpr std::string_view tag<Hello> = "hello";
template <> inline constexpr std::string_view tag<Facts> = "facts";
template <> inline constexpr std::string_view tag<Waiting> = "waiting";
template <> inline constexpr std::string_view tag<Ready> = "ready";
template <> inline constexpr std::string_view tag<BlockLine> = "block";
template <> inline constexpr std::string_view tag<Done> = "done";
template <> inline constexpr std::string_view tag<SharingLine> = "sharing";
template <> inline constexpr std::string_view tag<WorkerError> = "error";

template <class Io> void fields_of(Io& io, Of<Hello> auto& hello) {
  io("protocol", hello.protocol, not_negative);
  // Another version may say the rest in another way. Its number must come through, so that both can be named.
  if constexpr (Io::reads)
    if (hello.protocol != protocol_version) io.be_tolerant();
  io("version", hello.version);
  io("build", hello.build);
  io("architecture", hello.architecture);
  io("mechanisms", hello.mechanisms);
  io("kernel_codes", hello.kernel_codes);
}

template <class Io> void fields_of(Io& io, Of<Facts> auto& facts) {
  io("hwloc_xml", facts.hwloc_xml);
  io("files", facts.files);
  io("calls", facts.calls);
}

template <class Io> void fields_of(Io& io, Of<Waiting> auto& waiting) {
  io("holder", waiting.holder);
}

template <class Io> void fields_of(Io&, Of<Ready> auto&) {}

template <class Io> void fields_of(Io& io, Of<BlockLine> auto& line) {
  io("id", line.id, at_least_one);
  fields_of(io, line.block);
}

template <class Io> void fields_of(Io& io, Of<Done> auto& done) {
  io("id", done.id, at_least_one);
  fields_of(io, done.report);
}

template <class Io> void fields_of(Io& io, Of<SharingSeries> auto& series) {
  io("cpu", series.cpu, not_negative);
  io("quiet", series.quiet, above_zero);
  io("busy", series.busy, above_zero);
  io("others_busy_ratio", series.others_busy_ratio);
  if constexpr (Io::reads)
    if (series.quiet.size() != series.busy.size()) io.refuse("busy", "must have as many readings as quiet.");
}

template <class Io> void fields_of(Io& io, Of<SharingLine> auto& line) {
  io("id", line.id, at_least_one);
  io("cpu", line.cpu, not_negative);
  io("others", line.others);
}

template <class Io> void fields_of(Io& io, Of<WorkerError> auto& error) {
  io("id", error.id, not_negative);
  io("code", error.code);
  io("message", error.message);
}

namespace {

struct CommandFields {
  std::int64_t id = 0;
  std::string verb;
  std::vector<std::string> argv;
};

template <class Io> void fields_of(Io& io, Of<CommandFields> auto& command) {
  io("id", command.id, at_least_one);
  io("verb", command.verb);
  if constexpr (Io::reads)
    if (command.verb != "switch-cost" && command.verb != "shares") return;
  if (command.verb != "describe") io("argv", command.argv);
}

DecodeError refused(std::string_view line, const std::string& why) {
  return DecodeError{"The line " + in_quotes(line) + " cannot be used. " + why};
}

DecodeError too_long(std::string_view line) {
  return refused(line, "It is " + std::to_string(line.size()) + " bytes long; at most " +
                           std::to_string(max_line_bytes) + " are read.");
}

} // namespace

std::string encode(const WorkerEvent& event) {
  return encode_tagged("type", event);
}

std::variant<WorkerEvent, DecodeError> decode_event(std::string_view line) {
  if (line.size() > max_line_bytes) return too_long(line);
  try {
    return TaggedReader<WorkerEvent>::read("type", parse_object(line));
  } catch (const JsonProblem& problem) {
    return refused(line, problem.what());
  }
}

std::int64_t id_of(const WorkerCommand& command) {
  return std::visit([](const auto& each) { return each.id; }, command);
}

std::string encode(const WorkerCommand& command) {
  CommandFields fields;
  if (const auto* measure = std::get_if<MeasureCommand>(&command))
    fields = {measure->id, "switch-cost", argv_of(measure->request)};
  else if (const auto* shares = std::get_if<SharesCommand>(&command))
    fields = {shares->id, "shares", argv_of(shares->request)};
  else
    fields = {std::get<DescribeCommand>(command).id, "describe", {}};
  nlohmann::ordered_json object;
  Writer<nlohmann::ordered_json> writer(object);
  fields_of(writer, fields);
  return object.dump();
}

std::variant<WorkerCommand, DecodeError> decode_command(std::string_view line) {
  if (line.size() > max_line_bytes) return too_long(line);
  try {
    const auto fields = read_as<CommandFields>(parse_object(line));
    if (fields.verb == "describe") return DescribeCommand{fields.id};
    if (fields.verb == "shares") {
      auto request = parse_shares_argv(fields.argv);
      if (const auto* error = std::get_if<DecodeError>(&request)) return refused(line, error->message);
      return SharesCommand{fields.id, std::get<SharesRequest>(request)};
    }
    if (fields.verb != "switch-cost")
      return refused(line,
                     "The verb " + in_quotes(fields.verb) + " is unknown; known are switch-cost, shares and describe.");
    auto request = parse_argv(fields.argv);
    if (const auto* error = std::get_if<DecodeError>(&request)) return refused(line, error->message);
    return MeasureCommand{fields.id, std::get<VisitRequest>(request)};
  } catch (const JsonProblem& problem) {
    return refused(line, problem.what());
  }
}

} // namespace switchscope
